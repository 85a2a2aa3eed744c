/**
 * The person across the table: the drawing of the page, brought to life. It breathes and blinks, looks at what happens, and
 * shows what the table tells of the mood; nothing of it is known to the page alone. Without motion it changes at once and
 * holds still between.
 */

import { byId, reducedMotion } from "./dom.js";
import { faceOf, feltAs, SEEN } from "./expression.js";
import { createPlanes, lidOf } from "./planes.js";
import { atRest, glide, heatOf, poseOf } from "./pose.js";
import { gettext } from "./words.js";

const POSTURE = { calm: gettext("calm"), warm: gettext("attentive"), strained: gettext("tense"), critical: gettext("close to leaving") };
/** How far off something has to lie to be looked at half as far as eyes go, in pixels. */
const FAR = 260;
const BLINK_MS = 190;
const LONGEST_STEP = 0.08;
/** In seconds. */
const LISTENS = 0.45;

/** @typedef {"you" | "talk" | "ruler" | "away"} Gaze */

/** @param {string} name */
export function createAvatar(name) {
  const root = byId("avatar");
  const still = reducedMotion();
  const show = createPlanes(root);
  /** @type {import("./pose.js").Bearing} */
  const bearing = JSON.parse(root.dataset.look ?? "{}");
  const now = atRest();
  let goal = atRest();
  /** @type {import("./expression.js").Step[]} */
  let steps = [];
  let heat = 0;
  let tension = /** @type {number | null} */ (null);
  let band = "calm";
  let thinks = false;
  let speaksFrom = 0;
  let speaksUntil = 0;
  let glances = { x: 0, y: 0 };
  let request = 0;
  let last = 0;
  let visible = true;
  let next = 0;

  /** Where something of the page lies from here. @param {string} id */
  function towards(id) {
    const from = root.getBoundingClientRect();
    const to = byId(id).getBoundingClientRect();
    const x = to.left + Math.min(to.width / 2, 320) - (from.left + from.width / 2);
    const y = to.top + to.height * (id === "transcript" ? 0.8 : 0.5) - (from.top + from.height / 2);
    return { x: x / (Math.abs(x) + FAR), y: y / (Math.abs(y) + FAR) };
  }

  /** @returns {Gaze} */
  function gaze() {
    const name = current();
    if (name === "beat" || name === "leave") return "away";
    if (name === "offer") return "ruler";
    return name === "think" ? "talk" : "you";
  }

  /** @param {Gaze} at @returns {import("./pose.js").Way} */
  function way(at) {
    if (at === "you") return { x: glances.x, y: 0.06 + glances.y };
    if (at === "ruler") return towards("ruler");
    const talk = towards("transcript");
    return at === "talk" ? { x: talk.x * 0.8, y: Math.max(0.2, talk.y) } : { x: talk.x < 0 ? 0.95 : -0.95, y: 0.55 };
  }

  const current = () => steps[0]?.name ?? (thinks ? "think" : "calm");

  /** Take the posture of the moment as the goal. */
  function settle() {
    const at = gaze();
    goal = poseOf(bearing, heat, current(), way(at));
    root.dataset.gaze = at;
    root.dataset.expression = current();
    const told = [POSTURE[/** @type {keyof typeof POSTURE} */ (band)] ?? band, SEEN[current()]];
    root.setAttribute("aria-label", [name, ...told.filter(Boolean)].join(", "));
    if (still) {
      Object.assign(now, goal);
      show(now);
    } else wake();
  }

  function wake() {
    if (request || still || !visible || document.hidden) return;
    last = performance.now();
    request = requestAnimationFrame(frame);
  }

  /** @param {number} time */
  function frame(time) {
    request = 0;
    if (!visible || document.hidden) return;
    const step = Math.min(LONGEST_STEP, Math.max(0, time - last) / 1000);
    last = time;
    pass(step);
    const speaks = time >= speaksFrom && time < speaksUntil;
    const open = speaks ? syllable(time) : 0;
    const moves = glide(
      now,
      { ...goal, open: Math.max(goal.open, open), nod: goal.nod + (current() === "accept" ? Math.max(0, Math.sin(time / 115)) * 0.7 : 0) },
      step,
    );
    show(now);
    if (moves || time < speaksUntil || steps[0]?.seconds < Number.POSITIVE_INFINITY) request = requestAnimationFrame(frame);
  }

  /** Let time pass for the expression that is held. @param {number} step seconds */
  function pass(step) {
    if (steps.length === 0) return;
    steps[0].seconds -= step;
    if (steps[0].seconds > 0) return;
    steps.shift();
    settle();
  }

  /** @param {import("./expression.js").Step[]} course */
  function play(course) {
    steps = course.map((each) => ({ ...each }));
    settle();
  }

  /** A blink, and now and then another place to look at. */
  function live() {
    clearTimeout(next);
    if (still || !visible || document.hidden) return;
    next = window.setTimeout(
      () => {
        blink();
        glances =
          Math.random() < 0.55 ? { x: 0, y: 0 } : { x: (Math.random() - 0.5) * 0.7 * bearing.restless, y: (Math.random() - 0.4) * 0.35 * bearing.restless };
        if (gaze() === "you") settle();
        live();
      },
      1800 + Math.random() * 3600 * (1 - heat * 0.4),
    );
  }

  function blink() {
    const shut = `1 ${1 / lidOf(now)}`;
    for (const lid of root.querySelectorAll(".lid")) lid.animate([{ scale: "1 1" }, { scale: shut, offset: 0.4 }, { scale: "1 1" }], BLINK_MS);
  }

  function look() {
    root.dataset.still = String(still || !visible || document.hidden);
    if (document.hidden || !visible) return clearTimeout(next);
    wake();
    live();
  }
  document.addEventListener("visibilitychange", look);
  new IntersectionObserver((entries) => {
    // Several may come at once, as the page takes its form: the last one holds.
    visible = entries.at(-1)?.isIntersecting ?? visible;
    look();
  }).observe(root);

  return {
    /** The mood of the table. @param {string} named @param {number} value tension, 0 to 100 */
    mood(named, value) {
      const felt = tension === null || value === tension ? null : feltAs(value - tension);
      tension = value;
      band = named;
      heat = heatOf(value);
      root.dataset.band = named;
      root.style.setProperty("--heat", heat.toFixed(3));
      // Whoever states a limit looks away first, and shows afterwards what was felt.
      const at = steps.findLastIndex((each) => each.name === "think" || each.name === "beat") + 1;
      if (felt && !steps.some((each) => each.name === "leave")) steps.splice(still ? 0 : at, 0, felt);
      settle();
    },
    /** A move of theirs. @param {any} move @param {any[]} before all moves before it */
    answers: (move, before) => play([...steps.filter((each) => each.name === "think" && !still), ...faceOf(move, before)]),
    /** @param {boolean} on */
    thinking(on) {
      if (thinks === on) return;
      thinks = on;
      // Who answers at once has still listened.
      if (on) steps = [{ name: "think", seconds: LISTENS }];
      settle();
    },
    /** Words of theirs arrive. @param {number} ms for so long @param {number} [after] ms from now */
    speaks(ms, after = 0) {
      speaksFrom = performance.now() + after;
      speaksUntil = speaksFrom + ms;
      wake();
    },
  };
}

/** How far a mouth is open as it speaks: syllables of uneven length. @param {number} time ms */
const syllable = (time) => 0.12 + 0.88 * Math.abs(Math.sin(time / 71) * Math.sin(time / 173 + 1));
