/** What tells the personas apart: build, colouring, clothes, and how each of them holds a chair. */

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

/** @type {Record<string, Look>} */
export const LOOKS = {
  shark: {
    face: { width: 1, jaw: 0.9, chin: 1.2, nose: 1.05, cheek: 0.9, brow: 1.3 },
    skin: "#c48a5f", blush: "#b97f60", lid: "#b5835f", lips: "#a06a54", lipWeight: 0.72,
    hair: "#1b1714", brow: "#1b1714", browWeight: 1.15, eyes: "#3d5361",
    suit: "#1b222d", lapel: "#262f3c", shirt: "#e9e4d8", tie: "#7a1d18",
    cut: { line: 0.58, sides: -0.12, volume: 0.05, back: 0.45, part: 0.9 },
    length: "none", glasses: false, shoulders: 1.08, lean: 0.1, tilt: 0, browDrop: -0.03, restless: 1.25,
  },
  diplomat: {
    face: { width: 0.94, jaw: 0.5, chin: 0.85, nose: 0.78, cheek: 1.15, brow: 0.4 },
    skin: "#b57a55", blush: "#b06a52", lid: "#9a6444", lips: "#8f4540", lipWeight: 1.1,
    hair: "#2c1710", brow: "#2b1811", browWeight: 0.8, eyes: "#4a2c1b",
    suit: "#10463f", lapel: "#1a5a50", shirt: "#e8dfcd", tie: null,
    cut: { line: 0.52, sides: 0.1, volume: 0.09, back: 0.9, part: 0.4 },
    length: "bob", glasses: false, shoulders: 0.88, lean: 0.04, tilt: 0.05, browDrop: 0.025, restless: 0.9,
  },
  veteran: {
    face: { width: 0.95, jaw: 0.6, chin: 0.95, nose: 0.95, cheek: 1, brow: 0.6 },
    skin: "#d6a684", blush: "#c9927c", lid: "#c39a80", lips: "#a2655b", lipWeight: 0.8,
    hair: "#b4b6b0", brow: "#8d8e87", browWeight: 0.85, eyes: "#4d6b7a",
    suit: "#453b30", lapel: "#55493c", shirt: "#171b24", tie: null,
    cut: { line: 0.5, sides: 0.02, volume: 0.1, back: 0.75, part: -0.35 },
    length: "bun", glasses: true, shoulders: 0.9, lean: -0.02, tilt: -0.02, browDrop: 0, restless: 0.35,
  },
};
