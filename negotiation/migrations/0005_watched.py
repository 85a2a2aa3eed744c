from django.db import migrations, models

TYPES = (
    "game_started",
    "player_moved",
    "opponent_moved",
    "answer_explained",
    "news",
    "turn_closed",
    "turn_graded",
    "whispered",
    "watched",
    "assisted",
    "game_ended",
)


class Migration(migrations.Migration):
    dependencies = [("negotiation", "0004_opponents_that_talk")]

    operations = [
        migrations.RemoveConstraint(model_name="event", name="event_type_known"),
        migrations.AlterField(
            model_name="event",
            name="type",
            field=models.CharField(choices=[(kind, kind) for kind in TYPES], max_length=16),
        ),
        migrations.AddConstraint(
            model_name="event",
            constraint=models.CheckConstraint(
                condition=models.Q(("type__in", TYPES)), name="event_type_known"
            ),
        ),
    ]
