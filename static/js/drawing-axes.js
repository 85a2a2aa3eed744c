/** The axes of a drawing: how far they reach, which figures they mark, and how those are written. */

import { svg } from "./dom.js";
import { shortMoney } from "./money.js";
import { ticks } from "./scale.js";

/**
 * @typedef {object} Axis
 * @property {[number, number]} domain
 * @property {{value: number, text: string}[]} ticks
 * @property {number} room in px, for the figures and the title
 * @property {string[] | null} names of an axis of names, whose places are 0, 1, 2, ...
 */

const LETTER = 7.2;
/** Width of a letter at the size of the axes, in px; a little more than most, so that nothing is cut off. */
const TITLE = 20;
const PX_A_TICK = { x: 78, y: 52 };

/**
 * Both axes; names in the data are replaced by their places.
 * @param {import("./drawing-marks.js").Dressed[]} traces
 * @param {any} layout
 * @param {number} width
 * @returns {{x: Axis, y: Axis}}
 */
export function axes(traces, layout, width) {
  const y = axis(traces, layout, "y", 5);
  const labels = Math.max(0, ...y.ticks.map(({ text }) => Math.max(...text.split("\n").map((each) => each.length))));
  y.room = Math.round(labels * LETTER + 14 + (layout.yaxis?.title ? TITLE : 0));
  const x = axis(traces, layout, "x", Math.max(2, Math.floor((width - y.room) / PX_A_TICK.x)));
  x.room = 30 + (layout.xaxis?.title ? TITLE : 0);
  return { x, y };
}

/**
 * @param {import("./drawing-marks.js").Dressed[]} traces
 * @param {any} layout
 * @param {"x" | "y"} way
 * @param {number} most ticks
 * @returns {Axis}
 */
function axis(traces, layout, way, most) {
  const about = layout[`${way}axis`] ?? {};
  const names = [...new Set(traces.flatMap((trace) => trace[way].filter((value) => typeof value === "string").map(String)))];
  if (names.length > 0) return { ...namedAxis(traces, names, about, way, most), names };
  const domain = reach(traces, about, way);
  const marked = about.dtick ? stepped(domain, about.dtick, most) : ticks(domain[0], domain[1], most);
  return { domain, ticks: marked.map((value) => ({ value, text: written(value, about) })), room: 0, names: null };
}

/**
 * @param {import("./drawing-marks.js").Dressed[]} traces
 * @param {string[]} names
 * @param {any} about
 * @param {"x" | "y"} way
 * @param {number} most
 */
function namedAxis(traces, names, about, way, most) {
  for (const trace of traces) trace[way] = trace[way].map((value) => names.indexOf(String(value)));
  const every = way === "x" ? Math.ceil(names.length / Math.min(most, about.nticks ?? most)) : 1;
  const texts = about.ticktext ?? names;
  const marked = names.map((_, value) => ({ value, text: plain(texts[value]) })).filter(({ value }) => value % every === 0);
  return { domain: /** @type {[number, number]} */ ([-0.6, names.length - 0.4]), ticks: marked, room: 0 };
}

/**
 * From where to where: all points, with air around; bars stand on zero.
 * @param {import("./drawing-marks.js").Dressed[]} traces
 * @param {any} about
 * @param {"x" | "y"} way
 * @returns {[number, number]}
 */
function reach(traces, about, way) {
  if (about.range) return about.range;
  const values = traces.flatMap((trace) => numbers(trace[way]));
  const lengths = traces.some((trace) => trace.type === "bar" && (trace.orientation === "h") === (way === "x"));
  if (lengths) values.push(0, ...stacks(traces, way));
  if (about.rangemode === "tozero") values.push(0);
  const [low, high] = values.length > 0 ? [Math.min(...values), Math.max(...values)] : [0, 1];
  const broad = traces.some((trace) => trace.type === "bar") && !lengths;
  const air = broad ? 0.6 : (high - low) * 0.06 || Math.abs(high) * 0.1 || 1;
  return [low === 0 && (lengths || about.rangemode) ? 0 : low - air, high === 0 && lengths ? 0 : high + air];
}

/** @param {(number | string | null)[]} values */
const numbers = (values) => /** @type {number[]} */ (values.filter((value) => typeof value === "number"));

/**
 * Where the bars of one place end that stand on each other: those above zero, and those below.
 * @param {import("./drawing-marks.js").Dressed[]} traces
 * @param {"x" | "y"} way
 */
function stacks(traces, way) {
  /** @type {Map<string, number>} */
  const ends = new Map();
  for (const trace of traces) {
    if (trace.type !== "bar") continue;
    for (const [i, place] of (way === "y" ? trace.x : trace.y).entries()) {
      const value = Number(trace[way][i]);
      const key = `${place} ${value < 0}`;
      ends.set(key, (ends.get(key) ?? 0) + value);
    }
  }
  return [...ends.values()];
}

/** @param {[number, number]} domain @param {number} step @param {number} most */
function stepped([low, high], step, most) {
  const by = step * Math.ceil((high - low) / step / most);
  const found = [];
  for (let value = Math.ceil(low / by) * by; value <= high; value += by) found.push(value);
  return found;
}

/**
 * A figure as its axis writes it: short money, a share, or a number with what follows it.
 * @param {number} value
 * @param {any} about
 */
export function written(value, about = {}) {
  const sign = value < 0 ? "−" : "";
  const size = Math.abs(value);
  if (about.tickprefix) return sign + shortMoney(size, /** @type {any} */ ({ currency: about.tickprefix }));
  if (about.tickformat === ".0%") return `${sign}${Math.round(100 * size)}%`;
  return `${sign}${size.toLocaleString("en-US", { maximumFractionDigits: 2 })}${about.ticksuffix ?? ""}`;
}

/** Plotly's line breaks as ours, its other marks left out. @param {string} text */
const plain = (text) =>
  text
    .replaceAll("<br>", "\n")
    .replaceAll(/<[^>]+>/g, "")
    .trim();

/** What stands left of the axis, in as many lines as it has. @param {string} text @param {number} x @param {number} y */
export function tickText(text, x, y) {
  const lines = text.split("\n");
  const first = y + 4 - (lines.length - 1) * 8;
  return svg(
    "text",
    { class: "tick-label", "text-anchor": "end" },
    ...lines.map((line, i) => svg("tspan", { x, y: first + 16 * i, class: i > 0 ? "strong" : null }, line)),
  );
}
