"""Which files of a run were sent; and what lies in the store is named by where it lies in it, on whatever machine."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from django.conf import settings
from django.db import migrations, models


def _named(path: str) -> str:
    root = Path(settings.FLYWHEEL_DIR).resolve()
    return Path(path).relative_to(root).as_posix() if path and Path(path).is_relative_to(root) else path


def _name(apps: Any, _: Any) -> None:
    for run in apps.get_model("trainer", "TrainingRun").objects.iterator():
        made = {kind: _named(str(run.results[kind])) for kind in ("adapter", "base") if kind in run.results}
        base, results = _named(run.base), {**run.results, **made}
        if (base, results) != (run.base, run.results):
            type(run).objects.filter(pk=run.pk).update(base=base, results=results)
    for generation in apps.get_model("trainer", "Generation").objects.iterator():
        base, path = _named(generation.base), _named(generation.path)
        if (base, path) != (generation.base, generation.path):
            type(generation).objects.filter(pk=generation.pk).update(base=base, path=path)


class Migration(migrations.Migration):
    dependencies = [("trainer", "0006_twins")]

    operations = [
        migrations.AddField(
            "trainingrun",
            "kept",
            models.CharField(blank=True, default="", editable=False, max_length=64),
            preserve_default=False,
        ),
        migrations.RunPython(_name, migrations.RunPython.noop),
    ]
