/** Where the words of the ruler stand: each at its mark, a line further where another one stands already, and none cut off. */

/**
 * @typedef {object} Label
 * @property {string} class
 * @property {string} text
 * @property {number} x the middle
 * @property {number} y the line
 * @property {1 | -1} [way] where a further line lies: below, or above
 */

/** How wide a letter is on average, and how far two lines lie apart, in the ruler's type. */
const LETTER = 6.7;
const LINE = 14;
const EDGE = 4;
/** More lines than labels are never needed. */
const MOST = 6;

/** @param {Label} label */
export const widthOf = (label) => label.text.length * LETTER;

/** @param {Label} one @param {Label} other */
const meet = (one, other) => Math.abs(one.y - other.y) < LINE && Math.abs(one.x - other.x) < (widthOf(one) + widthOf(other)) / 2;

/**
 * The labels where they can be read; the earlier ones keep their places.
 * @param {Label[]} labels
 * @param {number} width of the drawing
 * @returns {Label[]}
 */
export function placed(labels, width) {
  /** @type {Label[]} */
  const kept = [];
  for (const label of labels) {
    const half = widthOf(label) / 2;
    const x = Math.max(EDGE + half, Math.min(width - EDGE - half, label.x));
    const lines = Array.from({ length: MOST }, (_, line) => ({ ...label, x, y: label.y + line * LINE * (label.way ?? 1) }));
    kept.push(lines.find((each) => !kept.some((other) => meet(each, other))) ?? lines[0]);
  }
  return kept;
}
