"""Every page of the house."""

from django.contrib import admin
from django.urls import include, path

from accounts.views import signup
from parlay_web import views
from parlay_web.api import api

urlpatterns = [
    path("", views.home, name="home"),
    path("", include("negotiation.urls")),
    path("", include("coaching.urls")),
    path("accounts/signup/", signup, name="account_signup"),
    path("accounts/", include("allauth.urls")),
    path("admin/", admin.site.urls),
    path("api/", api.urls),
    path("healthz", views.healthz, name="healthz"),
    path("readyz", views.readyz, name="readyz"),
    path("metrics", views.metrics, name="metrics"),
]

handler403 = "parlay_web.views.forbidden"
handler404 = "parlay_web.views.not_found"
handler500 = "parlay_web.views.server_error"
