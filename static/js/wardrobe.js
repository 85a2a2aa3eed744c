/** What tells the personas apart: build, colouring, clothes, and how each of them holds a chair. */

/**
 * @typedef {object} Look
 * @property {import("./sculpt.js").Face} face
 * @property {string} skin
 * @property {string} blush
 * @property {string} lips
 * @property {string} hair
 * @property {string} eyes
 * @property {string} suit
 * @property {string} shirt
 * @property {string | null} tie
 * @property {{line: number, sides: number, volume: number, back: number, part: number}} cut
 * @property {"none" | "bob" | "bun"} length
 * @property {boolean} glasses
 * @property {number} shoulders
 * @property {number} lean resting lean towards the table, radians
 * @property {number} tilt resting tilt of the head, radians
 * @property {number} browDrop resting height of the brows, negative is stern
 * @property {number} restless how much it moves when nothing happens
 */

/** @type {Record<string, Look>} */
export const LOOKS = {
  shark: {
    face: { width: 1, jaw: 0.85, chin: 1.15, nose: 1.05, cheek: 0.9, brow: 1.3 },
    skin: "#c98f68", blush: "#b87550", lips: "#94543f", hair: "#17130f", eyes: "#33444f",
    suit: "#262e3b", shirt: "#e9e4d8", tie: "#8e2b23",
    cut: { line: 0.56, sides: 0.5, volume: 0.02, back: 0.5, part: 0 },
    length: "none", glasses: false, shoulders: 1.1, lean: 0.1, tilt: 0, browDrop: -0.035, restless: 1.25,
  },
  diplomat: {
    face: { width: 0.95, jaw: 0.4, chin: 0.8, nose: 0.78, cheek: 1.1, brow: 0.45 },
    skin: "#a76a48", blush: "#9a5040", lips: "#8a3733", hair: "#33190f", eyes: "#3a2013",
    suit: "#1f5f55", shirt: "#eadfc8", tie: null,
    cut: { line: 0.5, sides: 1, volume: 0.1, back: 0.95, part: 0.35 },
    length: "bob", glasses: false, shoulders: 0.9, lean: 0.04, tilt: 0.06, browDrop: 0.03, restless: 0.9,
  },
  veteran: {
    face: { width: 0.96, jaw: 0.55, chin: 0.9, nose: 0.95, cheek: 0.95, brow: 0.7 },
    skin: "#d9ab8c", blush: "#c88d75", lips: "#9a554c", hair: "#b9bbb4", eyes: "#44606f",
    suit: "#54493b", shirt: "#2a2e37", tie: null,
    cut: { line: 0.52, sides: 0.75, volume: 0.06, back: 0.7, part: -0.2 },
    length: "bun", glasses: true, shoulders: 0.92, lean: -0.03, tilt: -0.02, browDrop: 0, restless: 0.35,
  },
};
