"""Addresses of the review."""

from django.urls import path

from coaching.reviews import views

urlpatterns = [
    path("deals/<uuid:game_id>/moves/", views.moves, name="moves"),
    path("deals/<uuid:game_id>/review/", views.review, name="move-review"),
    path("deals/<uuid:game_id>/review/again/", views.again, name="move-review-again"),
    path("deals/<uuid:game_id>/review/<int:turn>/try/", views.try_move, name="move-review-try"),
]
