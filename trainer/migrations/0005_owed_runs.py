"""Training runs as work that is owed like any other. The old columns keep their names; a heartbeat is never empty."""

from __future__ import annotations

from typing import Any

import django.utils.timezone
from django.db import migrations, models


def know_when_it_was_heard_of(apps: Any, schema_editor: Any) -> None:
    """A run that no worker ever took was last heard of as it was asked for."""
    runs = apps.get_model("trainer", "TrainingRun").objects
    runs.filter(heartbeat_at=None).update(heartbeat_at=models.F("created_at"))


class Migration(migrations.Migration):
    dependencies = [("trainer", "0004_promotion_decision")]

    operations = [
        migrations.AlterField(
            model_name="trainingrun",
            name="starts",
            field=models.PositiveSmallIntegerField(db_column="starts", default=0),
        ),
        migrations.RenameField(model_name="trainingrun", old_name="starts", new_name="attempts"),
        migrations.AddField(
            model_name="trainingrun", name="done", field=models.PositiveIntegerField(default=0)
        ),
        migrations.AddField(
            model_name="trainingrun", name="total", field=models.PositiveIntegerField(default=0)
        ),
        migrations.RunPython(know_when_it_was_heard_of, migrations.RunPython.noop),
        migrations.AlterField(
            model_name="trainingrun",
            name="heartbeat_at",
            field=models.DateTimeField(default=django.utils.timezone.now),
        ),
        migrations.AlterField(
            model_name="trainingrun",
            name="state",
            field=models.CharField(
                choices=[
                    ("waiting", "Waiting"),
                    ("running", "Running"),
                    ("done", "Done"),
                    ("failed", "Failed"),
                    ("cancelled", "Cancelled"),
                ],
                default="waiting",
                max_length=10,
            ),
        ),
    ]
