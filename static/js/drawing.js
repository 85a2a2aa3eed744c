/**
 * A figure drawn as SVG: points, lines and bars over two axes, from the same description that Plotly draws on the trainer's
 * pages. Colours are classes, so that theme, paper and forced colours need no second drawing; Plotly would be nine tenths of
 * the debrief's weight.
 */

import { el, svg } from "./dom.js";
import { axes, tickText } from "./drawing-axes.js";
import { bars, dress, lineOf, pointsOf, symbol } from "./drawing-marks.js";
import { linear } from "./scale.js";

/**
 * @typedef {object} Trace
 * @property {"scatter" | "bar"} type
 * @property {string} name
 * @property {(number | string)[]} x
 * @property {(number | string | null)[]} y
 * @property {string} [mode] lines, markers or both
 * @property {"h"} [orientation] bars that lie
 * @property {{shape?: string, dash?: string}} [line]
 * @property {{symbol?: string, size?: number, opacity?: number}} [marker]
 * @property {string[]} [text] what a point says for itself
 * @property {"skip"} [hoverinfo]
 * @property {boolean} [connectgaps]
 * @property {{role?: string}} [meta]
 *
 * @typedef {{root: SVGElement, x: (value: number) => number, y: (value: number) => number, box: Box}} Drawing
 * @typedef {{left: number, right: number, top: number, bottom: number}} Box
 */

const HEIGHT = 300;
const AIR = 14;

/**
 * @param {Trace[]} data
 * @param {any} layout
 * @param {number} width
 * @param {number} [height]
 * @returns {Drawing}
 */
export function drawing(data, layout, width, height = layout.height ?? HEIGHT) {
  const traces = data.map((trace, i) => dress(trace, i, data));
  const found = axes(traces, layout, width);
  const box = { left: found.y.room, right: width - AIR, top: AIR, bottom: height - found.x.room };
  const x = linear(found.x.domain, [box.left, box.right]);
  const y = linear(found.y.domain, layout.yaxis?.autorange === "reversed" ? [box.top, box.bottom] : [box.bottom, box.top]);
  const parts = [...grid(found.x, x, box, "x", layout.xaxis), ...grid(found.y, y, box, "y", layout.yaxis)];
  if (crossesZero(found.x, layout.xaxis)) parts.push(svg("path", { class: "zero", d: `M${x(0)} ${box.top}V${box.bottom}` }));
  if (crossesZero(found.y, layout.yaxis)) parts.push(svg("path", { class: "zero", d: `M${box.left} ${y(0)}H${box.right}` }));
  parts.push(...bars(traces, x, y));
  for (const trace of traces)
    if (trace.type === "scatter") {
      const points = pointsOf(trace);
      if (trace.mode?.includes("lines")) parts.push(lineOf(trace, points, x, y));
      if (trace.mode?.includes("markers"))
        for (const point of points)
          if (point) parts.push(svg("path", { class: `mark ${trace.look}`, d: symbol(trace, x(point.x), y(point.y)), opacity: trace.marker?.opacity }));
    }
  return { root: svg("svg", { viewBox: `0 0 ${width} ${height}`, width, height }, ...parts), x, y, box };
}

/**
 * The names beside the forms that stand for them.
 * @param {Trace[]} data
 * @param {any} layout
 */
export function legend(data, layout) {
  if (layout.showlegend === false) return null;
  const entries = data.map((given, i) => {
    const trace = dress(given, i, data);
    const sample = svg("svg", { viewBox: "0 0 26 14", width: 26, height: 14 });
    if (trace.type === "bar") sample.append(svg("rect", { class: `column ${trace.look}`, x: 6, y: 1, width: 13, height: 12 }));
    if (trace.mode?.includes("lines")) sample.append(svg("path", { class: `line ${trace.look}`, d: "M1 7H25" }));
    if (trace.mode?.includes("markers")) sample.append(svg("path", { class: `mark ${trace.look}`, d: symbol(trace, 13, 7) }));
    return el("li", {}, sample, trace.name);
  });
  return el("ul", { class: "plot-legend" }, ...entries);
}

/** Whether zero is a line to look at: not among names or turns. @param {import("./drawing-axes.js").Axis} axis @param {any} about */
function crossesZero({ domain, names }, about = {}) {
  return domain[0] < 0 && domain[1] >= 0 && !names && !about.dtick && about.zeroline !== false;
}

/**
 * @param {import("./drawing-axes.js").Axis} axis
 * @param {(value: number) => number} at
 * @param {Box} box
 * @param {"x" | "y"} way
 * @param {any} layout
 */
function grid(axis, at, box, way, layout = {}) {
  const parts = [];
  for (const tick of axis.ticks) {
    const place = at(tick.value);
    if (layout.showgrid !== false && !axis.names)
      parts.push(svg("path", { class: "grid", d: way === "x" ? `M${place} ${box.top}V${box.bottom}` : `M${box.left} ${place}H${box.right}` }));
    parts.push(
      way === "x"
        ? svg("text", { class: "tick-label", x: place, y: box.bottom + 18, "text-anchor": "middle" }, tick.text)
        : tickText(tick.text, box.left - 8, place),
    );
  }
  const title = layout.title?.text;
  if (title)
    parts.push(
      way === "x"
        ? svg("text", { class: "axis-title", x: (box.left + box.right) / 2, y: box.bottom + 38, "text-anchor": "middle" }, title)
        : svg("text", { class: "axis-title", transform: `translate(12 ${(box.top + box.bottom) / 2}) rotate(-90)`, "text-anchor": "middle" }, title),
    );
  return parts;
}
