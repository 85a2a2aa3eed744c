/** The debrief: four questions; what is behind them in tabs, whose drawings are drawn when they are opened or printed. */

import { arriveAt } from "./arrival.js";
import { startChampion } from "./champion.js";
import { startComments } from "./comments.js";
import { byId, embedded } from "./dom.js";
import { startDrawings } from "./drawings.js";
import { startFrame } from "./frame.js";
import { startJump } from "./jump.js";
import { createPanes } from "./panes.js";
import { planOf, planRows, showPlan } from "./plan.js";
import { awaitReview } from "./review-wait.js";
import { showLocalTimes } from "./room.js";
import { createRuler } from "./ruler.js";
import { startShare } from "./share.js";

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
 * On paper: the day's colours, the width of a page, every reason unfolded, every drawing drawn.
 * @param {(width?: number) => void} drawAll
 */
function startPrint(drawAll) {
  const { dataset } = document.documentElement;
  /** @type {HTMLDetailsElement[]} */
  let unfolded = [];
  let theme = dataset.theme;
  window.addEventListener("beforeprint", () => {
    theme = dataset.theme;
    dataset.theme = "light";
    unfolded = [.../** @type {NodeListOf<HTMLDetailsElement>} */ (document.querySelectorAll("#next details:not([open]), .by-turn details:not([open])"))];
    for (const reasons of unfolded) reasons.open = true;
    byId("ruler").style.width = `${PAPER}px`;
    drawRuler();
    drawAll(PAPER);
  });
  window.addEventListener("afterprint", () => {
    dataset.theme = theme;
    for (const reasons of unfolded) reasons.open = false;
    byId("ruler").style.removeProperty("width");
    drawRuler();
    drawAll();
  });
  const print = /** @type {HTMLButtonElement} */ (byId("print"));
  print.addEventListener("click", () => window.print());
  print.disabled = false;
}

/** The plan that the player made at the table, where it was made on this device. */
function startPlan() {
  const part = document.getElementById("plan-part");
  if (!part) return;
  const { zone, headline, seat } = review;
  const walkAway = seat === "seller" ? zone.original_low : zone.original_high;
  const done = { seat, first: pointsOf("own_worth")[0]?.offer ?? null, closed: headline.deal ? headline.worth : null, walkAway };
  showPlan(part, planRows(planOf(part.dataset.game ?? ""), done, scenario));
}

/** What the review brings is worked into the page where it was opened before the review was there. */
function startReview() {
  const decided = byId("decided");
  if (decided.dataset.reviewed === "no")
    awaitReview(decided, async () => {
      const response = await fetch(location.href, { redirect: "error" }).catch(() => null);
      if (!response?.ok) return;
      const page = new DOMParser().parseFromString(await response.text(), "text/html");
      for (const part of ["decided", "keep-start-stop"]) {
        const fresh = page.getElementById(part);
        if (fresh) byId(part).replaceWith(fresh);
      }
    });
}

startFrame();
showLocalTimes(document);
startJump();
createPanes();
drawRuler();
startPlan();
startReview();
startShare();
startPrint(startDrawings());
const comments = document.getElementById("comments");
if (comments) startComments(comments);
startChampion();
arriveAt(byId("went-h"));
document.documentElement.dataset.ready = "true";
