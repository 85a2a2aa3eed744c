"""Lines that a lesson gives a person to say: with their own figures, and never with their limit."""

from __future__ import annotations

from coaching.analysis.review.moment import Moment


def for_something(moment: Moment) -> str:
    """A small step that has its price."""
    figure, wish = moment.next_offer, moment.wish
    if figure is None:
        return asking(moment)
    with_it = f"With {wish}, I could go to" if wish else "I can go to"
    return f"{with_it} {moment.price(figure)}. What can you do?"


def answering(moment: Moment) -> str:
    """A small step for theirs."""
    figure = moment.next_offer
    if figure is None:
        return asking(moment)
    return f"You came towards me, so I come to {moment.price(figure)}. What is your next step?"


def unlocking(moment: Moment) -> str:
    """A small step out of a standstill."""
    figure = moment.next_offer
    if figure is None:
        return asking(moment)
    return f"Let me begin, then: {moment.price(figure)}. What do you put beside it?"


def asking(moment: Moment) -> str:
    return "What matters most to you in this, beside the price?"


def taking(moment: Moment) -> str:
    standing = moment.turn.before.standing_offer
    return f"Agreed, at {moment.price(standing)}." if standing is not None else "Agreed."


def holding(moment: Moment) -> str:
    held = moment.held_price
    where = (
        f"I am at {moment.price(held)}, and I stay there for now."
        if held is not None
        else "I stay where I am."
    )
    return f"{where} What could you add?"


def naming(moment: Moment) -> str:
    """The first number."""
    offer = moment.better.offer
    return (
        f"Let me put a number down: {moment.price(offer)}, and I will tell you what it rests on."
        if offer
        else ""
    )


def calling(moment: Moment) -> str:
    claim = moment.turn.before.open_claim
    return f"I don't believe that {moment.price(claim)} is your limit." if claim is not None else ""


def leaving(moment: Moment) -> str:
    return "I can't make this work. Let us leave it here, as friends."


def hearing(moment: Moment) -> str:
    return "It sounds as if there is pressure on you here."


def after_that_day(moment: Moment) -> str:
    """To a deadline of theirs."""
    return "What happens on your side when that day has passed?"


def apologising(moment: Moment) -> str:
    return "I am sorry, that was out of place. Shall we look at the numbers again?"


def honest(moment: Moment) -> str:
    held = moment.held_price
    where = f"{moment.price(held)} is where I stand today. " if held is not None else ""
    return f"{where}What would you need to see to come closer?"


def trading(moment: Moment) -> str:
    wish = moment.wish
    return f"What would {wish} be worth to you?" if wish else asking(moment)


def giving(moment: Moment) -> str:
    """A sweetener of the player's own, for what it would bring."""
    gift = moment.gift
    return f"I could add {gift}. What would that be worth to you?" if gift else ""
