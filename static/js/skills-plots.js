/** Figures that are drawn as they come near. Plotly is large, so it is loaded with the first of them. */

import { embedded } from "./dom.js";
import { dressData, dressLayout } from "./plotly-theme.js";

const HEIGHT = 300;

/** Draw every figure of the page, again when its width or the theme changes. */
export function startPlots() {
  const plots = /** @type {HTMLElement[]} */ ([...document.querySelectorAll("[data-figure]")]);
  if (plots.length === 0) return;
  const figures = embedded("figures");
  /** @type {Promise<any> | null} */
  let loading = null;

  /** @param {HTMLElement} root */
  const draw = async (root) => {
    loading ??= load();
    const Plotly = await loading;
    const { data, layout } = figures.find((/** @type {any} */ each) => each.id === root.dataset.figure).plotly;
    const dressed = { ...dressLayout(layout, root.clientWidth), height: HEIGHT };
    await Plotly.react(root, dressData(data), dressed, { displayModeBar: false });
    root.dataset.drawn = "true";
  };
  const near = new IntersectionObserver(
    (entries) => {
      for (const { isIntersecting, target } of entries) {
        if (!isIntersecting) continue;
        near.unobserve(target);
        sizes.observe(target);
      }
    },
    { rootMargin: "300px" },
  );
  // Observing a size tells of it once at the start, which is when the figure is drawn.
  const sizes = new ResizeObserver((entries) => {
    for (const { target } of entries) void draw(/** @type {HTMLElement} */ (target));
  });
  for (const plot of plots) near.observe(plot);
  window.addEventListener("themechange", () => {
    for (const plot of plots) if (plot.dataset.drawn) void draw(plot);
  });
}

/** @returns {Promise<any>} */
function load() {
  const own = /** @type {HTMLScriptElement} */ (document.querySelector("script[data-plotly]"));
  return new Promise((resolve, reject) => {
    const script = document.createElement("script");
    script.src = own.dataset.plotly ?? "";
    script.addEventListener("load", () => resolve(/** @type {any} */ (window).Plotly));
    script.addEventListener("error", () => reject(new Error("Plotly could not be loaded")));
    document.head.append(script);
  });
}
