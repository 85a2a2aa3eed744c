/** The drawings of a page, each as wide as it stands: drawn when it comes to have a width, again when that changes. */

import { el, embedded } from "./dom.js";
import { drawing, legend } from "./drawing.js";
import { startTip } from "./drawing-tip.js";

/**
 * Draw every figure of the page.
 * @returns {(width?: number) => void} draws all again; at this width where they are hidden, or on paper
 */
export function startDrawings() {
  const plots = /** @type {HTMLElement[]} */ ([...document.querySelectorAll("[data-figure]")]);
  const figures = plots.length > 0 ? embedded("figures") : [];

  /** @param {HTMLElement} root @param {number} width */
  const draw = (root, width) => {
    const { data, layout } = figures.find((/** @type {any} */ each) => each.id === root.dataset.figure).plotly;
    const drawn = drawing(data, layout, width);
    const frame = el("div", { class: "plot-frame" });
    frame.append(drawn.root);
    root.replaceChildren(...[legend(data, layout), frame].filter((part) => part !== null));
    startTip(frame, data, layout, drawn);
    root.dataset.drawn = "true";
  };
  // Paper has a width of its own: whoever prints draws again.
  const sizes = new ResizeObserver((entries) => {
    if (matchMedia("print").matches) return;
    for (const { target } of entries) if (target.clientWidth > 0) draw(/** @type {HTMLElement} */ (target), target.clientWidth);
  });
  for (const plot of plots) sizes.observe(plot);
  return (width) => {
    for (const plot of plots) if (width || plot.clientWidth > 0) draw(plot, width || plot.clientWidth);
  };
}
