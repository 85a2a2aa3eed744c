"""The pages of this app."""

from django.urls import path

from negotiation.smallgames import views

urlpatterns = [
    path("games/", views.small_games, name="small-games"),
    path("games/<slug:slug>/", views.small_game, name="small-game"),
    path("games/match/<uuid:match_id>/", views.small_match, name="small-match"),
    path("games/match/<uuid:match_id>/act/", views.small_act, name="small-act"),
    path("games/match/<uuid:match_id>/name/", views.small_name, name="small-name"),
    path("games/match/<uuid:match_id>/odds/", views.small_odds, name="small-odds"),
]
