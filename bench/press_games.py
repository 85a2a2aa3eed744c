"""Games of one power that writes by a script among six envoys, through the code of the table; Django must be set up."""

from __future__ import annotations

from typing import Any, NamedTuple

from negotiation.diplomacy import conduct
from negotiation.diplomacy.sitting import Sitting, alive
from negotiation.engine.diplomacy import POWERS, opening
from negotiation.engine.diplomacy.geography import PROVINCE
from negotiation.engine.diplomacy.orders import MOVE
from negotiation.engine.diplomacy.press.messages import Tag, said
from negotiation.engine.diplomacy.press.promises import EVERYONE
from negotiation.engine.diplomacy.press.reading import read
from trainer.evaluation import intervals


class Script(NamedTuple):
    """What is written each phase."""

    words: str = ""
    to_all: bool = False
    """Once, to everybody, in place of once to each."""


SCRIPTS = {
    "silent": Script(),
    "hi": Script("hi"),
    "insult": Script("You are a fool and a coward, and your mother was a hamster."),
    "public promise": Script("Peace to all: I will not attack anybody.", to_all=True),
    "public promise of the season": Script("I will not attack anybody this season.", to_all=True),
    "refusal": Script("I refuse your non-aggression pact. Our alliance is over."),
    "private promise": Script("I will not attack you."),
}
"""Whoever promises here attacks as it would have attacked in silence."""


class Result(NamedTuple):
    """One game, as the writer has it at the end."""

    centres: int
    attacks: int
    """Moves that others ordered into its units or centres."""


def play(script: Script, power: int, seed: int, years: int) -> Result:
    """One game of the table to its end."""
    bots = {other: "dumbbot" if other == power else conduct.SPEAKS for other in range(len(POWERS))}
    sitting, seq, attacks = Sitting(opening()), 1, 0
    last_year = sitting.state.year + years - 1
    while conduct.ending(sitting, last_year) is None:
        seq += len(conduct.opened(sitting, seed, bots, seq))
        if alive(sitting.state, power):
            seq += _write(script, sitting, power, seed, bots, seq)
        state = sitting.state
        conduct.played(sitting, seed, bots)
        if state.moving:
            own = {PROVINCE[node] for node in state.units[power]} | set(state.centres(power))
            attacks += sum(
                order.kind == MOVE and PROVINCE[order.at] in own
                for other, row in enumerate(sitting.past[-1].orders)
                if other != power
                for order in row
            )
        seq += 1
    return Result(sitting.state.centre_counts()[power], attacks)


def _write(script: Script, sitting: Sitting, power: int, seed: int, bots: dict[int, str], seq: int) -> int:
    """Say what the script says; how many rows of the log that made."""
    if not script.words:
        return 0
    rows = 0
    others = [other for other in range(len(POWERS)) if other != power and alive(sitting.state, other)]
    for target in [EVERYONE] if script.to_all else others:
        message = said(sitting.state, power, target, script.words, Tag.TRUTH)
        speech = read(script.words, power, target, sitting.state)
        conduct.heard(sitting, message, speech, seq + rows)
        rows += 1 + len(conduct.answered(sitting, seed, bots, message, speech, seq + rows + 1))
    return rows


def measured(games: int, years: int, power: int) -> dict[str, Any]:
    """Every script over the same games, and what each brought beyond silence."""
    played = {
        name: [play(script, power, seed, years) for seed in range(games)] for name, script in SCRIPTS.items()
    }
    silent = played["silent"]
    found: dict[str, Any] = {}
    for name, results in played.items():
        gain = intervals.difference([r.centres for r in results], [r.centres for r in silent])
        found[name] = {
            "centres": round(sum(r.centres for r in results) / games, 3),
            "attacks": round(sum(r.attacks for r in results) / games, 3),
            "centres_beyond_silence": gain.as_json() if gain else None,
            "games": [list(result) for result in results],
        }
    return found
