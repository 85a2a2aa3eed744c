/** The debrief: the ruler with the truth drawn in, and the Plotly figures, on the screen and on paper. */

import { startChampion } from "./champion.js";
import { startComments } from "./comments.js";
import { byId, embedded } from "./dom.js";
import { startFigures } from "./figures.js";
import { startReview } from "./review.js";
import { showLocalTimes } from "./room.js";
import { createRuler } from "./ruler.js";
import { startTheme } from "./toggle.js";

const review = embedded("debrief");
const scenario = embedded("scenario");

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

/**
 * On paper: the day's colours, the width of a page, every reason unfolded.
 * @param {import("./figures.js").Figures} figures
 */
function startPrint({ drawAll, redraw }) {
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

startTheme();
showLocalTimes(document);
drawRuler();
startReview(review, scenario);
startPrint(startFigures());
const comments = document.getElementById("comments");
if (comments) startComments(comments);
startChampion();
document.documentElement.dataset.ready = "true";
