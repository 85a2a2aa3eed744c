"""Exports of personal data as work that is owed; those that lie ready are done."""

from __future__ import annotations

from typing import Any

import django.utils.timezone
from django.conf import settings
from django.db import migrations, models


def know_what_is_done(apps: Any, schema_editor: Any) -> None:
    """Until now an archive that lay there said so by itself."""
    apps.get_model("coaching", "DataExport").objects.exclude(ready_at=None).update(state="done")


class Migration(migrations.Migration):
    dependencies = [
        ("coaching", "0017_owed_champions"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.AddField(
            model_name="dataexport", name="attempts", field=models.PositiveSmallIntegerField(default=0)
        ),
        migrations.AddField(model_name="dataexport", name="cancel", field=models.BooleanField(default=False)),
        migrations.AddField(
            model_name="dataexport", name="done", field=models.PositiveIntegerField(default=0)
        ),
        migrations.AddField(
            model_name="dataexport",
            name="heartbeat_at",
            field=models.DateTimeField(default=django.utils.timezone.now),
        ),
        migrations.AddField(
            model_name="dataexport", name="lease", field=models.CharField(blank=True, max_length=32)
        ),
        migrations.AddField(
            model_name="dataexport", name="reason", field=models.CharField(blank=True, max_length=300)
        ),
        migrations.AddField(
            model_name="dataexport",
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
            model_name="dataexport", name="total", field=models.PositiveIntegerField(default=0)
        ),
        migrations.RunPython(know_what_is_done, migrations.RunPython.noop),
        migrations.AddConstraint(
            model_name="dataexport",
            constraint=models.CheckConstraint(
                condition=models.Q(("state__in", ["waiting", "running", "done", "failed", "cancelled"])),
                name="export_state_known",
            ),
        ),
    ]
