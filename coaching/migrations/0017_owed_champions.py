"""Champions in a chair as work that is owed. The old columns keep their names; who was away has failed, and why."""

from __future__ import annotations

from typing import Any

import django.utils.timezone
from django.db import migrations, models


def name_who_was_away(apps: Any, schema_editor: Any) -> None:
    """What was a state of its own is a reason now."""
    replays = apps.get_model("coaching", "ChampionReplay").objects
    replays.filter(state="away").update(state="failed", reason="away")


class Migration(migrations.Migration):
    dependencies = [("coaching", "0016_owed_reviews"), ("negotiation", "0007_owed_previews")]

    operations = [
        migrations.RemoveConstraint(model_name="championreplay", name="champion_replay_status_known"),
        migrations.RemoveConstraint(model_name="championreplay", name="champion_replay_done_has_data"),
        migrations.RemoveIndex(model_name="championreplay", name="champion_replay_by_status"),
        migrations.AlterField(
            model_name="championreplay",
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
        migrations.RenameField(model_name="championreplay", old_name="status", new_name="state"),
        migrations.AlterField(
            model_name="championreplay",
            name="updated_at",
            field=models.DateTimeField(db_column="updated_at", default=django.utils.timezone.now),
        ),
        migrations.RenameField(model_name="championreplay", old_name="updated_at", new_name="heartbeat_at"),
        migrations.AddField(
            model_name="championreplay", name="attempts", field=models.PositiveSmallIntegerField(default=0)
        ),
        migrations.AddField(
            model_name="championreplay", name="cancel", field=models.BooleanField(default=False)
        ),
        migrations.AddField(
            model_name="championreplay", name="done", field=models.PositiveIntegerField(default=0)
        ),
        migrations.AddField(
            model_name="championreplay", name="lease", field=models.CharField(blank=True, max_length=32)
        ),
        migrations.AddField(
            model_name="championreplay", name="reason", field=models.CharField(blank=True, max_length=300)
        ),
        migrations.AddField(
            model_name="championreplay", name="total", field=models.PositiveIntegerField(default=0)
        ),
        migrations.RunPython(name_who_was_away, migrations.RunPython.noop),
        migrations.AddIndex(
            model_name="championreplay",
            index=models.Index(fields=["state", "heartbeat_at"], name="champion_replay_by_status"),
        ),
        migrations.AddConstraint(
            model_name="championreplay",
            constraint=models.CheckConstraint(
                condition=models.Q(("state__in", ["waiting", "running", "done", "failed", "cancelled"])),
                name="champion_replay_status_known",
            ),
        ),
        migrations.AddConstraint(
            model_name="championreplay",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("data__isnull", False), ("state", "done")),
                    models.Q(("state", "done"), _negated=True),
                    _connector="OR",
                ),
                name="champion_replay_done_has_data",
            ),
        ),
    ]
