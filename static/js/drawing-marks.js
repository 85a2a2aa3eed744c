/** The marks of a drawing: bars, lines and points, each with a class for its colour. */

import { svg } from "./dom.js";

/** @typedef {import("./drawing.js").Trace & {look: string}} Dressed */
/** @typedef {{x: number, y: number} | null} Point */

/** Roles whose points have a form of their own: form as well as colour tells lines apart. */
const FORMS = /** @type {Record<string, string>} */ ({ theirs: "square", agreed: "diamond" });
const ROLES = new Set(["own", "theirs", "own-limit", "their-limit", "agreed", "reference", "tension", "zone", "outcome", "frontier", "solution", "signed"]);
const COLOURS = 7;
const BAR = 0.65;

/**
 * A copy with the class of its colour: that of its role, else one of seven in their order.
 * @param {import("./drawing.js").Trace} trace
 * @param {number} i
 * @param {import("./drawing.js").Trace[]} all
 * @returns {Dressed}
 */
export function dress(trace, i, all) {
  const role = trace.meta?.role ?? "";
  const before = all.slice(0, i).filter((each) => !ROLES.has(each.meta?.role ?? "")).length;
  return { ...trace, look: ROLES.has(role) ? `of-${role}` : `of-part-${before % COLOURS}` };
}

/** @param {Dressed} trace @returns {Point[]} a gap where there is no figure */
export function pointsOf(trace) {
  const points = trace.x.map((x, i) => (trace.y[i] === null ? null : { x: Number(x), y: Number(trace.y[i]) }));
  return trace.connectgaps ? points.filter(Boolean) : points;
}

/**
 * @param {Dressed} trace
 * @param {Point[]} points
 * @param {(value: number) => number} x
 * @param {(value: number) => number} y
 */
export function lineOf(trace, points, x, y) {
  let d = "";
  let pen = "M";
  for (const point of points) {
    if (!point) {
      pen = "M";
      continue;
    }
    const [across, down] = [x(point.x).toFixed(1), y(point.y).toFixed(1)];
    d += pen === "L" && trace.line?.shape === "hv" ? `H${across}V${down}` : `${pen}${across} ${down}`;
    pen = "L";
  }
  return svg("path", { class: `line ${trace.look}`, d });
}

/**
 * All bars, those of one place on each other.
 * @param {Dressed[]} traces
 * @param {(value: number) => number} x
 * @param {(value: number) => number} y
 */
export function bars(traces, x, y) {
  /** @type {Map<string, number>} */
  const ends = new Map();
  const parts = [];
  for (const trace of traces) {
    if (trace.type !== "bar") continue;
    const lying = trace.orientation === "h";
    const [places, lengths, along, across] = lying ? [trace.y, trace.x, x, y] : [trace.x, trace.y, y, x];
    const thick = Math.min(56, Math.abs(across(1) - across(0)) * BAR);
    for (const [i, place] of places.entries()) {
      const value = Number(lengths[i]);
      if (!value) continue;
      const key = `${place} ${value < 0}`;
      const from = ends.get(key) ?? 0;
      ends.set(key, from + value);
      const [start, end] = [along(from), along(from + value)].sort((a, b) => a - b);
      const middle = across(Number(place)) - thick / 2;
      const look = trace.look === "of-signed" ? (value < 0 ? "of-loss" : "of-gain") : trace.look;
      const size = lying ? { x: start, y: middle, width: end - start, height: thick } : { x: middle, y: start, width: thick, height: end - start };
      parts.push(svg("rect", { class: `column ${look}`, ...size }));
    }
  }
  return parts;
}

/**
 * The outline of one point.
 * @param {Dressed} trace
 * @param {number} x
 * @param {number} y
 */
export function symbol(trace, x, y) {
  const form = trace.marker?.symbol ?? FORMS[trace.meta?.role ?? ""] ?? "circle";
  const r = (trace.marker?.size ?? 9) / 2;
  if (form === "square") return `M${x - r} ${y - r}h${2 * r}v${2 * r}h${-2 * r}z`;
  if (form === "diamond") return `M${x} ${y - r * 1.3}l${r * 1.3} ${r * 1.3}l${-r * 1.3} ${r * 1.3}l${-r * 1.3} ${-r * 1.3}z`;
  if (form === "x") return cross(x, y, r);
  if (form === "star") return star(x, y, r * 1.3);
  return form === "circle-open" ? `${ring(x, y, r)}${ring(x, y, r - 2)}` : ring(x, y, r);
}

/** A circle; two of them leave a ring, since marks are filled by the even-odd rule. @param {number} x @param {number} y @param {number} r */
const ring = (x, y, r) => `M${x - r} ${y}a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0z`;

/** @param {number} x @param {number} y @param {number} r */
function cross(x, y, r) {
  const w = r * 0.35;
  const corner = [
    [-r, -r + w],
    [-r + w, -r],
    [0, -w],
    [r - w, -r],
    [r, -r + w],
    [w, 0],
    [r, r - w],
    [r - w, r],
    [0, w],
    [-r + w, r],
    [-r, r - w],
    [-w, 0],
  ];
  return `M${corner.map(([dx, dy]) => `${x + dx} ${y + dy}`).join("L")}z`;
}

/** @param {number} x @param {number} y @param {number} r */
function star(x, y, r) {
  const corner = Array.from({ length: 10 }, (_, i) => {
    const [reach, turn] = [i % 2 ? r * 0.42 : r, (Math.PI * i) / 5];
    return `${(x + reach * Math.sin(turn)).toFixed(1)} ${(y - reach * Math.cos(turn)).toFixed(1)}`;
  });
  return `M${corner.join("L")}z`;
}
