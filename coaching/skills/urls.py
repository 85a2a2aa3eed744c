"""Addresses of progress and practice."""

from django.urls import path

from coaching.skills import views

urlpatterns = [
    path("progress/", views.progress, name="progress"),
    path("team/<int:team_id>/progress/<int:user_id>/", views.member_progress, name="member-progress"),
    path("practice/<int:card_id>/", views.practice, name="practice"),
    path("practice/<int:card_id>/answer/", views.answer, name="practice-answer"),
]
