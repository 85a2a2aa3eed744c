/** What tells the personas apart: build, colouring, clothes, and how each of them holds a chair. Each has its own in
 * its folder, `look.toml`; the page brings it along. */

/**
 * @typedef {object} Look
 * @property {import("./sculpt.js").Face} face
 * @property {string} skin
 * @property {string} blush
 * @property {string} lid
 * @property {string} lips
 * @property {number} lipWeight
 * @property {string} hair
 * @property {string} brow
 * @property {number} browWeight
 * @property {string} eyes
 * @property {string} suit
 * @property {string} lapel
 * @property {string} shirt
 * @property {string | null} tie
 * @property {import("./sculpt.js").Cut} cut
 * @property {"none" | "bob" | "bun"} length
 * @property {boolean} glasses
 * @property {number} shoulders
 * @property {number} lean resting lean towards the table, radians
 * @property {number} tilt resting tilt of the head, radians
 * @property {number} browDrop resting height of the brows, negative is stern
 * @property {number} restless how much it moves when nothing happens
 */

/**
 * The look that the page was given.
 * @param {string | undefined} told
 * @returns {Look}
 */
export function dressed(told) {
  if (!told) throw new Error("the page says nothing of how they look");
  return JSON.parse(told);
}
