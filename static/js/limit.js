/** The player's own limit when it moves: from what to what, and why, as a line of the transcript. */

import { formatMoney } from "./money.js";
import { gettext } from "./words.js";

/** @typedef {{cause: "news" | "conflict", words: string, before: number, after: number}} LimitMove */

/**
 * @param {{seq: number, turn: number, moves: LimitMove[]}} moved
 * @param {import("./money.js").Money} money
 */
export const limitLine = ({ seq, moves }, money) => ({
  seq,
  kind: "limit",
  who: gettext("Your walk-away"),
  note: moves.map((move) => inWords(move, money)).join(" "),
});

/** @param {LimitMove} move @param {import("./money.js").Money} money */
function inWords({ cause, before, after }, money) {
  const values = { before: formatMoney(Math.round(before), money), after: formatMoney(Math.round(after), money) };
  // The headline stands next to it, above the talk or in it: it is not said again.
  return cause === "news"
    ? gettext("It moved from {before} to {after} with the news.", values)
    : gettext("It moved from {before} to {after}: the heat at the table burns what there is to agree on.", values);
}
