/** What the review calls things: a verdict has a sign and a word, never a colour alone. */

import { formatMoney } from "./money.js";
import { gettext } from "./words.js";

/** @typedef {"best" | "good" | "inaccuracy" | "mistake" | "blunder"} Label */
/**
 * @typedef {object} Choice
 * @property {string} text
 * @property {boolean} played
 * @property {number} [value] expected share; absent until the move was tried
 * @property {number} [index] the server's number of the choice, where their order tells nothing
 */
/**
 * @typedef {object} ReviewedMove
 * @property {number} turn
 * @property {Label | null} label
 * @property {number} regret
 * @property {number} error
 * @property {number} regret_money what playing on as advised would have brought more
 * @property {number} cost_money what the move cost by itself
 * @property {number} value
 * @property {number} best_value
 * @property {string} reason
 * @property {{text: string} | null} better
 * @property {"steady" | "reciprocal" | "firm" | null} follow_up
 * @property {Choice[]} choices
 * @property {{mean: number, low: number, high: number, chance?: number}} believed
 * @property {boolean} hidden
 * @property {{choice: number | null, right: boolean} | null} tried
 */

/** @type {Record<Label | "none", {sign: string, word: string}>} */
const VERDICTS = {
  best: { sign: "★", word: gettext("Best") },
  good: { sign: "✓", word: gettext("Good") },
  inaccuracy: { sign: "?!", word: gettext("Inaccuracy") },
  mistake: { sign: "?", word: gettext("Mistake") },
  blunder: { sign: "??", word: gettext("Blunder") },
  none: { sign: "·", word: gettext("No verdict") },
};

/** How one would have played on after the better move. */
export const FOLLOW_UPS = {
  steady: gettext("The best of these pays when you go on conceding in small, even steps."),
  reciprocal: gettext("The best of these pays when you then answer each of their steps with one of yours."),
  firm: gettext("The best of these pays when you then stay firm for long."),
};

/** @param {Label | null} label */
export const verdictOf = (label) => VERDICTS[label ?? "none"];

/** @param {Label | null} label */
export const isFault = (label) => label === "inaccuracy" || label === "mistake" || label === "blunder";

/**
 * A sum to the scenario's step: the review knows no smaller ones.
 * @param {number} value
 * @param {import("./money.js").Money} money
 */
export const roundMoney = (value, money) => formatMoney(Math.max(money.step, Math.round(Math.abs(value) / money.step) * money.step), money);

/**
 * Whether a move by itself cost anything that could be named.
 * @param {ReviewedMove} move
 * @param {import("./money.js").Money} money
 */
export const costs = (move, money) => move.cost_money >= money.step / 2;

/** @param {number} points */
const inPoints = (points) => `${points < 0 ? "−" : "+"}${Math.abs(points).toFixed(1)}`;

/**
 * What the score gave a turn that the review faults, and why both can be so; nothing where it gave no point.
 * @param {{total: number, terms: {points: number, label: string}[]} | undefined} row
 */
export function gainInWords(row) {
  const gained = row?.terms.filter((term) => term.points >= 0.05) ?? [];
  if (!row || gained.length === 0) return "";
  const parts = gained.map((term) => `${term.label} ${inPoints(term.points)}`);
  return gettext(" The score gave this turn {total} points, with {parts}: it pays for more than money, the review weighs the money alone.", {
    total: inPoints(row.total),
    parts: parts.join(", "),
  });
}
