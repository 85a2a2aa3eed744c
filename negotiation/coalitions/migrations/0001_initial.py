# Deals for three and their logs.

import django.db.models.deletion
import uuid
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    initial = True

    dependencies = [
        ("accounts", "0001_initial"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="CoalitionDeal",
            fields=[
                (
                    "id",
                    models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False),
                ),
                ("scenario", models.CharField(max_length=64)),
                (
                    "seat",
                    models.CharField(
                        choices=[
                            ("seller", "Seller"),
                            ("buyer_a", "First buyer"),
                            ("buyer_b", "Second buyer"),
                        ],
                        max_length=8,
                    ),
                ),
                ("opponents", models.JSONField()),
                ("seed", models.BigIntegerField()),
                (
                    "status",
                    models.CharField(
                        choices=[("live", "Live"), ("finished", "Finished")], default="live", max_length=10
                    ),
                ),
                ("round", models.PositiveSmallIntegerField(default=1)),
                ("moves", models.PositiveSmallIntegerField(default=0)),
                ("last_seq", models.PositiveIntegerField(default=0)),
                ("formed", models.CharField(blank=True, max_length=32)),
                ("payoff", models.FloatField(blank=True, null=True)),
                ("shapley", models.FloatField(blank=True, null=True)),
                ("created_at", models.DateTimeField(auto_now_add=True)),
                ("updated_at", models.DateTimeField(auto_now=True)),
                ("finished_at", models.DateTimeField(blank=True, null=True)),
                (
                    "player",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="coalition_deals",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "team",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="coalition_deals",
                        to="accounts.team",
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="CoalitionEvent",
            fields=[
                ("id", models.BigAutoField(primary_key=True, serialize=False)),
                ("seq", models.PositiveIntegerField()),
                (
                    "type",
                    models.CharField(
                        choices=[("started", "started"), ("acted", "acted"), ("ended", "ended")],
                        max_length=16,
                    ),
                ),
                ("data", models.JSONField()),
                ("action_id", models.UUIDField(blank=True, null=True)),
                ("created_at", models.DateTimeField(auto_now_add=True)),
                (
                    "deal",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="events",
                        to="coalitions.coalitiondeal",
                    ),
                ),
            ],
            options={
                "ordering": ["deal_id", "seq"],
            },
        ),
        migrations.AddIndex(
            model_name="coalitiondeal",
            index=models.Index(fields=["player", "status", "-updated_at"], name="coalition_by_player"),
        ),
        migrations.AddConstraint(
            model_name="coalitiondeal",
            constraint=models.CheckConstraint(
                condition=models.Q(("status__in", ["live", "finished"])), name="coalition_status_known"
            ),
        ),
        migrations.AddConstraint(
            model_name="coalitiondeal",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("payoff__isnull", False), ("shapley__isnull", False), ("status", "finished")),
                    models.Q(("status", "finished"), _negated=True),
                    _connector="OR",
                ),
                name="coalition_finished_has_outcome",
            ),
        ),
        migrations.AddConstraint(
            model_name="coalitionevent",
            constraint=models.UniqueConstraint(fields=("deal", "seq"), name="coalition_event_one_per_seq"),
        ),
        migrations.AddConstraint(
            model_name="coalitionevent",
            constraint=models.UniqueConstraint(
                condition=models.Q(("action_id__isnull", False)),
                fields=("deal", "action_id"),
                name="coalition_event_one_per_action",
            ),
        ),
        migrations.AddConstraint(
            model_name="coalitionevent",
            constraint=models.CheckConstraint(
                condition=models.Q(("seq__gte", 1)), name="coalition_event_seq_from_one"
            ),
        ),
        migrations.AddConstraint(
            model_name="coalitionevent",
            constraint=models.CheckConstraint(
                condition=models.Q(("type__in", ("started", "acted", "ended"))),
                name="coalition_event_type_known",
            ),
        ),
    ]
