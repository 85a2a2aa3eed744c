"""Addresses of cases."""

from django.urls import path

from coaching.cases import views

urlpatterns = [
    path("deals/<uuid:game_id>/compare/", views.compare, name="deal-compare"),
]
