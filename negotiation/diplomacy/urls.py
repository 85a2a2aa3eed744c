"""The pages of the board."""

from django.urls import include, path

from negotiation.diplomacy import views

urlpatterns = [
    path("diplomacy/", views.board_games, name="board-games"),
    path("diplomacy/join/<str:token>/", views.board_join, name="board-join"),
    path("diplomacy/<uuid:game_id>/", views.board_table, name="board-table"),
    path("diplomacy/<uuid:game_id>/leave/", views.board_leave, name="board-leave"),
    path("diplomacy/<uuid:game_id>/links/", views.board_link, name="board-link"),
    path("diplomacy/<uuid:game_id>/links/revoke/", views.board_links_revoke, name="board-links-revoke"),
    path("diplomacy/<uuid:game_id>/take-up/", views.board_take_up, name="board-take-up"),
    path("diplomacy/<uuid:game_id>/forks/", views.board_forks, name="board-forks"),
    path("diplomacy/<uuid:game_id>/forks/<uuid:fork_id>/", views.board_fork, name="board-fork"),
    path(
        "diplomacy/<uuid:game_id>/forks/<uuid:fork_id>/cancel/",
        views.board_fork_cancel,
        name="board-fork-cancel",
    ),
    path("", include("negotiation.diplomacy.lessons.urls")),
    path("board-watch/<str:token>/", views.board_watch, name="board-watch"),
]
