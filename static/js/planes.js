/**
 * The planes of a drawn portrait. What lies nearer moves further when a head turns: the wall least, then shoulders, hair,
 * eyes, and the tip of the nose most. Only transforms and opacity are touched.
 */

/** How far the lid is down with the eye open, of what closes it. */
const LID = 0.36;

/** How far the lids are down: 1 is shut. @param {import("./pose.js").Pose} pose */
export const lidOf = ({ lid, squint, gazeY }) => Math.min(1, Math.max(0.12, LID + lid + squint * 0.1 + Math.max(0, gazeY) * 0.16));

/** @param {number} x @param {number} y */
const shift = (x, y) => `translate(${round(x)}px, ${round(y)}px)`;
/** @param {number} value */
const round = (value) => Math.round(value * 100) / 100;

/**
 * @param {Element} portrait
 * @returns {(pose: import("./pose.js").Pose) => void} shows a posture
 */
export function createPlanes(portrait) {
  const parts = new Map();
  /** @type {Map<Element, string>} */
  const shown = new Map();

  /** @param {string} selector @param {string} transform @param {number} [opacity] */
  function set(selector, transform, opacity) {
    let found = parts.get(selector);
    if (!found) {
      found = [...portrait.querySelectorAll(selector)];
      parts.set(selector, found);
    }
    const told = `${transform} ${opacity}`;
    for (const part of found) {
      if (shown.get(part) === told) continue;
      shown.set(part, told);
      part.style.transform = transform;
      if (opacity !== undefined) part.style.opacity = String(round(opacity));
    }
  }

  return (pose) => {
    const { turn, nod, lean } = pose;
    const near = Math.abs(turn);
    set(".wall", shift(turn * -4, nod * -1.5));
    set(".wall-near", shift(turn * -7 - lean * 2, nod * -2.5));
    set(".edge", shift(turn * 2.5, lean * 1.5));
    set(".sitter", `${shift(pose.away * 58, 0)} scale(${round(1 + lean * 0.045)})`, 1 - pose.away * 0.45);
    set(".behind", `${shift(turn * 0.6, nod * 0.8)} rotate(${round(pose.tilt)}deg)`);
    set(".body", `${shift(turn * 1.6 + pose.away * 6, pose.drop * 2.6)} scaleX(${round(1 - near * 0.02)})`);
    set(".neck", shift(turn * 2.4, nod * 0.8 + pose.drop * 1.6));
    set(".head", `${shift(turn * 3.6, nod * 2.8 + pose.drop * 1.4 + lean * 1.2)} rotate(${round(pose.tilt)}deg) scale(${round(1 + lean * 0.02)})`);
    set(".ears", shift(turn * -3, nod * -1));
    set(".shade", `scaleX(${round(1 - turn * 0.12)})`);
    set(".hair", shift(turn * 1.2, nod * 1.1));
    set(".features", `${shift(turn * 5.6, nod * 3.6)} scaleX(${round(1 - near * 0.05)})`);
    set(".furrow", shift(turn * 5, nod * 2.6), Math.max(0, pose.slant));
    set(".blush", shift(turn * 5, nod * 3), Math.max(0, pose.heat - 0.25) * 0.2);
    set(".nose", `${shift(turn * 2.4, nod * 1.4)} skewX(${round(turn * 9)}deg)`);
    set(".glasses", shift(turn * 1.7, nod * 1));
    set(".iris", shift(pose.gazeX * 3.1, pose.gazeY * 2));
    for (const [side, sign] of /** @type {[string, number][]} */ ([
      ["left", -1],
      ["right", 1],
    ])) {
      const far = Math.max(0, turn * sign);
      set(`.eye.${side}`, `scaleX(${round(1 - far * 0.12)})`);
      const up = pose.brow * 5 + (sign === 1 ? pose.arch * 5.5 : pose.arch * -1.5) - Math.max(0, pose.slant) * 2.4;
      set(`.brow.${side}`, `${shift(sign * pose.slant * -1.6, -up)} rotate(${round(sign * (pose.slant * -11 - (sign === 1 ? pose.arch * -5 : 0)))}deg)`);
      set(
        `.half.${side}`,
        `skewY(${round(sign * pose.corners * -12)}deg) scaleX(${round(1 - pose.press * 0.08 + Math.max(0, pose.corners) * 0.08 - pose.open * 0.1)})`,
      );
    }
    set(".lid", `scaleY(${round(lidOf(pose))})`);
    set(".under", shift(0, pose.squint * -2.2));
    set(".lip.upper", `${shift(0, pose.open * -1.6)} scaleY(${round(1 - pose.press * 0.45)})`);
    set(".lip.lower", `${shift(0, pose.open * 5.4)} scaleY(${round(1 - pose.press * 0.4)})`);
    set(".seam", shift(0, 0), 1 - Math.min(1, pose.open * 2.5));
    set(".gap", `${shift(0, pose.open * 1)} scale(${round(0.9 - pose.open * 0.1)}, ${round(pose.open * 0.95)})`);
    set(".moustache", shift(0, pose.open * -1));
    set(".folds", "none", 0.55 + Math.max(pose.heat * 0.4, Math.abs(pose.corners) * 0.4));
  };
}
