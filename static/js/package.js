/**
 * Packages: a price with its terms, and what it is worth to one seat. A worth is a price on the first option of
 * every issue, as in the engine's `price_worth`, so that packages with different terms can be compared.
 */

import { formatMoney, shortMoney } from "./money.js";
import { gettext } from "./words.js";

/** @typedef {{id: string, title: string, options: {id: string, label: string}[]}} Issue */
/** @typedef {Record<string, string>} Terms issue to option */
/** @typedef {{price: number, terms: Terms}} Package */
/** @typedef {ReturnType<typeof createScale>} Scale */

/**
 * @param {import("./money.js").Money} money
 * @param {number[][] | undefined} values what each option is worth beyond the first, to the one in `seat`
 * @param {"seller" | "buyer"} seat
 */
export function createScale(money, values, seat) {
  const sign = seat === "seller" ? 1 : -1;

  /** @param {Issue} issue @param {string} option */
  function optionValue(issue, option) {
    const row = values?.[money.issues.indexOf(issue)];
    return row?.[issue.options.findIndex((each) => each.id === option)] ?? 0;
  }

  /** @param {Terms} terms */
  const valueOfTerms = (terms) => money.issues.reduce((sum, issue) => sum + optionValue(issue, terms[issue.id]), 0);

  return {
    optionValue,
    /** @param {Package} package_ */
    worth: ({ price, terms }) => price + sign * valueOfTerms(terms),
    /** The price on the grid that makes these terms worth so much. @param {number} worth @param {Terms} terms */
    priceFor: (worth, terms) => Math.max(money.step, Math.round((worth - sign * valueOfTerms(terms)) / money.step) * money.step),
    /** How far a worth lies on the good side of a limit. @param {number} worth @param {number} limit */
    surplus: (worth, limit) => sign * (worth - limit),
  };
}

/**
 * The labels of terms, all of them or only where they differ.
 * @param {Issue[]} issues
 * @param {Terms | null | undefined} terms
 * @param {Terms} [than]
 */
export function labelsOf(issues, terms, than) {
  if (!terms) return [];
  return issues.filter((issue) => !than || than[issue.id] !== terms[issue.id]).map((issue) => labelOf(issue, terms[issue.id]));
}

/** @param {Issue} issue @param {string} option */
export const labelOf = (issue, option) => issue.options.find((each) => each.id === option)?.label ?? option;

/** "3 years, quarterly billing and 24x7 support". @param {string[]} labels */
export const inARow = (labels) => [labels.slice(0, -1).join(", "), labels.at(-1)].filter(Boolean).join(gettext(" and "));

/** @param {Terms | null | undefined} one @param {Terms | null | undefined} other */
export const sameTerms = (one, other) => JSON.stringify(Object.entries(one ?? {}).sort()) === JSON.stringify(Object.entries(other ?? {}).sort());

/**
 * The packages that a move put on the table, in order; none without an offer.
 * @param {any} move
 * @returns {Package[]}
 */
export function packagesOf(move) {
  if (move.offer === null || move.offer === undefined || move.accept) return [];
  return [{ price: move.offer, terms: move.terms ?? {} }, ...(move.alternatives ?? [])];
}

/**
 * The package of a move that stands: of several, the one that the other side would rather have.
 * @param {any} move
 * @param {any[]} transcript
 */
export function standingOf(move, transcript) {
  const answer = transcript.find((each) => each.side !== move.side && each.turn === move.turn && each.seq > move.seq);
  const packages = packagesOf(move);
  return packages[answer?.preferred ?? 0] ?? packages[0];
}

/** @param {number} index */
export const letter = (index) => "ABC"[index] ?? "";

/** A value with its sign: +$9k. @param {number} value @param {import("./money.js").Money} money */
export const signed = (value, money) => (value === 0 ? shortMoney(0, money) : `${value > 0 ? "+" : "−"}${shortMoney(Math.abs(value), money)}`);

/**
 * What a package comes to, in words for the one whose worth it is.
 * @param {number} worth
 * @param {import("./money.js").Money} money
 * @param {"seller" | "buyer"} seat
 */
export function worthInWords(worth, money, seat) {
  const figure = formatMoney(Math.round(worth), money);
  return seat === "seller" ? gettext("worth {figure} to you", { figure }) : gettext("costs you {figure}, all told", { figure });
}

/**
 * How the other side's offer lies to one's own walk-away: "$3,000 under it".
 * @param {number} surplus
 * @param {import("./money.js").Money} money
 * @param {"seller" | "buyer"} seat
 */
export function againstLimit(surplus, money, seat) {
  const figure = formatMoney(Math.abs(Math.round(surplus)), money);
  if (Math.round(surplus) === 0) return gettext("their offer lies on it");
  return surplus > 0 === (seat === "seller")
    ? gettext("their offer lies {figure} above it", { figure })
    : gettext("their offer lies {figure} under it", { figure });
}

/**
 * "$23,500 better than your walk-away".
 * @param {number} surplus
 * @param {import("./money.js").Money} money
 * @param {boolean} [own] stresses whose it is
 */
export function fromLimit(surplus, money, own = false) {
  const figure = formatMoney(Math.abs(Math.round(surplus)), money);
  if (surplus >= 0) return gettext("{figure} better than your walk-away", { figure });
  return own ? gettext("{figure} beyond your own walk-away", { figure }) : gettext("{figure} beyond your walk-away", { figure });
}
