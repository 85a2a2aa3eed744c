"""Near-duplicates are noted as they come; episodes of before are compared by the sweep."""

from __future__ import annotations

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("trainer", "0005_owed_runs")]

    operations = [
        migrations.AddField("episode", "compared", models.BooleanField(default=False)),
        migrations.CreateModel(
            name="Twin",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("likeness", models.FloatField()),
                (
                    "one",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="+", to="trainer.episode"
                    ),
                ),
                (
                    "other",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="+", to="trainer.episode"
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(fields=("one", "other"), name="twins_once"),
                    models.CheckConstraint(
                        condition=models.Q(("one__lt", models.F("other"))), name="twins_in_order"
                    ),
                ],
            },
        ),
    ]
