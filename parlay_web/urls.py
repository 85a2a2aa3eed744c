"""Every page of the house. Health, readiness and metrics are answered in ``parlay_web.probes``."""

from django.contrib import admin
from django.urls import include, path

from accounts.views import join, signup
from parlay_web import views
from parlay_web.api import api

urlpatterns = [
    path("", views.home, name="home"),
    path("", include("negotiation.urls")),
    path("", include("negotiation.coalitions.urls")),
    path("", include("negotiation.diplomacy.urls")),
    path("", include("negotiation.serving.urls")),
    path("", include("negotiation.smallgames.urls")),
    path("", include("coaching.urls")),
    path("trainer/", include("trainer.flywheel.urls")),
    path("", include("trainer.flywheel.public_urls")),
    path("join/<str:token>/", join, name="join"),
    path("accounts/signup/", signup, name="account_signup"),
    path("accounts/", include("allauth.urls")),
    path("admin/", admin.site.urls),
    path("api/", api.urls),
]

handler403 = "parlay_web.views.forbidden"
handler404 = "parlay_web.views.not_found"
handler500 = "parlay_web.views.server_error"
