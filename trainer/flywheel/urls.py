"""The pages of the data room."""

from django.urls import URLPattern

urlpatterns: list[URLPattern] = []
