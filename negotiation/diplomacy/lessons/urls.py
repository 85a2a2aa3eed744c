"""The page of the alliance lesson."""

from django.urls import path

from negotiation.diplomacy.lessons import views

urlpatterns = [path("diplomacy/<uuid:game_id>/lesson/", views.lesson, name="board-lesson")]
