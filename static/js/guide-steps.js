/**
 * The guide of a first deal, before anything is drawn: which control comes next, and what is said above it. Everything is
 * read from the state of the game, so that a reload goes on where it was, and the words answer what really happened.
 */

import { formatMoney } from "./money.js";
import { gettext, ngettext } from "./words.js";

/** @typedef {"ask" | "number" | "card" | "read" | "close"} Step */
/** @typedef {{heading: string, words: string}} Voice */

/** @type {Step[]} */
export const STEPS = ["ask", "number", "card", "read", "close"];

/**
 * What there is to learn next. A wrong move is a move: it is learnt from, not taken back.
 * @param {any} state the folded game
 * @param {boolean} passed the read was stated or left out on this page, which no move has carried yet
 * @returns {Step}
 */
export function stepOf(state, passed) {
  const moves = mine(state);
  const first = moves.findIndex((/** @type {any} */ move) => move.offer !== null);
  if (moves.length === 0) return "ask";
  if (first < 0) return "number";
  const since = moves.slice(first + 1);
  if (since.length === 0) return "card";
  if (since.length === 1 && !passed && !moves.some((/** @type {any} */ move) => move.belief)) return "read";
  return "close";
}

/** @param {any} state */
const mine = (state) => state.transcript.filter((/** @type {any} */ move) => move.side === "player");
/** @param {any} state */
const theirs = (state) => state.transcript.filter((/** @type {any} */ move) => move.side === "opponent");

/**
 * How far the other side came with its last answer, in money for the player; null where it named no number before, or none now.
 * @param {any} state
 */
export function cameBy(state) {
  const offers = theirs(state).map((/** @type {any} */ move) => move.offer);
  const now = offers.at(-1);
  const before = offers.slice(0, -1).findLast((/** @type {any} */ offer) => offer !== null);
  if (now === null || now === undefined || before === null || before === undefined) return null;
  return (now - before) * sign(state);
}

/** @param {any} state */
const sign = (state) => (state.game.seat === "seller" ? 1 : -1);

/**
 * How far the standing offer lies beyond the player's walk-away, in money; null without an offer.
 * @param {any} state
 */
export function surplusOf(state) {
  const standing = state.table?.standing_offer ?? null;
  return standing === null ? null : (standing - state.own.walk_away) * sign(state);
}

/** The most of what is left to give that one step gives; as in the review's ``unjudged.py``, which does not judge such a step. */
const MOST = 0.2;

/**
 * One more step of the player's, on the price grid: half of what lies between both offers, but at most a fifth of what is
 * left to give; null where that is less than a step.
 * @param {any} state
 * @param {import("./money.js").Money} money
 * @returns {number | null}
 */
export function nextStep(state, money) {
  const own = state.table?.own_offer ?? null;
  const standing = state.table?.standing_offer ?? null;
  if (own === null || standing === null) return null;
  const room = (own - state.own.walk_away) * sign(state);
  const gap = (own - standing) * sign(state);
  const by = Math.floor(Math.min(gap / 2, room * MOST) / money.step) * money.step;
  return by < money.step ? null : own - by * sign(state);
}

/**
 * What is said with one more step: another sentence each time, as nobody moves for the same one twice.
 * @param {any} state
 * @param {string} next the price of the step
 */
export function stepWords(state, next) {
  const ways = [
    gettext("If we sign this week, I can do {next}.", { next }),
    gettext("I can do {next}, and I need you to come my way as well.", { next }),
    gettext("To get this done I would go to {next}.", { next }),
    gettext("I am ready to sign at {next}.", { next }),
  ];
  return ways[stepsOf(state) % ways.length];
}

/** How many steps the player took from the first number on. @param {any} state */
const stepsOf = (state) => Math.max(0, mine(state).filter((/** @type {any} */ move) => move.offer !== null).length - 1);

