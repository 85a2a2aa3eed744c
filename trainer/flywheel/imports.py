"""Bringing transcripts in: the file first, then how to read it, then what of it is sound. Nothing is lost on the way."""

from __future__ import annotations

import hashlib

import structlog
from django.db import transaction
from django.utils import timezone

from accounts.models import User
from negotiation.engine.deal import Scenario
from trainer.flywheel import near_duplicates, records, store, twins
from trainer.flywheel.conversations import ImportedConversation
from trainer.flywheel.import_limits import TOO_LONG, is_read_in_time
from trainer.flywheel.models import Episode, TranscriptImport
from trainer.flywheel.transcripts import ImportedFile, Mapping, guess, read, scenarios_open, table_of
from trainer.flywheel.versions import SCHEMA

log = structlog.get_logger(__name__)

UPLOADS = "imports"
FOLDER = "episodes"
MOST_BYTES = 8 * 1024 * 1024


class ImportRefused(ValueError):
    """What was asked for can't be done; the message is for the admin."""


def import_begin(
    *, name: str, origin: str, licence: str, consent: str, filename: str, content: bytes, by: User
) -> TranscriptImport:
    """Keep a file as it came, with where it is from and on what grounds it may be used.

    Raises:
        ImportRefused: for a file that is no table, too large, or here already.
    """
    if len(content) > MOST_BYTES:
        raise ImportRefused(f"A file has at most {MOST_BYTES // 1024 // 1024} MB. Split it.")
    if not is_read_in_time(content, filename):
        raise ImportRefused(TOO_LONG)
    try:
        columns, rows = table_of(content, filename)
    except ValueError as problem:
        raise ImportRefused(str(problem)) from problem
    sha256 = store.checksum(content)
    known = TranscriptImport.objects.filter(sha256=sha256).first()
    if known is not None:
        raise ImportRefused(f"This very file came in as “{known.name}” already.")
    if TranscriptImport.objects.filter(name=name).exists():
        raise ImportRefused(f"There is an import “{name}” already. Choose another name.")
    store.write(upload_of(sha256), content)
    return TranscriptImport.objects.create(
        name=name,
        origin=origin,
        licence=licence,
        consent=consent,
        filename=filename[:200],
        sha256=sha256,
        mapping=guess(columns, rows).to_json(),
        by=by,
    )


def upload_of(sha256: str) -> str:
    """Where a file is kept as it came."""
    return f"{UPLOADS}/{sha256}"


def mapping_save(*, brought: TranscriptImport, mapping: Mapping) -> None:
    """How the file is to be read. What was taken in already stays as it is."""
    brought.mapping = mapping.to_json()
    brought.save(update_fields=["mapping"])


def import_read(brought: TranscriptImport) -> ImportedFile:
    """The dry run: the file read by its mapping, line by line. Nothing is written.

    Raises:
        ImportRefused: when the file is damaged.
    """
    try:
        content = store.read(upload_of(brought.sha256), brought.sha256)
    except store.Damaged as problem:
        raise ImportRefused(f"The file is damaged: {problem}. Bring it again.") from problem
    if not is_read_in_time(content, brought.filename, brought.mapping):
        raise ImportRefused(TOO_LONG)
    return read(content, brought.filename, Mapping.from_json(brought.mapping))


def import_take(*, brought: TranscriptImport) -> tuple[int, int]:
    """Take in every sound conversation that is not in yet; how many were taken, and how many can't be.

    Each is taken by itself, so that what a crash cuts off is taken the next time, and nothing twice.
    """
    reading = import_read(brought)
    if reading.trouble:
        raise ImportRefused(" ".join(reading.trouble))
    mapping = Mapping.from_json(brought.mapping)
    scenario = scenarios_open()[mapping.scenario]
    there = set(brought.episodes.values_list("conversation", flat=True))
    taken = sum(
        _take(brought, conversation, mapping, scenario)
        for conversation in reading.sound
        if conversation.name not in there
    )
    if taken:
        brought.taken_at = timezone.now()
        brought.save(update_fields=["taken_at"])
    log.info("transcripts_taken", brought=brought.pk, conversations=taken)
    return taken, len(reading.conversations) - len(reading.sound)


def _take(
    brought: TranscriptImport, conversation: ImportedConversation, mapping: Mapping, scenario: Scenario
) -> bool:
    """One conversation: the file, then the row. False where the protocol can say nothing of it."""
    key = f"import-{brought.pk}-{_slug(conversation.name)}"
    source = {
        "kind": "import",
        "import": brought.name,
        "origin": brought.origin,
        "licence": brought.licence,
        "consent": brought.consent,
        "conversation": conversation.name,
        "scenario": mapping.scenario,
        "persona": "person",
        "seat": mapping.seat,
        "efficiency": conversation.efficiency,
    }
    found = list(records.records(key, conversation.decisions, scenario, source))
    if not found:
        return False
    written = store.write(f"{FOLDER}/import-{brought.pk}/{key}.jsonl", records.to_bytes(found))
    with transaction.atomic():
        TranscriptImport.objects.select_for_update().get(pk=brought.pk)
        episode, new = Episode.objects.get_or_create(
            brought=brought,
            conversation=conversation.name,
            defaults={
                "source": Episode.Source.IMPORT,
                "state": Episode.State.TAKEN,
                "scenario": mapping.scenario,
                "persona": "person",
                "seat": mapping.seat,
                "efficiency": conversation.efficiency,
                "schema": SCHEMA,
                "records": len(found),
                "file": written.name,
                "sha256": written.sha256,
                "signature": near_duplicates.signature(near_duplicates.pieces(found)),
            },
        )
    if new:
        twins.episode_compare(episode)
    return new


def _slug(conversation: str) -> str:
    """A name for files, whatever a conversation is called."""
    return hashlib.sha256(conversation.encode()).hexdigest()[:16]
