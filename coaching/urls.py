"""The pages of this app."""

from django.urls import include, path

from coaching import views
from coaching.sharing.views import shared

urlpatterns = [
    path("", include("coaching.room.urls")),
    path("", include("coaching.reviews.urls")),
    path("", include("coaching.skills.urls")),
    path("", include("coaching.retry.urls")),
    path("", include("coaching.cases.urls")),
    path("", include("coaching.live.urls")),
    path("", include("coaching.champion.urls")),
    path("deals/<uuid:game_id>/links/", views.links, name="spectate-link-create"),
    path("deals/<uuid:game_id>/links/<uuid:link_id>/revoke/", views.link_revoke, name="spectate-link-revoke"),
    path("deals/<uuid:game_id>/debrief/", views.debrief, name="debrief"),
    path("deals/<uuid:game_id>/debrief/turns.csv", views.turns_csv, name="debrief-csv"),
    path("watch/<str:token>/", views.watch, name="watch"),
    path("shared/<str:token>/", shared, name="shared"),
]
