/** Money as people write and read it. The same forms as `format_money` in the engine's language package. */

/** @typedef {{low: number, high: number, step: number, currency: string, per_label: string, issues: import("./package.js").Issue[]}} Money */

/**
 * A figure written out in full, never rounded to another one: $148,000, $12.4M.
 * @param {number} value
 * @param {Money} money
 */
export function formatMoney(value, money) {
  if (money.low >= 1e6 && Math.abs(value) >= 1e6) {
    const millions = trimmed(value / 1e6, 3);
    if (Math.round(Number(millions) * 1e8) / 100 === value) return `${money.currency}${millions}M`;
  }
  const text = value.toLocaleString("en-US", { minimumFractionDigits: 2, maximumFractionDigits: 2 });
  return money.currency + text.replace(/\.00$/, "");
}

/**
 * A short label for axes: $148k, $12.4M. Not for figures that bind.
 * @param {number} value
 * @param {Money} money
 */
export function shortMoney(value, money) {
  if (Math.abs(value) >= 1e6) return `${money.currency}${trimmed(value / 1e6, 2)}M`;
  if (Math.abs(value) >= 1e3) return `${money.currency}${trimmed(value / 1e3, 1)}k`;
  return money.currency + trimmed(value, 0);
}

/**
 * The figure in a field: "$148,000", "148k", "12.4M". Null when empty, NaN when it is no figure.
 * @param {string} text
 * @returns {number | null}
 */
export function parseMoney(text) {
  const bare = text
    .trim()
    .replace(/^[$€£]\s*/, "")
    .replace(/[\s,_']/g, "");
  if (bare === "") return null;
  const match = /^([+-]?\d*\.?\d+)(k|m|mm)?$/i.exec(bare);
  if (!match) return Number.NaN;
  const scale = { k: 1e3, m: 1e6, mm: 1e6 }[(match[2] ?? "").toLowerCase()] ?? 1;
  return Math.round(Number(match[1]) * scale * 100) / 100;
}

/**
 * What a figure far outside the plausible range was probably meant to be: 148 in a $125k deal.
 * @param {number} value
 * @param {Money} money
 * @returns {number | null}
 */
export function likelyMeant(value, money) {
  for (const scale of [1e3, 1e6]) {
    const scaled = value * scale;
    if (scaled >= money.low && scaled <= money.high) return scaled;
  }
  return null;
}

/**
 * The figure so many steps further, on the grid and never below one step. From nothing readable it begins at `start`.
 * @param {number | null} value
 * @param {number} steps
 * @param {Money} money
 * @param {() => number} start
 */
export function steppedMoney(value, steps, money, start) {
  const from = value === null || Number.isNaN(value) ? start() : value + steps * money.step;
  return Math.max(money.step, Math.round(from / money.step) * money.step);
}

/** @param {number} value @param {number} places */
function trimmed(value, places) {
  const text = value.toFixed(places);
  return places === 0 ? text : text.replace(/\.?0+$/, "");
}
