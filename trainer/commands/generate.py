"""``generate``: a dataset of self-play, or of people's transcripts."""

from __future__ import annotations

from pathlib import Path

from trainer import settings
from trainer.commands.arguments import parser, show
from trainer.domains.deal import files, transcripts
from trainer.domains.deal.selfplay import DataSettings
from trainer.errors import BadInput
from trainer.runs import Run


def run(argv: list[str]) -> int:
    """Run the command."""
    arguments = parser("generate", __doc__ or "", "var/runs/data")
    arguments.add_argument("--episodes", type=int, help="games to play, instead of the settings'")
    arguments.add_argument(
        "--transcripts", type=Path, help="people's transcripts, CSV or JSONL, instead of self-play"
    )
    arguments.add_argument(
        "--mapping", type=Path, help="TOML: what the transcripts' columns mean, and their licence"
    )
    arguments.add_argument(
        "--dry-run", action="store_true", help="say what would be imported, and write nothing"
    )
    given = arguments.parse_args(argv)
    if given.transcripts is not None:
        if given.mapping is None:
            raise BadInput("--transcripts needs --mapping")
        found = transcripts.read(given.transcripts, given.mapping)
        if not given.dry_run:
            transcripts.write(
                found, Run(given.output, "generate", found.mapping, given.seed, resume=given.resume)
            )
        show(found.card(), as_json=given.json)
        return 0
    changes = {} if given.episodes is None else {"episodes": given.episodes}
    wanted = settings.load(DataSettings, given.config, changes)
    made = Run(given.output, "generate", wanted, given.seed, resume=given.resume)
    card = files.generate(wanted, given.seed, made)
    made.finish(kept=card["kept"])
    show(card, as_json=given.json)
    return 0
