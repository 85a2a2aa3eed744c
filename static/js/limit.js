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
function inWords({ cause, words, before, after }, money) {
  const why = cause === "news" ? gettext(" with the news: {words}", { words }) : gettext(": the heat at the table burns what there is to agree on");
  const moved = gettext("It moved from {before} to {after}", { before: formatMoney(Math.round(before), money), after: formatMoney(Math.round(after), money) });
  return `${moved}${why}${/[.!?…]$/.test(why) ? "" : "."}`;
}
