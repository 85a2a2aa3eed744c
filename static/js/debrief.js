/** The debrief: the ruler with the truth drawn in, and the Plotly figures, on the screen and on paper. */

import { startComments } from "./comments.js";
import { byId, embedded } from "./dom.js";
import { dressData, dressLayout } from "./plotly-theme.js";
import { startReview } from "./review.js";
import { createRuler } from "./ruler.js";
import { startTheme } from "./toggle.js";

const review = embedded("debrief");
const scenario = embedded("scenario");
const figures = embedded("figures");

/** @param {"own_worth" | "their_worth"} side */
const pointsOf = (side) =>
  review.offers.filter((/** @type {any} */ row) => row[side] !== null).map((/** @type {any} */ row) => ({ turn: row.turn, offer: row[side] }));

const ruler = createRuler(byId("ruler"), scenario);

function drawRuler() {
  const { zone, headline, seat } = review;
  ruler.update({
    seat,
    limit: seat === "seller" ? zone.original_low : zone.original_high,
    yours: pointsOf("own_worth"),
    theirs: pointsOf("their_worth"),
    truth: { low: zone.original_low, high: zone.original_high, nash: zone.nash },
    price: headline.worth,
    packages: review.packages !== null,
  });
}

/** Width of a figure on paper, where nothing can be measured before it is printed. */
const PAPER = 680;

/** Plotly is large: figures are drawn as they come near, the rest when the page is idle, so that all can be printed. */
function startFigures() {
  const plots = /** @type {HTMLElement[]} */ ([...document.querySelectorAll("[data-figure]")]);
  /** @type {any} */
  let Plotly = null;
  /** @type {Promise<any> | null} */
  let loading = null;

  /** @param {HTMLElement} root @param {number} [width] */
  const draw = (root, width = root.clientWidth) => {
    const figure = figures.find((/** @type {any} */ candidate) => candidate.id === root.dataset.figure);
    void Plotly.react(root, dressData(figure.plotly.data), dressLayout(figure.plotly.layout, width), { displayModeBar: false });
    root.dataset.drawn = "true";
  };
  const drawWhenLoaded = async (/** @type {HTMLElement} */ root) => {
    loading ??= load();
    Plotly = await loading;
    if (!root.dataset.drawn) draw(root);
  };
  /** @param {number} [width] */
  const redraw = (width) => {
    for (const plot of plots) if (Plotly) draw(plot, width);
  };

  const near = new IntersectionObserver(
    (entries) => {
      for (const entry of entries) {
        if (!entry.isIntersecting) continue;
        near.unobserve(entry.target);
        void drawWhenLoaded(/** @type {HTMLElement} */ (entry.target));
      }
    },
    { rootMargin: "300px" },
  );
  for (const plot of plots) near.observe(plot);
  const rest = async () => {
    for (const plot of plots) await drawWhenLoaded(plot);
  };
  const whenIdle = window.requestIdleCallback ?? ((/** @type {() => void} */ run) => setTimeout(run, 500));
  window.addEventListener("load", () => whenIdle(() => void rest()));

  const sizes = new ResizeObserver((entries) => {
    if (matchMedia("print").matches) return;
    for (const { target } of entries) if (/** @type {HTMLElement} */ (target).dataset.drawn) draw(/** @type {HTMLElement} */ (target));
  });
  for (const plot of plots) sizes.observe(plot);
  window.addEventListener("themechange", () => redraw());
  startPrint(rest, redraw);
}

/**
 * On paper: the day's colours, the width of a page, every reason unfolded.
 * @param {() => Promise<void>} drawAll
 * @param {(width?: number) => void} redraw
 */
function startPrint(drawAll, redraw) {
  const { dataset } = document.documentElement;
  /** @type {HTMLDetailsElement[]} */
  let unfolded = [];
  let theme = dataset.theme;
  window.addEventListener("beforeprint", () => {
    theme = dataset.theme;
    dataset.theme = "light";
    unfolded = [.../** @type {NodeListOf<HTMLDetailsElement>} */ (document.querySelectorAll(".by-turn details:not([open])"))];
    for (const reasons of unfolded) reasons.open = true;
    byId("ruler").style.width = `${PAPER}px`;
    drawRuler();
    redraw(PAPER);
  });
  window.addEventListener("afterprint", () => {
    dataset.theme = theme;
    for (const reasons of unfolded) reasons.open = false;
    byId("ruler").style.removeProperty("width");
    drawRuler();
    redraw();
  });
  byId("print").addEventListener("click", async () => {
    await drawAll();
    window.print();
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
startReview(review, scenario);
startFigures();
const comments = document.getElementById("comments");
if (comments) startComments(comments);
document.documentElement.dataset.ready = "true";
