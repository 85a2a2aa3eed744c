"""The pages of this app."""

from django.urls import path

from negotiation.coalitions import views

urlpatterns = [
    path("coalitions/new/", views.coalition_new, name="coalition-new"),
    path("coalitions/<uuid:deal_id>/", views.coalition_table, name="coalition-table"),
    path("coalitions/<uuid:deal_id>/act/", views.coalition_act, name="coalition-act"),
    path("coalitions/<uuid:deal_id>/links/", views.coalition_link, name="coalition-link"),
    path(
        "coalitions/<uuid:deal_id>/links/revoke/", views.coalition_links_revoke, name="coalition-links-revoke"
    ),
    path("coalition-watch/<str:token>/", views.coalition_watch, name="coalition-watch"),
    path("coalitions/<uuid:deal_id>/debrief/", views.coalition_debrief, name="coalition-debrief"),
]
