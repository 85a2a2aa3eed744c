/** Plotly figures of a page: drawn as they come near, the rest when the page is idle; again with their width and theme. */

import { embedded } from "./dom.js";
import { dressData, dressLayout } from "./plotly-theme.js";

/**
 * Draw every figure of the page.
 * @param {object} [how]
 * @param {number} [how.height] of all figures that don't bring their own
 */
export function startFigures({ height } = {}) {
  const plots = /** @type {HTMLElement[]} */ ([...document.querySelectorAll("[data-figure]")]);
  const figures = plots.length > 0 ? embedded("figures") : [];
  /** @type {any} */
  let Plotly = null;
  /** @type {Promise<any> | null} */
  let loading = null;

  const draw = (/** @type {HTMLElement} */ root) => {
    const { data, layout } = figures.find((/** @type {any} */ each) => each.id === root.dataset.figure).plotly;
    const dressed = dressLayout(height ? { height, ...layout } : layout, root.clientWidth);
    void Plotly.react(root, dressData(data), dressed, { displayModeBar: false });
    root.dataset.drawn = "true";
  };
  const drawOnce = async (/** @type {HTMLElement} */ root) => {
    loading ??= load();
    try {
      Plotly = await loading;
    } catch {
      inNumbers(plots);
      return;
    }
    if (!root.dataset.drawn) draw(root);
  };
  const drawAll = async () => {
    for (const plot of plots) await drawOnce(plot);
  };
  const redraw = () => {
    for (const plot of plots) if (plot.dataset.drawn && plot.clientWidth > 0) draw(plot);
  };

  const near = new IntersectionObserver(
    (entries) => {
      for (const { isIntersecting, target } of entries) {
        if (!isIntersecting) continue;
        near.unobserve(target);
        void drawOnce(/** @type {HTMLElement} */ (target));
      }
    },
    { rootMargin: "300px" },
  );
  const sizes = new ResizeObserver((entries) => {
    for (const { target } of entries)
      if (/** @type {HTMLElement} */ (target).dataset.drawn && target.clientWidth > 0) draw(/** @type {HTMLElement} */ (target));
  });
  for (const plot of plots) {
    near.observe(plot);
    sizes.observe(plot);
  }
  const whenIdle = window.requestIdleCallback ?? ((/** @type {() => void} */ run) => setTimeout(run, 500));
  window.addEventListener("load", () => whenIdle(() => void drawAll()));
  window.addEventListener("themechange", redraw);
  matchMedia("(prefers-color-scheme: light)").addEventListener("change", () => setTimeout(redraw));
}

/** What can't be drawn is told by its table. @param {HTMLElement[]} plots */
function inNumbers(plots) {
  for (const plot of plots) {
    plot.hidden = true;
    plot.parentElement?.querySelector("details")?.setAttribute("open", "");
  }
}

/** Plotly is large: it is loaded with the first figure. @returns {Promise<any>} */
function load() {
  const own = /** @type {HTMLScriptElement} */ (document.querySelector("script[data-plotly]"));
  return new Promise((resolve, reject) => {
    if (!own.dataset.plotly) return reject(new Error("Plotly comes with a build"));
    const script = document.createElement("script");
    script.src = own.dataset.plotly;
    script.addEventListener("load", () => resolve(/** @type {any} */ (window).Plotly));
    script.addEventListener("error", () => reject(new Error("Plotly could not be loaded")));
    document.head.append(script);
  });
}
