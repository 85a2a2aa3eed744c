"""The five games as people meet them: names, rules in a breath, the lesson, and the skills that each one trains."""

from __future__ import annotations

from dataclasses import dataclass

from negotiation.engine.drills import GAMES

GUESSING = "probing"
"""The skill that finding out who sits across trains, in every game."""


@dataclass(frozen=True, slots=True)
class SmallGame:
    """``name`` as in the engine, ``slug`` as in addresses; skills as the coaching room names them."""

    name: str
    slug: str
    line: str
    rules: tuple[str, ...]
    lesson: tuple[str, ...]
    at_the_table: str
    skills: tuple[str, ...]
    unit: str
    round_name: str = "round"

    @property
    def title(self) -> str:
        """As the engine has it."""
        return GAMES[self.name].title

    @property
    def rounds(self) -> int:
        """How many rounds or hands make a match."""
        return GAMES[self.name].rounds


CATALOGUE: dict[str, SmallGame] = {
    game.slug: game
    for game in (
        SmallGame(
            name="ipd",
            slug="dilemma",
            line="Give or take, eight times, with somebody who remembers.",
            rules=(
                "Both choose at once, eight times: cooperate or defect.",
                "Both cooperate: 3 each. Both defect: 1 each. One defects alone: 5 for it, 0 for the other.",
            ),
            lesson=(
                "Played once, defecting pays more whatever they do. That is the only equilibrium, and it holds for eight "
                "rounds with a known end too: take in the last, so take in the one before it, back to the first.",
                "Yet nearly nobody plays it. Against somebody who answers in kind, seven rounds of cooperation and one "
                "last defection earn 3.25 a round; defecting throughout earns 1.5.",
                "So find out first whether they answer at all. Who always gives, and who always takes, is best met "
                "by taking; who mirrors you, by being worth mirroring.",
            ),
            at_the_table="Answer a provocation once, then offer peace again. A quarrel costs both of you every round.",
            skills=("tension",),
            unit="points",
        ),
        SmallGame(
            name="auction",
            slug="auction",
            line="One sealed bid each. Win, and you pay what you bid.",
            rules=(
                "Six rounds. Each time it is worth 2 or 4 to you, by lot; to them too, and neither knows the other’s.",
                "Bid 1, 2 or 3. The higher bid wins its value less the bid; equal bids share. You can win at a loss.",
            ),
            lesson=(
                "Bidding what it is worth to you wins often and earns nothing. In equilibrium both bid half: 1 on a 2, "
                "2 on a 4, and earn .875 a round. Leave it, and you lose.",
                "Against others it is not always best. Who always bids 1 is beaten by 2 on a 4. Who always bids 3 "
                "leaves you a share of the 4s and nothing of the 2s: let them win at a loss.",
                "Who follows your last bid can be led: what you bid now, they bid next.",
            ),
            at_the_table="A first number that leaves you nothing was not worth saying. How far you go depends on them.",
            skills=("opening",),
            unit="points",
        ),
        SmallGame(
            name="pie",
            slug="pie",
            line="Both name a share. More than ten together, and nobody eats.",
            rules=(
                "Four rounds. Both ask at once for 1 to 9 parts of ten.",
                "If both fit, both get what they asked for. If not, both get nothing.",
            ),
            lesson=(
                "Any two demands that add up to ten are an equilibrium: once you believe in their 7, 3 is your best answer. "
                "So the question is never what is fair, only who yields first.",
                "Some come down after one breakdown, some at the very end, some never. Testing costs you a round; "
                "yielding for no reason costs you all four.",
                "Whoever asks for what you left last time can be taught to leave you most.",
            ),
            at_the_table="Hold when holding moves them, close when it does not. A breakdown is paid by both.",
            skills=("pacing", "closing"),
            unit="parts",
        ),
        SmallGame(
            name="books_hats_balls",
            slug="items",
            line="Three kinds of things, worth something else to each of you.",
            rules=(
                "Books, hats and balls, one to four of each. You know what each is worth to you, not to them.",
                "Four rounds over the same pile. Both ask at once; if the pile has enough of each, both get it, "
                "otherwise nobody gets anything.",
            ),
            lesson=(
                "Splitting every kind in half wastes much: what is worth little to you may be all that they want. "
                "Give them that, and ask for what they care less about.",
                "What they ask for tells you what they value, as long as they ask by worth. Somebody who asks for "
                "half of each tells you nothing.",
                "Nash’s division is the one with the largest product of both gains. It is efficient, and most "
                "people find it fair.",
            ),
            at_the_table="Trade what costs you little for what they value little. Both can leave with more than half.",
            skills=("packaging",),
            unit="points",
        ),
        SmallGame(
            name="kuhn",
            slug="poker",
            line="Three cards, one chip, and all there is to know about bluffing.",
            rules=(
                "Jack, Queen, King; one card each and one chip in the pot. Six hands, the first to act by turns.",
                "Pass or bet one more chip. Facing a bet: fold or call. The higher card takes the pot.",
            ),
            lesson=(
                "Never bluffing is as bad as always bluffing: if you bet only Kings, nobody ever pays you for one. "
                "In equilibrium the first player bluffs a Jack up to one time in three, and bets a King three times as "
                "often.",
                "A Queen beats only bluffs. Call with it just often enough that bluffing does not pay: one time in "
                "three when second, one in three more than they bluff when first.",
                "Balanced play cannot be beaten and beats nobody by much. A rock should be bluffed, a maniac called.",
            ),
            at_the_table="A stated limit is a bet. Call often enough that bluffing does not pay them, and no more often.",
            skills=("bluff_calls",),
            unit="chips",
            round_name="hand",
        ),
    )
}
BY_NAME: dict[str, SmallGame] = {game.name: game for game in CATALOGUE.values()}


def games_for(skill: str) -> list[SmallGame]:
    """The games that train a skill; guessing who sits across trains probing in all of them."""
    return [game for game in CATALOGUE.values() if skill in game.skills or skill == GUESSING]
