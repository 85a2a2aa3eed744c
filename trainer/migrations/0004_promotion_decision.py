"""A decision about a promotion bears its whole name: other rooms decide, too."""

from __future__ import annotations

from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("trainer", "0003_promotion")]

    operations = [migrations.RenameModel("Decision", "PromotionDecision")]
