"""Episodes (one deal, or one transcript from elsewhere), datasets of them, and what datasets were used for.

A file beside the database holds the examples of an episode; its row says whether they count, and the checksum that
the file must have. Where the two disagree the row is right.
"""

from __future__ import annotations

import uuid
from typing import Any, ClassVar, NoReturn

from django.conf import settings
from django.db import models
from django.db.models import Q

from negotiation.models import Game

KNOWN_SEATS = [("seller", "Seller"), ("buyer", "Buyer")]


class TranscriptImport(models.Model):
    """Transcripts that somebody brought from elsewhere: the file as it came, how to read it, and on what grounds.

    ``sha256`` is that of the file, so that one file comes in once. ``mapping`` says which column is what. Taking it
    in twice takes what the first time left out.
    """

    class Consent(models.TextChoices):
        """On what grounds the words of the people in it may be used."""

        WRITTEN = "written", "They agreed to training use, in writing"
        PUBLISHED = "published", "Published for such use, under the licence named"
        INVENTED = "invented", "Nobody: the talks are invented or simulated"

    name = models.CharField(max_length=80, unique=True)
    origin = models.CharField(max_length=300)
    licence = models.CharField(max_length=120)
    consent = models.CharField(max_length=10, choices=Consent.choices)
    filename = models.CharField(max_length=200)
    sha256 = models.CharField(max_length=64, unique=True)
    mapping = models.JSONField(default=dict)
    by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)
    taken_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["-created_at", "-id"]
        constraints = [
            models.CheckConstraint(
                condition=Q(consent__in=["written", "published", "invented"]), name="import_consent_known"
            ),
            models.CheckConstraint(condition=Q(origin__gt="", licence__gt=""), name="import_has_provenance"),
        ]

    def __str__(self) -> str:
        return self.name


class Episode(models.Model):
    """One conversation and what became of it. There is one for each game, and one for each transcript.

    ``person`` is a key that stands for the player and leads back to nobody outside this database. ``signature`` is
    the outline by which near-duplicates are found, and ``compared`` says that those before it are noted as ``Twin``. A
    withdrawn episode keeps its figures, so that what was trained on it can be named, and has no words, no outline and no
    twins any more.
    """

    class Source(models.TextChoices):
        """Where it comes from."""

        GAME = "game", "Played here"
        IMPORT = "import", "Brought from elsewhere"

    class State(models.TextChoices):
        """Refused was looked at and is no example; withdrawn was one, and its words are deleted."""

        TAKEN = "taken", "Taken"
        EXCLUDED = "excluded", "Left out"
        REFUSED = "refused", "No example"
        WITHDRAWN = "withdrawn", "Withdrawn"

    class Why(models.TextChoices):
        """Why an episode is no example, or is one no more. Left out by hand has words of its own."""

        BREACH = "breach", "The player went beyond their limit"
        REPLAY = "replay", "It replays differently on this engine"
        UNSAYABLE = "unsayable", "The protocol can say none of its moves"
        CONSENT = "consent", "The player took the consent back"
        REDACTED = "redacted", "The words of the deal were deleted"
        ACCOUNT = "account", "The account was deleted"
        HAND = "hand", "Left out by hand"

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    source = models.CharField(max_length=6, choices=Source.choices)
    game = models.OneToOneField(Game, on_delete=models.PROTECT, null=True, blank=True, related_name="episode")
    brought = models.ForeignKey(
        TranscriptImport, on_delete=models.PROTECT, null=True, blank=True, related_name="episodes"
    )
    conversation = models.CharField(max_length=80, blank=True)
    state = models.CharField(max_length=9, choices=State.choices)
    why = models.CharField(max_length=9, choices=Why.choices, blank=True)
    note = models.CharField(max_length=300, blank=True)
    decided_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, blank=True, related_name="+"
    )
    person = models.CharField(max_length=16, blank=True)
    scenario = models.CharField(max_length=64)
    persona = models.CharField(max_length=64, blank=True)
    opponent = models.CharField(max_length=10, blank=True)
    opponent_model = models.CharField(max_length=200, blank=True)
    seat = models.CharField(max_length=8, choices=KNOWN_SEATS)
    efficiency = models.FloatField(null=True, blank=True)
    beat_model = models.BooleanField(default=False)
    schema = models.PositiveSmallIntegerField()
    records = models.PositiveSmallIntegerField(default=0)
    file = models.CharField(max_length=120, blank=True)
    sha256 = models.CharField(max_length=64, blank=True)
    signature = models.BinaryField(null=True, blank=True)
    compared = models.BooleanField(default=False)
    created_at = models.DateTimeField(auto_now_add=True)
    changed_at = models.DateTimeField(auto_now=True)

    class Meta:
        ordering = ["-created_at", "-id"]
        indexes = [models.Index(fields=["state", "-created_at"], name="episode_by_state")]
        constraints = [
            models.CheckConstraint(
                condition=Q(source="game", game__isnull=False, brought=None)
                | Q(source="import", game=None, brought__isnull=False, conversation__gt=""),
                name="episode_of_one_source",
            ),
            models.UniqueConstraint(fields=["brought", "conversation"], name="episode_one_per_conversation"),
            models.CheckConstraint(
                condition=Q(state__in=["taken", "excluded"], file__gt="", sha256__gt="", records__gte=1)
                | Q(state__in=["refused", "withdrawn"], signature=None),
                name="episode_counts_with_a_file",
            ),
            models.CheckConstraint(
                condition=Q(state="taken", why="") | (~Q(state="taken") & Q(why__gt="")),
                name="episode_has_reason",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.source} {self.game_id or self.conversation} ({self.state})"

    @property
    def key(self) -> str:
        """The name of the episode in files."""
        if self.source == self.Source.GAME:
            return f"game-{self.game_id}"
        return f"import-{self.brought_id}-{self.conversation}"


class Twin(models.Model):
    """Two episodes that say nearly the same, each pair once. ``likeness`` is the share of their outlines that agrees."""

    one = models.ForeignKey(Episode, on_delete=models.CASCADE, related_name="+")
    other = models.ForeignKey(Episode, on_delete=models.CASCADE, related_name="+")
    likeness = models.FloatField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["one", "other"], name="twins_once"),
            models.CheckConstraint(condition=Q(one__lt=models.F("other")), name="twins_in_order"),
        ]

    def __str__(self) -> str:
        return f"{self.one_id} and {self.other_id} ({self.likeness:.2f})"