/**
 * The one voice: a heading of at most nine words, and at most two sentences.
 * @param {Step} step
 * @param {any} state
 * @param {import("./money.js").Money} money
 * @param {string} first the first name of who sits across
 * @returns {Voice}
 */
export function voiceOf(step, state, money, first) {
  const sum = (/** @type {number} */ value) => formatMoney(Math.abs(value), money);
  const came = cameBy(state);
  const up = sign(state) > 0;
  const moved =
    came === null
      ? ""
      : came > 0
        ? up
          ? gettext("{first} came up {came}.", { first, came: sum(came) })
          : gettext("{first} came down {came}.", { first, came: sum(came) })
        : came < 0
          ? gettext("{first} went back {came}.", { first, came: sum(came) })
          : gettext("{first} did not move.", { first });
  const seller = sign(state) > 0;
  switch (step) {
    case "ask":
      return {
        heading: gettext("Ask before you name a number."),
        words: gettext("What {first} tells you now is worth money later. Take one of these, or write your own.", { first }),
      };
    case "number":
      return numberVoice(state, sum, first, seller);
    case "card":
      return cardVoice(state, moved, sum, first);
    case "read":
      return {
        heading: gettext("{moved} Where does {first} stop?", { moved: moved || gettext("{first} has answered.", { first }), first }),
        words: gettext("Say what you believe by moving the two ends: it binds nothing, and {first} never sees it. At the end you see how near you were.", {
          first,
        }),
      };
    case "close":
      return closeVoice(state, moved, sum, first);
  }
}

/** @param {any} state @param {(value: number) => string} sum @param {string} first @param {boolean} seller */
function numberVoice(state, sum, first, seller) {
  const asked = mine(state).length;
  const standing = state.table?.standing_offer ?? null;
  const told = theirs(state).at(-1)?.told?.length > 0;
  const heading =
    asked > 1
      ? gettext("Good questions. Now name your number.")
      : told
        ? gettext("{first} told you something. Now your first number.", { first })
        : standing === null
          ? gettext("Now your first number.")
          : seller
            ? gettext("{first} offers {standing}. Now your number.", { first, standing: sum(standing) })
            : gettext("{first} asks {standing}. Now your number.", { first, standing: sum(standing) });
  return {
    heading,
    words: seller
      ? gettext("Start above where you hope to end: what you give later is what you trade with. A reason beside it makes it hold.")
      : gettext("Start below where you hope to end: what you give later is what you trade with. A reason beside it makes it hold."),
  };
}

/** @param {any} state @param {string} moved @param {(value: number) => string} sum @param {string} first */
function cardVoice(state, moved, sum, first) {
  const limit = state.own.walk_away;
  const room = ((state.table?.own_offer ?? limit) - limit) * sign(state);
  const pause = gettext("A card goes with a move; this one says nothing, and shows whether {first} fills the gap.", { first });
  if (room < 0.08 * limit) {
    return {
      heading: gettext("You opened close to your walk-away."),
      words: gettext("Only {left} is left to give, so do not give it yet. {pause}", { left: sum(Math.max(0, room)), pause }),
    };
  }
  return { heading: gettext("{moved} Try saying nothing.", { moved: moved || gettext("{first} has answered.", { first }) }), words: pause };
}

/**
 * Whether the player's last step brought nothing.
 * @param {any} state
 */
export function gaveForNothing(state) {
  const offers = mine(state).map((/** @type {any} */ move) => move.offer);
  const [before, last] = [offers.slice(0, -1).findLast((/** @type {any} */ offer) => offer !== null), offers.at(-1)];
  const gave = last !== null && last !== undefined && before !== null && before !== undefined && (before - last) * sign(state) > 0;
  return gave && (cameBy(state) ?? 0) <= 0;
}

