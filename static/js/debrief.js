/** The debrief: the ruler with the truth drawn in, and Plotly figures once they come into view. */

import { byId, embedded } from "./dom.js";
import { dressData, dressLayout } from "./plotly-theme.js";
import { createRuler } from "./ruler.js";
import { startTheme } from "./toggle.js";

const review = embedded("debrief");
const scenario = embedded("scenario");
const figures = embedded("figures");

/** @param {"own" | "theirs"} side */
const pointsOf = (side) =>
  review.offers.filter((/** @type {any} */ row) => row[side] !== null).map((/** @type {any} */ row) => ({ turn: row.turn, offer: row[side] }));

function drawRuler() {
  const { zone, headline, seat } = review;
  createRuler(byId("ruler"), scenario).update({
    seat,
    limit: seat === "seller" ? zone.original_low : zone.original_high,
    yours: pointsOf("own"),
    theirs: pointsOf("theirs"),
    truth: { low: zone.original_low, high: zone.original_high, nash: zone.nash },
    price: headline.price,
  });
}

/** Plotly is large, so it is fetched only when the first figure comes near. */
function startFigures() {
  const plots = /** @type {HTMLElement[]} */ ([...document.querySelectorAll("[data-figure]")]);
  /** @type {Promise<any> | null} */
  let library = null;
  const draw = async (/** @type {HTMLElement} */ root) => {
    const figure = figures.find((/** @type {any} */ candidate) => candidate.id === root.dataset.figure);
    library ??= load();
    const Plotly = await library;
    await Plotly.react(root, dressData(figure.plotly.data), dressLayout(figure.plotly.layout), { displayModeBar: false, responsive: true });
    root.dataset.drawn = "true";
  };
  const seen = new IntersectionObserver(
    (entries) => {
      for (const entry of entries) {
        if (!entry.isIntersecting) continue;
        seen.unobserve(entry.target);
        void draw(/** @type {HTMLElement} */ (entry.target));
      }
    },
    { rootMargin: "300px" },
  );
  for (const plot of plots) seen.observe(plot);
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

startTheme();
drawRuler();
startFigures();
document.documentElement.dataset.ready = "true";
