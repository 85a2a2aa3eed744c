"""Addresses of comments and verdicts."""

from django.urls import path

from coaching.live import views

urlpatterns = [
    path("deals/<uuid:game_id>/hint/", views.hint, name="hint-ask"),
    path("deals/<uuid:game_id>/comments/", views.comments, name="comments"),
    path("deals/<uuid:game_id>/comments/<int:comment_id>/edit/", views.edit, name="comment-edit"),
    path("deals/<uuid:game_id>/comments/<int:comment_id>/delete/", views.delete, name="comment-delete"),
    path("deals/<uuid:game_id>/verdict/", views.verdict, name="verdict"),
]
