/** What the ruler shows, before anything is drawn: how far it reaches, whose offers stand where, and the same in words. */

import { formatMoney } from "./money.js";
import { packagesOf, standingOf } from "./package.js";
import { gettext } from "./words.js";

/** @typedef {{turn: number, offer: number}} Point */
/**
 * @typedef {object} RulerState
 * @property {"seller" | "buyer"} seat the player's
 * @property {number | null} limit the player's walk-away
 * @property {Point[]} yours
 * @property {Point[]} theirs
 * @property {{low: number, high: number} | null} [estimate] the player's estimate of their walk-away
 * @property {string} [estimateLabel]
 * @property {{low: number, high: number, nash: number | null} | null} [truth]
 * @property {number | null} [theirLimit] their limit, where one looks back at a single turn
 * @property {{low: number, high: number} | null} [givenAway] what the player's offers told of its own limit
 * @property {number | null} [price] where it closed
 * @property {number | null} [target] what the player has set out to reach
 * @property {number | null} [draft] what is being written would stand here
 * @property {string} [you] how to call the player
 * @property {boolean} [packages] the figures are what packages are worth, not prices
 */

/**
 * The stretch of money to show: everything known so far, with air around it.
 * @param {RulerState} state
 * @param {import("./money.js").Money} money
 * @returns {[number, number]}
 */
export function domainOf(state, money) {
  const plausible = (/** @type {number} */ v) => v >= money.low * 0.6 && v <= money.high * 1.4;
  const offers = [...state.yours, ...state.theirs].map((point) => point.offer).filter(plausible);
  const known = [
    ...offers,
    ...(state.limit === null ? [] : (state.seat === "seller" ? [0.88, 1.3] : [0.72, 1.12]).map((share) => share * Number(state.limit))),
    ...(state.estimate ? [state.estimate.low, state.estimate.high].filter(plausible) : []),
    ...(state.truth ? [state.truth.low, state.truth.high] : []),
    ...(state.theirLimit ? [state.theirLimit] : []),
    ...(state.givenAway ? [state.givenAway.low, state.givenAway.high].filter(plausible) : []),
    ...(state.draft !== null && state.draft !== undefined && plausible(state.draft) ? [state.draft] : []),
    ...(state.target !== null && state.target !== undefined && plausible(state.target) ? [state.target] : []),
  ];
  if (known.length === 0) return [money.low, money.high];
  const low = Math.min(...known);
  const high = Math.max(...known);
  const air = (high - low) * 0.06 || high * 0.1;
  return [low - air, high + air];
}

/**
 * The drawing for those who do not see it.
 * @param {RulerState} state
 * @param {import("./money.js").Money} money
 */
export function inWords(state, money) {
  const you = state.you ?? gettext("You");
  const theirs = state.theirs.at(-1);
  const yours = state.yours.at(-1);
  const said = [
    state.limit === null ? "" : gettext("Limit {limit}.", { limit: formatMoney(state.limit, money) }),
    theirs ? gettext("They offer {offer}.", { offer: formatMoney(theirs.offer, money) }) : gettext("They have made no offer."),
    yours ? gettext("{you} at {offer}.", { you, offer: formatMoney(yours.offer, money) }) : "",
    state.target ? gettext("Your target {target}.", { target: formatMoney(state.target, money) }) : "",
    state.estimate
      ? gettext("Estimate of their limit between {low} and {high}.", {
          low: formatMoney(Math.round(state.estimate.low), money),
          high: formatMoney(Math.round(state.estimate.high), money),
        })
      : "",
    state.truth
      ? gettext("The true zone runs from {low} to {high}.", { low: formatMoney(state.truth.low, money), high: formatMoney(state.truth.high, money) })
      : "",
    state.theirLimit ? gettext("Their limit was {theirLimit}.", { theirLimit: formatMoney(Math.round(state.theirLimit), money) }) : "",
    state.givenAway
      ? gettext("Your offers told that yours lay between {low} and {high}.", {
          low: formatMoney(Math.round(state.givenAway.low), money),
          high: formatMoney(Math.round(state.givenAway.high), money),
        })
      : "",
    state.price ? gettext("Closed at {price}.", { price: formatMoney(state.price, money) }) : "",
  ];
  return `${state.packages ? gettext("Ruler of what packages are worth, as a price on the first terms") : gettext("Price ruler")}. ${said.filter(Boolean).join(" ")}`;
}

/**
 * The offers of one side in a transcript, in order of turns.
 * @param {any[]} transcript
 * @param {"player" | "opponent"} side
 * @param {(standing: import("./package.js").Package) => number} [worth] draws what packages are worth; by default prices
 * @returns {Point[]}
 */
export function offersOf(transcript, side, worth = ({ price }) => price) {
  return transcript
    .filter((move) => move.side === side && packagesOf(move).length > 0)
    .map((move) => ({ turn: move.turn, offer: worth(standingOf(move, transcript)) }));
}

/** Above it conflict burns the room for a deal, after so many turns on end: HOT and GRACE_TURNS in the engine. */
export const HOT = 75;
export const GRACE_TURNS = 3;

/**
 * @typedef {object} Remaining what conflict has left of the room for a deal
 * @property {"gold" | "amber" | "scarlet"} level for its colour
 * @property {string} words
 * @property {string} [next] what comes if it goes on like this
 */

/**
 * What conflict has left of the room for a deal. While it is hot nothing may have burned yet: then it says when it will.
 * @param {number} percent 0 to 100
 * @param {number} tension 0 to 100
 * @returns {Remaining}
 */
export function remaining(percent, tension) {
  if (percent >= 99.5 && tension > HOT)
    return { level: "amber", words: gettext("not burned yet"), next: gettext("it burns after {turns} hot turns", { turns: GRACE_TURNS }) };
  const burned = Math.round(100 - percent);
  const words = percent >= 99.5 ? gettext("whole") : percent > 0 ? gettext("{burned}% burned", { burned: Math.min(99, Math.max(1, burned)) }) : gettext("gone");
  return { level: percent > 66 ? "gold" : percent > 33 ? "amber" : "scarlet", words };
}
