/**
 * The person across the table. The drawing in the page is always there and changes its expression; where the
 * machine can draw in three dimensions, the sculpted figure is fetched afterwards and takes its place.
 */

import { byId, reducedMotion } from "./dom.js";
import { dressed } from "./wardrobe.js";

/** @typedef {"listen" | "offer" | "hold" | "accept" | "leave" | "challenge"} Gesture */
/** @typedef {{mood(band: string, tension: number): void, gesture(name: Gesture): void, thinking(on: boolean): void}} Figure */

const POSTURE = { calm: "calm", warm: "attentive", strained: "tense", critical: "close to leaving" };

/** @param {string} name */
export function createAvatar(name) {
  const root = byId("avatar");
  /** @type {Figure | null} */
  let figure = null;
  let last = { band: "calm", tension: 0 };

  const fetchFigure = async () => {
    if (!canDraw()) return;
    const { createFigure } = await import("./avatar3d.js");
    figure = await createFigure(root, dressed(root.dataset.look), reducedMotion());
    figure.mood(last.band, last.tension);
  };
  const whenIdle = window.requestIdleCallback ?? ((/** @type {() => void} */ run) => setTimeout(run, 300));
  whenIdle(() => void fetchFigure().catch(() => (root.dataset.figure = "drawing")));

  return {
    /** @param {string} band @param {number} tension */
    mood(band, tension) {
      last = { band, tension };
      root.dataset.band = band;
      root.setAttribute("aria-label", `${name}, ${POSTURE[/** @type {keyof typeof POSTURE} */ (band)] ?? band}`);
      figure?.mood(band, tension);
    },
    /** @param {Gesture} gesture */
    gesture(gesture) {
      root.dataset.gesture = gesture;
      figure?.gesture(gesture);
    },
    /** @param {boolean} on */
    thinking(on) {
      root.dataset.thinking = String(on);
      figure?.thinking(on);
    },
  };
}

/** Whether WebGL exists at all; some browsers hand out a context class and then no context. */
function canDraw() {
  try {
    const context = document.createElement("canvas").getContext("webgl2");
    context?.getExtension("WEBGL_lose_context")?.loseContext();
    return context !== null;
  } catch {
    return false;
  }
}
