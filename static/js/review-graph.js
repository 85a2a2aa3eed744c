/** The course of the deal: what each move led to expect, beside what the best one would have. The numbers stand in a table below. */

import { svg } from "./dom.js";
import { isFault, verdictOf } from "./review-words.js";
import { linear, ticks } from "./scale.js";
import { percent } from "./shares.js";
import { gettext } from "./words.js";

/** @typedef {import("./review-words.js").ReviewedMove} ReviewedMove */

const TALL = 150;
/** On a narrow screen, where move, question and steps must stay in sight. */
const LOW = 92;
const LEFT = 44;
const RIGHT = 18;
const TOP = 14;
const FOOT = 32;
/** A deal beyond one's own limit lies far below; the line stops here, so that the rest can be read. */
const LOWEST = -0.2;

/**
 * @param {HTMLElement} root
 * @param {ReviewedMove[]} moves
 * @param {(turn: number) => void} choose
 */
export function createGraph(root, moves, choose) {
  let present = moves[0].turn;
  const draw = () => {
    if (root.clientWidth > 0) root.replaceChildren(drawing(moves, present, root.clientWidth));
  };
  new ResizeObserver(draw).observe(root);
  // For the mouse alone: the list below is the same choice for everybody.
  root.addEventListener("click", (event) => {
    const place = /** @type {Element} */ (event.target).closest("[data-turn]");
    if (place instanceof SVGElement) choose(Number(place.dataset.turn));
  });
  return {
    /** @param {number} turn */
    show(turn) {
      present = turn;
      draw();
    },
  };
}

/**
 * @param {ReviewedMove[]} moves
 * @param {number} present
 * @param {number} width
 */
function drawing(moves, present, width) {
  const tall = width < 480 ? LOW : TALL;
  const values = moves.flatMap((move) => [move.value, move.best_value]);
  const [low, high] = [Math.max(LOWEST, Math.min(0, ...values)), Math.max(0.5, ...values) + 0.06];
  const first = moves[0].turn;
  const x = linear([first, Math.max(first + 1, moves[moves.length - 1].turn)], [LEFT + 14, width - RIGHT - 14]);
  const height = linear([low, high], [tall - FOOT, TOP]);
  const y = (/** @type {number} */ value) => height(Math.max(low, value));
  const at = (/** @type {ReviewedMove} */ move, /** @type {number} */ value) => `${x(move.turn).toFixed(1)} ${y(value).toFixed(1)}`;
  const path = (/** @type {string[]} */ points) => `M${points.join("L")}`;
  const played = moves.map((move) => at(move, move.value));
  const best = moves.map((move) => at(move, Math.max(move.value, move.best_value)));
  const every = Math.max(1, Math.ceil(26 / Math.max(1, x(first + 1) - x(first))));
  const here = moves.find((move) => move.turn === present) ?? moves[0];
  return svg(
    "svg",
    { viewBox: `0 0 ${width} ${tall}`, width, height: tall, role: "img", "aria-label": describe(moves) },
    ...ticks(low, high, 3).flatMap((tick) => [
      svg("path", { class: "grid", d: `M${LEFT} ${y(tick)}H${width - RIGHT}` }),
      svg("text", { x: LEFT - 8, y: y(tick) + 4, "text-anchor": "end" }, percent(tick)),
    ]),
    svg("path", { class: "present", d: `M${x(here.turn)} ${TOP}V${tall - FOOT}` }),
    svg("path", { class: "lost", d: `${path(best)}L${[...played].reverse().join("L")}Z` }),
    svg("path", { class: "best-line", d: path(best) }),
    svg("path", { class: "played-line", d: path(played) }),
    ...moves.flatMap((move) => point(move, x(move.turn), y(move.value), move.turn === present)),
    ...moves
      .filter((move) => (move.turn - first) % every === 0)
      .map((move) => svg("text", { class: move.turn === present ? "now" : "", x: x(move.turn), y: tall - 6, "text-anchor": "middle" }, String(move.turn))),
  );
}

/**
 * @param {ReviewedMove} move
 * @param {number} x
 * @param {number} y
 * @param {boolean} present
 */
function point(move, x, y, present) {
  const verdict = verdictOf(move.label);
  const signed = move.label !== null;
  return [
    svg("circle", { class: "reach", cx: x, cy: y, r: 16, "data-turn": move.turn }),
    svg("circle", { class: `mark ${move.label ?? "none"}${present ? " here" : ""}`, cx: x, cy: y, r: signed ? 10 : 5, "data-turn": move.turn }),
    signed ? svg("text", { class: `sign ${move.label}`, x, y: y + 4, "text-anchor": "middle", "data-turn": move.turn }, verdict.sign) : null,
  ].filter((part) => part !== null);
}

/** @param {ReviewedMove[]} moves */
function describe(moves) {
  const faults = moves
    .filter((move) => isFault(move.label))
    .map((move) => gettext("{word} on turn {turn}", { word: verdictOf(move.label).word.toLowerCase(), turn: move.turn }));
  const [from, to] = [moves[0], moves[moves.length - 1]];
  return gettext("Expected share by turn, from {first} to {last}. {faults}. The numbers are in the table below.", {
    first: percent(from.value),
    last: percent(to.value),
    faults: faults.length ? faults.join(", ") : gettext("No faults"),
  });
}
