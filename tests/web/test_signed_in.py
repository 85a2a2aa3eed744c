"""A page that says nothing of who may see it is closed to who is not signed in."""

from __future__ import annotations

import pytest
from django.contrib.auth.decorators import login_not_required
from django.http import HttpRequest, HttpResponse
from django.test import Client
from django.urls import path
from pytest_django import Settings

from accounts.models import User


def forgotten(request: HttpRequest) -> HttpResponse:
    """A view whose author thought of nothing."""
    return HttpResponse("a secret")


@login_not_required
def opened(request: HttpRequest) -> HttpResponse:
    """A view that says so."""
    return HttpResponse("for all")


urlpatterns = [path("forgotten/", forgotten), path("opened/", opened)]


@pytest.mark.django_db
def test_a_view_is_closed_unless_it_says_otherwise(rep: User, settings: Settings) -> None:
    settings.ROOT_URLCONF, settings.LOGIN_URL = __name__, "/login/"
    client = Client()
    answer = client.get("/forgotten/")
    assert (answer.status_code, answer.headers["Location"]) == (302, "/login/?next=/forgotten/")
    assert client.get("/opened/").content == b"for all"
    client.force_login(rep, backend="allauth.account.auth_backends.AuthenticationBackend")
    assert client.get("/forgotten/").content == b"a secret"
