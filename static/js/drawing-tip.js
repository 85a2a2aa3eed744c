/** What a drawing says under the pointer: the figures of the nearest turn, or of the nearest point. */

import { el, svg } from "./dom.js";
import { written } from "./drawing-axes.js";

/** How near the pointer has to come to a point, in px. */
const NEAR = 40;

/**
 * @param {HTMLElement} frame what the drawing stands in
 * @param {import("./drawing.js").Trace[]} data
 * @param {any} layout
 * @param {import("./drawing.js").Drawing} drawn
 */
export function startTip(frame, data, layout, drawn) {
  const tip = el("div", { class: "plot-tip", hidden: true });
  const guide = svg("path", { class: "guide", d: "" });
  drawn.root.append(guide);
  frame.append(tip);
  const points = pointsOf(data, layout);
  const alone = layout.hovermode === "closest";
  const hide = () => {
    tip.hidden = true;
    guide.setAttribute("d", "");
  };
  frame.addEventListener("pointerleave", hide);
  frame.addEventListener("pointermove", (event) => {
    const at = frame.getBoundingClientRect();
    const [left, top] = [event.clientX - at.left, event.clientY - at.top];
    const far = (/** @type {typeof points[number]} */ point) => Math.hypot(drawn.x(point.x) - left, alone ? drawn.y(point.y) - top : 0);
    const nearest = points.reduce((best, point) => (far(point) < far(best) ? point : best), points[0]);
    if (!nearest || (alone && far(nearest) > NEAR)) return hide();
    const said = alone ? [nearest.alone] : [heading(nearest.x, layout), ...points.filter((point) => point.x === nearest.x).map((point) => point.line)];
    tip.replaceChildren(...said.map((line) => el("p", {}, line)));
    tip.hidden = false;
    const x = drawn.x(nearest.x);
    if (!alone) guide.setAttribute("d", `M${x} ${drawn.box.top}V${drawn.box.bottom}`);
    tip.style.setProperty("left", `${x > at.width / 2 ? x - tip.offsetWidth - 12 : x + 12}px`);
    tip.style.setProperty("top", `${alone ? drawn.y(nearest.y) : drawn.box.top}px`);
  });
}

/** @param {number} x @param {any} layout */
function heading(x, layout) {
  const title = layout.xaxis?.title?.text;
  return `${title ? `${title} ` : ""}${written(x, layout.xaxis)}`;
}

/**
 * @param {import("./drawing.js").Trace[]} data
 * @param {any} layout
 */
function pointsOf(data, layout) {
  return data
    .filter((trace) => trace.hoverinfo !== "skip")
    .flatMap((trace) =>
      trace.x.flatMap((x, i) => {
        const y = trace.y[i];
        if (typeof x !== "number" || typeof y !== "number") return [];
        const figure = exact(y, layout.yaxis);
        const own = trace.text?.[i];
        const line = `${own ? `${own}: ` : `${trace.name}: `}${figure}`;
        return [{ x, y, line, alone: `${own ?? trace.name}: ${exact(x, layout.xaxis)}, ${figure}` }];
      }),
    );
}

/** Exact under the pointer, short on the axis. @param {number} value @param {any} about */
function exact(value, about = {}) {
  if (!about.tickprefix) return written(value, about);
  return `${value < 0 ? "−" : ""}${about.tickprefix}${Math.abs(value).toLocaleString("en-US", { maximumFractionDigits: 2 })}`;
}