class RowIsKept(TypeError):
    """Someone tried to change or delete a row that others refer to as it was: a dataset, a decision."""


class KeptQuerySet(models.QuerySet[Any]):
    """Reads and appends."""

    def update(self, **kwargs: Any) -> NoReturn:
        """Refused."""
        raise RowIsKept(f"a {self.model._meta.verbose_name} never changes")

    def delete(self) -> NoReturn:
        """Refused."""
        raise RowIsKept(f"a {self.model._meta.verbose_name} is kept")


class KeptForGood(models.Model):
    """A row that is appended once, and neither changed nor deleted."""

    objects: ClassVar[models.Manager[Any]] = KeptQuerySet.as_manager()

    class Meta:
        abstract = True

    def save(self, *args: Any, **kwargs: Any) -> None:
        """Append; what exists is never written again."""
        if not self._state.adding:
            raise RowIsKept(f"a {self._meta.verbose_name} never changes")
        super().save(*args, **kwargs)

    def delete(self, *args: Any, **kwargs: Any) -> NoReturn:
        """Refused."""
        raise RowIsKept(f"a {self._meta.verbose_name} is kept")


class Dataset(KeptForGood):
    """Episodes chosen at one moment. It never changes; ``sha256`` is that of its list of files and checksums.

    ``card`` sums it up as it was when it was frozen. ``style`` is how a model reads: ``brief`` or ``full``.
    """

    name = models.CharField(max_length=80, unique=True)
    note = models.CharField(max_length=300, blank=True)
    style = models.CharField(max_length=5, choices=[("brief", "Brief"), ("full", "Full")])
    filters = models.JSONField()
    card = models.JSONField()
    sha256 = models.CharField(max_length=64)
    by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+")
    frozen_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["-frozen_at", "-id"]
        constraints = [
            models.CheckConstraint(condition=Q(style__in=["brief", "full"]), name="dataset_style_known")
        ]

    def __str__(self) -> str:
        return self.name


class DatasetEntry(KeptForGood):
    """One episode in a dataset, with the checksum that its file had, and the side of the split that it is on."""

    dataset = models.ForeignKey(Dataset, on_delete=models.PROTECT, related_name="entries")
    episode = models.ForeignKey(Episode, on_delete=models.PROTECT, related_name="entries")
    sha256 = models.CharField(max_length=64)
    split = models.CharField(max_length=10, choices=[("train", "Train"), ("validation", "Validation")])

    class Meta:
        ordering = ["id"]
        constraints = [
            models.UniqueConstraint(fields=["dataset", "episode"], name="dataset_holds_an_episode_once"),
            models.CheckConstraint(condition=Q(split__in=["train", "validation"]), name="entry_split_known"),
        ]

    def __str__(self) -> str:
        return f"{self.episode_id} in {self.dataset}"


class DatasetUse(models.Model):
    """A dataset was handed out: taken away as a file, or given to a training run, and what came of that.

    With the entries of the dataset this answers which models learnt from which deal. ``run`` names the run's folder
    or the file; ``adapter`` the weights that came of it, once there are any.
    """

    class Kind(models.TextChoices):
        """Who got it."""

        DOWNLOAD = "download", "Taken away as a file"
        RUN = "run", "A training run"

    dataset = models.ForeignKey(Dataset, on_delete=models.PROTECT, related_name="uses")
    kind = models.CharField(max_length=8, choices=Kind.choices)
    run = models.CharField(max_length=300, blank=True)
    adapter = models.CharField(max_length=64, blank=True)
    by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+")
    at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["-at", "-id"]
        constraints = [
            models.CheckConstraint(condition=Q(kind__in=["download", "run"]), name="use_kind_known"),
            models.CheckConstraint(condition=~Q(kind="run") | Q(run__gt=""), name="use_run_is_named"),
        ]

    def __str__(self) -> str:
        return f"{self.dataset}: {self.kind} {self.run}"
