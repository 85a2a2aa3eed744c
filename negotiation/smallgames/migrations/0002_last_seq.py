"""How far a match's log goes is called as at every table."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("smallgames", "0001_initial")]

    operations = [
        migrations.RenameField(model_name="smallmatch", old_name="rows", new_name="last_seq"),
        migrations.AlterField(
            model_name="smallmatch", name="last_seq", field=models.PositiveIntegerField(default=0)
        ),
    ]
