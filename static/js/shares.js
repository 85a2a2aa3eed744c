/** Shares as people write and read them: .578 is 57.8%. The same forms as `percent` in the engine's `shares.py`. */

/** Of a tenth of a percent: what a product of floats may fall short of the figure that is meant. */
const SLACK = 1e-6;
const NOTHING = 1e-9;

/**
 * To a tenth of a percent, cut: no share reads like a mark, or like the whole, that it falls short of, and none that is
 * not nothing reads like nothing.
 * @param {number} share
 */
export function percent(share) {
  const size = Math.abs(share);
  if (size < NOTHING) return "0%";
  const tenths = Math.floor(size * 1000 + SLACK);
  if (tenths === 0) return share > 0 ? "<0.1%" : ">−0.1%";
  return `${share < 0 ? "−" : ""}${tenths / 10}%`;
}

/**
 * "60" or "60%" as .6. Null when empty, NaN when it is no figure.
 * @param {string} text
 * @returns {number | null}
 */
export function parseShare(text) {
  const bare = text.trim().replace(/^</, "").replace("%", "");
  return bare === "" ? null : Number(bare) / 100;
}
