"""Lessons as work that is owed; those that have their chapters are done."""

from __future__ import annotations

from typing import Any

import django.utils.timezone
from django.db import migrations, models


def know_what_is_done(apps: Any, schema_editor: Any) -> None:
    """Until now the chapters said so by themselves."""
    apps.get_model("diplomacy", "AllianceLesson").objects.exclude(done_at=None).update(state="done")


class Migration(migrations.Migration):
    dependencies = [("diplomacy", "0003_redaction_and_lessons")]

    operations = [
        migrations.AddField(
            model_name="alliancelesson", name="attempts", field=models.PositiveSmallIntegerField(default=0)
        ),
        migrations.AddField(
            model_name="alliancelesson", name="cancel", field=models.BooleanField(default=False)
        ),
        migrations.AddField(
            model_name="alliancelesson", name="done", field=models.PositiveIntegerField(default=0)
        ),
        migrations.AddField(
            model_name="alliancelesson",
            name="heartbeat_at",
            field=models.DateTimeField(default=django.utils.timezone.now),
        ),
        migrations.AddField(
            model_name="alliancelesson", name="lease", field=models.CharField(blank=True, max_length=32)
        ),
        migrations.AddField(
            model_name="alliancelesson", name="reason", field=models.CharField(blank=True, max_length=300)
        ),
        migrations.AddField(
            model_name="alliancelesson",
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
        migrations.AddField(
            model_name="alliancelesson", name="total", field=models.PositiveIntegerField(default=0)
        ),
        migrations.RunPython(know_what_is_done, migrations.RunPython.noop),
        migrations.AddConstraint(
            model_name="alliancelesson",
            constraint=models.CheckConstraint(
                condition=models.Q(("state__in", ["waiting", "running", "done", "failed", "cancelled"])),
                name="alliance_lesson_state_known",
            ),
        ),
    ]
