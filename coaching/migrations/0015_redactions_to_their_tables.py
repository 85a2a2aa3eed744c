"""What was taken out of logs is noted beside the logs, by each kind of game; lessons of Diplomacy lie with Diplomacy.

A kind of game that this house does without has neither.
"""

from typing import Any

from django.apps import apps as installed
from django.db import migrations

COALITIONS = installed.is_installed("negotiation.coalitions")
DIPLOMACY = installed.is_installed("negotiation.diplomacy")
KEPT = ("reason", "by_id", "rows", "at")


def move(apps: Any, schema_editor: Any) -> None:
    """Row by row, each with the moment at which it was written."""
    old = apps.get_model("coaching", "Redaction")
    targets = [("game", apps.get_model("negotiation", "Redaction"))]
    if COALITIONS:
        targets.append(("coalition", apps.get_model("coalitions", "CoalitionRedaction")))
    for field, new in targets:
        for row in old.objects.exclude(**{field: None}):
            moved = new.objects.create(
                table_id=getattr(row, f"{field}_id"), reason=row.reason, by_id=row.by_id, rows=row.rows
            )
            new.objects.filter(pk=moved.pk).update(at=row.at)


class Migration(migrations.Migration):
    dependencies = [
        ("coaching", "0014_champion"),
        ("negotiation", "0006_tables"),
        *([("coalitions", "0003_redaction")] if COALITIONS else []),
    ]

    operations = [
        migrations.RunPython(move),
        migrations.DeleteModel(name="Redaction"),
        *(
            [
                migrations.SeparateDatabaseAndState(
                    database_operations=[
                        migrations.AlterModelTable(name="AllianceLesson", table="diplomacy_alliancelesson")
                    ],
                    state_operations=[migrations.DeleteModel(name="AllianceLesson")],
                )
            ]
            if DIPLOMACY
            else []
        ),
    ]
