"""The pages of this app."""

from django.urls import path

from negotiation.pairs import views

urlpatterns = [
    path("pairs/new/", views.pair_new, name="pair-new"),
    path("pairs/join/<str:token>/", views.pair_join, name="pair-join"),
    path("pairs/<uuid:deal_id>/", views.pair_table, name="pair-table"),
    path("pairs/<uuid:deal_id>/invite/", views.pair_invite, name="pair-invite"),
    path("pairs/<uuid:deal_id>/withdraw/", views.pair_withdraw, name="pair-withdraw"),
    path("pairs/<uuid:deal_id>/links/", views.pair_link, name="pair-link"),
    path("pairs/<uuid:deal_id>/links/revoke/", views.pair_links_revoke, name="pair-links-revoke"),
    path("pairs/<uuid:deal_id>/debrief/", views.pair_debrief, name="pair-debrief"),
    path("pairs/<uuid:deal_id>/cards/", views.pair_cards, name="pair-cards"),
    path("pair-watch/<str:token>/", views.pair_watch, name="pair-watch"),
]