/** @param {any} state @param {string} moved @param {(value: number) => string} sum @param {string} first */
function closeVoice(state, moved, sum, first) {
  const surplus = surplusOf(state);
  const lead = moved ? `${moved} ` : "";
  if (gaveForNothing(state)) {
    return {
      heading: gettext("{lead}Ask before you give more.", { lead }),
      words: gettext("A step that brings nothing teaches them to wait. Ask what stands in the way, or stay where you are."),
    };
  }
  if (surplus === null)
    return { heading: gettext("{first} has made no offer yet.", { first }), words: gettext("Take a small step, or ask what stands in the way.") };
  const came = cameBy(state) ?? 0;
  if (surplus < 0 && came > 0 && stepsOf(state) > 0) {
    const short = { short: sum(surplus), moves: ngettext("{count} more move like this one", "{count} more moves like this one", Math.ceil(-surplus / came)) };
    return {
      heading: gettext("{lead}Not yet enough.", { lead }),
      words:
        sign(state) > 0
          ? gettext("Still {short} below your walk-away, {moves}. Ask what would bring more, or take a small step.", short)
          : gettext("Still {short} above your walk-away, {moves}. Ask what would bring more, or take a small step.", short),
    };
  }
  if (surplus < 0) {
    return {
      heading: gettext("{lead}Not yet enough.", { lead }),
      words:
        sign(state) > 0
          ? gettext(
              "That is below your walk-away, so accepting would cost you. Take a small step and ask for something back; if nothing comes, no deal can be right.",
            )
          : gettext(
              "That is above your walk-away, so accepting would cost you. Take a small step and ask for something back; if nothing comes, no deal can be right.",
            ),
    };
  }
  const own = (state.table.own_offer ?? state.own.walk_away) - state.own.walk_away;
  if (surplus < own * sign(state) * 0.3)
    return {
      heading: sign(state) > 0 ? gettext("{lead}Now above your walk-away.", { lead }) : gettext("{lead}Now below your walk-away.", { lead }),
      words: gettext("Accepting is sure, and little. A step of yours may bring one of theirs."),
    };
  return {
    heading: gettext("{lead}Close, or ask for more.", { lead }),
    words: gettext("To accept is sure; one more step may bring a little more, or cost you the deal."),
  };
}

/**
 * How it ended, for the guide's last word.
 * @param {any} state
 * @param {import("./money.js").Money} money
 * @returns {Voice}
 */
export function endVoice(state, money) {
  const { outcome } = state;
  if (!outcome.deal)
    return { heading: gettext("No deal. That can be right."), words: gettext("Whether it was here, the next page tells: it knows both walk-aways.") };
  const surplus = (outcome.price - state.own.walk_away) * sign(state);
  return surplus >= 0
    ? {
        heading:
          sign(state) > 0
            ? gettext("{surplus} above your walk-away.", { surplus: formatMoney(surplus, money) })
            : gettext("{surplus} below your walk-away.", { surplus: formatMoney(surplus, money) }),
        words: state.transcript.some((/** @type {any} */ move) => move.card === "sweetener")
          ? gettext(
              "That is by the price; sweeteners, what was promised beside it, count on top. Next, see how much more there was, and on which turn it was decided.",
            )
          : gettext("That is yours. Next, see how much more there was, and on which turn it was decided."),
      }
    : {
        heading:
          sign(state) > 0
            ? gettext("{surplus} below your walk-away.", { surplus: formatMoney(-surplus, money) })
            : gettext("{surplus} above your walk-away.", { surplus: formatMoney(-surplus, money) }),
        words: gettext("No deal would have been better. See on which turn it was decided."),
      };
}

/**
 * A belief whose band on the ruler has these two ends: the middle, and how sure one must be for so narrow a band.
 * @param {number} low
 * @param {number} high
 */
export function beliefOf(low, high) {
  const centre = (low + high) / 2;
  const sure = 1 - ((high - low) / 2 / centre - 0.02) / 0.16;
  return { walk_away: centre, budget: null, urgency: null, p_alternative: null, confidence: Math.round(100 * Math.min(1, Math.max(0, sure))) / 100 };
}
