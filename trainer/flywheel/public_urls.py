"""What everybody may see of the loop."""

from django.urls import path

from trainer.flywheel.views import generations

urlpatterns = [
    path("loop/", generations.loop_page, name="loop"),
    path("generations/<int:number>/", generations.certificate, name="certificate"),
]
