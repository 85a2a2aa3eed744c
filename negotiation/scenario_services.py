"""Writes of the scenario editor: drafts, versions, publishing, previews."""

from __future__ import annotations

import functools
from typing import Any

from django.db import transaction
from django.db.models import Max

from accounts.models import User
from negotiation import catalogue
from negotiation.engine.deal import ScenarioError
from negotiation.engine.deal.scenario_file import SCENARIO_DIR
from negotiation.models import AuthoredScenario, ScenarioPreview, ScenarioVersion
from negotiation.scenario_checks import text_with_id
from negotiation.scenario_limits import check_apart
from owed import services as owed
from owed.kinds import Work, register


class ScenarioRefused(ValueError):
    """What was asked for can't be done now; the message is for the author."""


def scenario_create(*, slug: str, start_from: str, author: User | None) -> AuthoredScenario:
    """A new draft, copied from a scenario that ships."""
    if slug in catalogue.shipped():
        raise ScenarioRefused(f"{slug} is a scenario that ships. Choose another id.")
    if AuthoredScenario.objects.filter(slug=slug).exists():
        raise ScenarioRefused(f"There is a scenario {slug} already. Choose another id.")
    text = shipped_text(start_from)
    return AuthoredScenario.objects.create(slug=slug, draft=text_with_id(text, slug), author=author)


def shipped_text(scenario_id: str) -> str:
    """The file of a scenario that ships."""
    for path in SCENARIO_DIR.glob(f"*_{scenario_id}.toml"):
        if path.stem.partition("_")[2] == scenario_id:
            return path.read_text(encoding="utf-8")
    raise ScenarioRefused(f"{scenario_id} is not a scenario that ships.")


def draft_save(*, authored: AuthoredScenario, text: str) -> None:
    """Keep the text as it stands, right or wrong. Players see nothing of it."""
    authored.draft = text.replace("\r\n", "\n")
    authored.save(update_fields=["draft", "updated_at"])


def draft_restore(*, authored: AuthoredScenario, number: int, author: User | None) -> None:
    """Bring an earlier version back into the editor. What stood there is kept as a version of its own."""
    version = authored.versions.filter(number=number).first()
    if version is None:
        raise ScenarioRefused(f"There is no version {number}.")
    if authored.draft.strip():
        try:
            version_take(authored=authored, author=author)
        except ScenarioError as error:
            raise ScenarioRefused(
                f"Version {number} was not brought back: the present text has things to mend, so it is not kept as "
                "a version and would be lost. Empty the editor first if you don't need it."
            ) from error
    draft_save(authored=authored, text=version.text)


@transaction.atomic
def version_take(*, authored: AuthoredScenario, author: User | None) -> ScenarioVersion:
    """The version of the present draft: the one that says the same, or a new one.

    Raises:
        ScenarioError: when the draft can't be played.
    """
    AuthoredScenario.objects.select_for_update().get(pk=authored.pk)
    checked = check_apart(authored.draft, authored.slug)
    if checked.problems:
        raise ScenarioError(authored.slug, checked.problems)
    same = authored.versions.filter(text=authored.draft).first()
    if same is not None:
        return same
    latest = authored.versions.aggregate(latest=Max("number"))["latest"] or 0
    return ScenarioVersion.objects.create(
        scenario=authored, number=latest + 1, text=authored.draft, author=author
    )


@transaction.atomic
def scenario_publish(*, authored: AuthoredScenario, author: User | None) -> ScenarioVersion:
    """From now on new deals are dealt from the present draft. Running ones stay on what they have."""
    version = version_take(authored=authored, author=author)
    authored.published = version
    authored.save(update_fields=["published", "updated_at"])
    return version


def scenario_unpublish(*, authored: AuthoredScenario) -> None:
    """No new deals; games that were started are played to their end."""
    authored.published = None
    authored.save(update_fields=["published", "updated_at"])


@transaction.atomic
def preview_request(*, authored: AuthoredScenario, author: User | None) -> ScenarioPreview:
    """Have a worker play the present draft. A preview that is under way is not started twice."""
    version = version_take(authored=authored, author=author)
    preview = owed.ask(ScenarioPreview, version=version)
    owed.again(preview, even_done=True, result=None)
    return preview


def _preview(row: ScenarioPreview) -> dict[str, Any]:
    # NumPy and the games are the worker's business; the web process has no need of them here.
    from negotiation.scenario_preview import preview

    version = ScenarioVersion.objects.select_related("scenario").get(preview__pk=row.pk)
    return {"result": preview(catalogue.of_version(version), functools.partial(owed.progress, row))}


PREVIEW = register(Work("preview", ScenarioPreview, _preview))
