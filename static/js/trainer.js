/** The trainer's pages with figures: those of a dataset's card, and a run that keeps itself fresh. */

import { startFigures } from "./figures.js";
import { showLocalTimes } from "./room.js";
import { startTheme } from "./toggle.js";

const FIGURE_HEIGHT = 280;
const EVERY_MS = 2000;

/** Fetch the part of a run's page that changes, until the run is over; then the whole page with its curves. */
function startRunNow() {
  const now = document.getElementById("run-now");
  if (!now?.dataset.open) return;
  const timer = setInterval(async () => {
    if (document.hidden || now.contains(document.activeElement)) return;
    const answer = await fetch(now.dataset.now ?? "", { headers: { Accept: "text/html" } }).catch(() => null);
    if (!answer?.ok) return;
    const fresh = document.createRange().createContextualFragment(await answer.text());
    const over = !fresh.querySelector("[data-open]");
    now.replaceChildren(fresh);
    showLocalTimes(now);
    if (over) {
      clearInterval(timer);
      location.reload();
    }
  }, EVERY_MS);
}

startTheme();
startFigures(FIGURE_HEIGHT);
startRunNow();
showLocalTimes(document);
document.documentElement.dataset.ready = "true";
