"""``gate``: judge a model against the champion on held-out deals: gain, validity, exploitability, guard."""

from __future__ import annotations

import json
from pathlib import Path

from trainer import settings
from trainer.commands.arguments import parser, show
from trainer.errors import BadInput
from trainer.evaluation import gate
from trainer.evaluation.gate import GateSettings
from trainer.runs import Progress, Run


def run(argv: list[str]) -> int:
    """Run the command."""
    arguments = parser("gate", __doc__ or "", "var/runs/gate")
    arguments.add_argument("--base", type=Path, required=True, help="the model that both stand on: a folder")
    arguments.add_argument("--adapter", type=Path, required=True, help="the candidate's adapter")
    arguments.add_argument("--champion", type=Path, help="the champion's adapter; without, the base itself")
    arguments.add_argument(
        "--style", choices=("brief", "full"), help="how both read, instead of the settings'"
    )
    given = arguments.parse_args(argv)
    changes = {} if given.style is None else {"measured.style": given.style}
    wanted = settings.load(GateSettings, given.config, changes)
    for folder in (given.base, given.adapter, given.champion):
        if folder is not None and not folder.is_dir():
            raise BadInput(f"{folder}: there is no such folder")
    made = Run(given.output, "gate", wanted, given.seed, resume=given.resume)
    made.cut("gate", 0)

    from trainer.learning.player import ModelPlayer
    from trainer.learning.policy import load
    from trainer.learning.recipes import fix_threads

    fix_threads()
    players = [
        ModelPlayer.of(name, load(given.base, adapter), wanted.measured, given.seed, guarded=True)
        for name, adapter in ((gate.CANDIDATE, given.adapter), (gate.CHAMPION, given.champion))
    ]

    progress = Progress("gate", gate.PARTS)

    def told(done: int, what: str) -> None:
        made.log(kind="gate", step=done - 1)
        progress.show(done, what)

    found = gate.judge(players[0], players[1], wanted, given.seed, told)
    (made.folder / "report.json").write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")
    made.finish(passed=found["passed"], report=found)
    show(found, as_json=given.json)
    return 0
