"""Previews as work that is owed. The old columns keep their names."""

from __future__ import annotations

import django.utils.timezone
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("negotiation", "0006_tables")]

    operations = [
        migrations.RemoveConstraint(model_name="scenariopreview", name="scenario_preview_status_known"),
        migrations.RemoveConstraint(model_name="scenariopreview", name="scenario_preview_done_has_result"),
        migrations.AlterField(
            model_name="scenariopreview",
            name="status",
            field=models.CharField(
                choices=[
                    ("waiting", "Waiting"),
                    ("running", "Running"),
                    ("done", "Done"),
                    ("failed", "Failed"),
                    ("cancelled", "Cancelled"),
                ],
                db_column="status",
                default="waiting",
                max_length=10,
            ),
        ),
        migrations.RenameField(model_name="scenariopreview", old_name="status", new_name="state"),
        migrations.AlterField(
            model_name="scenariopreview",
            name="updated_at",
            field=models.DateTimeField(db_column="updated_at", default=django.utils.timezone.now),
        ),
        migrations.RenameField(model_name="scenariopreview", old_name="updated_at", new_name="heartbeat_at"),
        migrations.AddField(
            model_name="scenariopreview", name="attempts", field=models.PositiveSmallIntegerField(default=0)
        ),
        migrations.AddField(
            model_name="scenariopreview", name="cancel", field=models.BooleanField(default=False)
        ),
        migrations.AddField(
            model_name="scenariopreview", name="lease", field=models.CharField(blank=True, max_length=32)
        ),
        migrations.AddField(
            model_name="scenariopreview", name="reason", field=models.CharField(blank=True, max_length=300)
        ),
        migrations.AddConstraint(
            model_name="scenariopreview",
            constraint=models.CheckConstraint(
                condition=models.Q(("state__in", ["waiting", "running", "done", "failed", "cancelled"])),
                name="scenario_preview_status_known",
            ),
        ),
        migrations.AddConstraint(
            model_name="scenariopreview",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("result__isnull", False), ("state", "done")),
                    models.Q(("state", "done"), _negated=True),
                    _connector="OR",
                ),
                name="scenario_preview_done_has_result",
            ),
        ),
    ]
