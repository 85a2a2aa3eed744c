"""Every page of the house. Health, readiness and metrics are answered in ``parlay_web.probes``."""

from django.conf import settings
from django.contrib import admin
from django.urls import include, path

from accounts.second_factor_views import page as second_factor
from accounts.views import admin_login, join, password_reset, signup
from parlay_web import views
from parlay_web.api import api

urlpatterns = [
    path("", views.home, name="home"),
    path("", include("negotiation.urls")),
    path("", include("negotiation.serving.urls")),
    *(path("", include(f"{game}.urls")) for game in settings.SIDE_GAMES),
    path("", include("coaching.urls")),
    path("trainer/", include("trainer.flywheel.urls")),
    path("", include("trainer.flywheel.public_urls")),
    path("join/<str:token>/", join, name="join"),
    path("account/second-factor/", second_factor, name="second-factor"),
    path("accounts/signup/", signup, name="account_signup"),
    path("accounts/password/reset/", password_reset, name="account_reset_password"),
    path("accounts/", include("allauth.urls")),
    path("admin/login/", admin_login),
    path("admin/", admin.site.urls),
    path("api/", api.urls),
]

handler403 = "parlay_web.views.forbidden"
handler404 = "parlay_web.views.not_found"
handler500 = "parlay_web.views.server_error"
