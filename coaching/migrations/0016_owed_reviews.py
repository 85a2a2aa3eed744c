"""Reviews as work that is owed: whose it is, how often it was taken, why it failed. The old columns keep their names."""

from __future__ import annotations

import django.utils.timezone
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("coaching", "0015_redactions_to_their_tables"), ("negotiation", "0006_tables")]

    operations = [
        migrations.RemoveConstraint(model_name="movereview", name="review_status_known"),
        migrations.RemoveConstraint(model_name="movereview", name="review_done_has_data"),
        migrations.RemoveIndex(model_name="movereview", name="review_by_status"),
        migrations.AlterField(
            model_name="movereview",
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
        migrations.RenameField(model_name="movereview", old_name="status", new_name="state"),
        migrations.AlterField(
            model_name="movereview",
            name="updated_at",
            field=models.DateTimeField(db_column="updated_at", default=django.utils.timezone.now),
        ),
        migrations.RenameField(model_name="movereview", old_name="updated_at", new_name="heartbeat_at"),
        migrations.AddField(
            model_name="movereview", name="attempts", field=models.PositiveSmallIntegerField(default=0)
        ),
        migrations.AddField(model_name="movereview", name="cancel", field=models.BooleanField(default=False)),
        migrations.AddField(
            model_name="movereview", name="lease", field=models.CharField(blank=True, max_length=32)
        ),
        migrations.AddField(
            model_name="movereview", name="reason", field=models.CharField(blank=True, max_length=300)
        ),
        migrations.AlterField(
            model_name="movereview", name="done", field=models.PositiveIntegerField(default=0)
        ),
        migrations.AlterField(
            model_name="movereview", name="total", field=models.PositiveIntegerField(default=0)
        ),
        migrations.AddIndex(
            model_name="movereview",
            index=models.Index(fields=["state", "heartbeat_at"], name="review_by_status"),
        ),
        migrations.AddConstraint(
            model_name="movereview",
            constraint=models.CheckConstraint(
                condition=models.Q(("state__in", ["waiting", "running", "done", "failed", "cancelled"])),
                name="review_status_known",
            ),
        ),
        migrations.AddConstraint(
            model_name="movereview",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("data__isnull", False), ("state", "done")),
                    models.Q(("state", "done"), _negated=True),
                    _connector="OR",
                ),
                name="review_done_has_data",
            ),
        ),
    ]
