"""Links to watch by named their player whatever their column said; now that it is asked, those made before go on as they were."""

from __future__ import annotations

from django.db import migrations
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations.state import StateApps


def name(apps: StateApps, editor: BaseDatabaseSchemaEditor) -> None:
    """What such a link showed when it was made."""
    apps.get_model("coaching", "SpectatorLink").objects.filter(scope__in=["watch", "coach", "replay"]).update(
        named=True
    )


class Migration(migrations.Migration):
    dependencies = [("coaching", "0019_shared_debriefs")]

    operations = [migrations.RunPython(name, migrations.RunPython.noop, elidable=True)]
