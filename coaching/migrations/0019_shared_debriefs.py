"""Links that share a debrief, with or without the truth and the name."""

from __future__ import annotations

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("coaching", "0018_owed_exports")]

    operations = [
        migrations.RemoveConstraint(model_name="spectatorlink", name="link_scope_known"),
        migrations.AddField(
            model_name="spectatorlink", name="named", field=models.BooleanField(default=True)
        ),
        migrations.AlterField(
            model_name="spectatorlink",
            name="scope",
            field=models.CharField(
                choices=[
                    ("watch", "Live"),
                    ("coach", "Live with the hidden truth"),
                    ("replay", "Replay of the finished game"),
                    ("debrief", "The finished game, how it went and why"),
                    ("played", "The finished game, only what was played"),
                ],
                max_length=8,
            ),
        ),
        migrations.AddConstraint(
            model_name="spectatorlink",
            constraint=models.CheckConstraint(
                condition=models.Q(("scope__in", ["watch", "coach", "replay", "debrief", "played"])),
                name="link_scope_known",
            ),
        ),
    ]
