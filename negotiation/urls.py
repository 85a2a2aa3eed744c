"""The pages of this app."""

from django.urls import path

from negotiation import views

urlpatterns = [
    path("guest/", views.guest_deal, name="guest-deal"),
    path("deals/<uuid:game_id>/guide/leave/", views.guide_left, name="guide-leave"),
    path("words/", views.words, name="words"),
    path("deals/new/", views.deal_new, name="deal-new"),
    path("deals/<uuid:game_id>/", views.deal_table, name="deal-table"),
]
