"""The model server's page."""

from django.urls import path, re_path

from negotiation.serving import views

urlpatterns = [
    path("models/", views.server_page, name="model-server"),
    path("models/now/", views.server_now, name="model-server-now"),
    path("models/adapters/", views.adapter_add, name="adapter-add"),
    re_path(
        r"^models/adapters/(?P<adapter_id>\d+)/(?P<action>load|offer|withdraw|unload)/$",
        views.adapter_act,
        name="adapter-act",
    ),
]
