"""The champion's part of a debrief."""

from django.urls import path

from coaching.champion import views

urlpatterns = [path("deals/<uuid:game_id>/champion/", views.champion_part, name="champion-part")]
