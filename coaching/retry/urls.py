"""Addresses of retries."""

from django.urls import path

from coaching.retry import views

urlpatterns = [
    path("deals/<uuid:game_id>/retry/", views.retry, name="deal-retry"),
    path("deals/<uuid:game_id>/swap/", views.swap, name="deal-swap"),
]
