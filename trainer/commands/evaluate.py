"""``evaluate``: players on held-out deals, the same with the same luck, every figure with its interval.

A player is a reference strategy (``expert``), or a model: ``NAME=BASE`` or ``NAME=BASE+ADAPTER``, folders both.
"""

from __future__ import annotations

from pathlib import Path

from negotiation.engine.deal.selfplay import STRATEGIES
from trainer import settings
from trainer.commands.arguments import parser, show
from trainer.errors import BadInput
from trainer.evaluation import run as evaluations
from trainer.evaluation.players import NamedPlayer, Scripted
from trainer.evaluation.run import EvaluationSettings
from trainer.reports import evaluation, page
from trainer.runs import Run


def run(argv: list[str]) -> int:
    """Run the command."""
    arguments = parser("evaluate", __doc__ or "", "var/runs/evaluation")
    arguments.add_argument(
        "players", nargs="+", help="strategies, or NAME=BASE[+ADAPTER]; the first is the baseline"
    )
    arguments.add_argument("--episodes", type=int, help="of each player, instead of the settings'")
    arguments.add_argument(
        "--style", choices=("brief", "full"), help="how models read, instead of the settings'"
    )
    arguments.add_argument(
        "--guarded",
        action="store_true",
        help="close off moves beyond the own limit, as when models play people",
    )
    arguments.add_argument(
        "--tests", action="store_true", help="also test anchoring and exploitability (models only)"
    )
    given = arguments.parse_args(argv)
    asked = {"episodes": given.episodes, "style": given.style, "guarded": given.guarded or None}
    changes = {name: value for name, value in asked.items() if value is not None}
    wanted = settings.load(EvaluationSettings, given.config, changes)
    made = Run(given.output, "evaluate", wanted, given.seed, resume=given.resume)
    players = [player(text, wanted, given.seed) for text in given.players]
    if len({each.name for each in players}) < len(players):
        raise BadInput("every player needs a name of its own")
    table, _ = evaluations.evaluate(players, wanted, given.seed, players[0].name)
    if given.tests:
        from trainer.evaluation import trials

        table["trials"] = {each.name: trials.of(each, wanted, given.seed) for each in players}
    evaluations.write(table, given.output)
    shown = page.Report(
        "Evaluation", "Held-out deals, the same with the same luck for all.", evaluation.parts(table)
    )
    page.write(shown, given.output / "evaluation.html")
    made.log(kind="evaluate", step=0, players=table["players"])
    made.finish(players=table["players"])
    show(table, as_json=given.json)
    return 0


def player(text: str, wanted: EvaluationSettings, seed: int) -> NamedPlayer:
    """A player by its description."""
    if "=" not in text:
        if text not in STRATEGIES:
            raise BadInput(
                f"{text!r} is neither a strategy ({', '.join(STRATEGIES)}) nor NAME=BASE[+ADAPTER]"
            )
        return Scripted(text)
    name, _, where = text.partition("=")
    base, _, adapter = where.partition("+")
    if not Path(base).is_dir() or (adapter and not Path(adapter).is_dir()):
        raise BadInput(f"{where}: there is no such folder")
    from trainer.learning.player import ModelPlayer
    from trainer.learning.policy import load
    from trainer.learning.recipes import fix_threads

    fix_threads()
    policy = load(Path(base), Path(adapter) if adapter else None)
    return ModelPlayer.of(name, policy, wanted, seed)
