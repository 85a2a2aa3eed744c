"""The pages of the data room, and of training."""

from django.urls import path, re_path

from trainer.flywheel.views import compare, datasets, generations, imports, room, runs, schedule

urlpatterns = [
    path("", room.trainer, name="trainer"),
    path("runs/", runs.runs, name="training-runs"),
    path("runs/new/", runs.run_new, name="training-run-new"),
    path("runs/<uuid:run_id>/", runs.run_page, name="training-run"),
    path("runs/<uuid:run_id>/now/", runs.run_now, name="training-run-now"),
    path("runs/<uuid:run_id>/cancel/", runs.run_cancel, name="training-run-cancel"),
    path("runs/<uuid:run_id>/resume/", runs.run_resume, name="training-run-resume"),
    path("runs/<uuid:run_id>/judge/", generations.run_judge, name="training-run-judge"),
    re_path(
        r"^runs/(?P<run_id>[0-9a-f-]{36})/(?P<action>promote|hold)/$",
        generations.gate_decide,
        name="gate-decide",
    ),
    path("compare/", compare.runs_compare, name="training-runs-compare"),
    path("schedule/", schedule.schedule, name="schedule"),
    path("schedule/<int:row_id>/", schedule.schedule_change, name="schedule-change"),
    path("generations/", generations.generations, name="generations"),
    path("generations/<int:number>/back/", generations.roll_back, name="generation-back"),
    path("generations/<int:number>/deals/", generations.teachers, name="generation-deals"),
    path("data/", room.room, name="data-room"),
    path("data/deals/", room.episodes, name="data-deals"),
    path("data/deals/<uuid:episode_id>/", room.episode_page, name="data-deal"),
    path("data/deals/<uuid:episode_id>/exclude/", room.episode_exclude, name="data-deal-exclude"),
    path("data/deals/<uuid:episode_id>/include/", room.episode_include, name="data-deal-include"),
    path("data/withdrawn/", room.withdrawn, name="data-withdrawn"),
    path("data/datasets/new/", datasets.dataset_new, name="dataset-new"),
    path("data/datasets/<int:dataset_id>/", datasets.dataset, name="dataset"),
    re_path(
        r"^data/datasets/(?P<dataset_id>\d+)/(?P<split>train|validation)\.jsonl$",
        datasets.dataset_take,
        name="dataset-take",
    ),
    path("data/datasets/<int:dataset_id>/card.json", datasets.dataset_card, name="dataset-card"),
    path("data/imports/new/", imports.import_new, name="import-new"),
    path("data/imports/<int:import_id>/", imports.import_page, name="import"),
    path("data/imports/<int:import_id>/take/", imports.import_take, name="import-take"),
]
