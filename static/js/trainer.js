/** The trainer's pages with figures: those of a dataset's card, and a run that keeps itself fresh. */

import { startFigures } from "./figures.js";
import { startFrame } from "./frame.js";
import { followPart } from "./part.js";
import { showLocalTimes } from "./room.js";

const FIGURE_HEIGHT = 280;
const EVERY_MS = 2000;

/**
 * Keep the part of a run's page that changes fresh until the run is over; then the whole page with its curves. The
 * server says over the socket when something changed; where no socket opens, the page asks every two seconds.
 */
function startRunNow() {
  const now = document.getElementById("run-now");
  if (!now?.dataset.open) return;

  /** @param {string} html @param {boolean} open */
  const show = (html, open) => {
    if (!open) {
      location.reload();
      return;
    }
    // Whoever reads the log or has it open is not disturbed.
    if (now.contains(document.activeElement) && document.activeElement !== document.body) return;
    const reading = now.querySelector("details[open]") !== null;
    now.replaceChildren(document.createRange().createContextualFragment(html));
    const log = now.querySelector("details");
    if (log) log.open = reading;
    showLocalTimes(now);
  };
  const ask = async () => {
    const answer = await fetch(now.dataset.now ?? "", { headers: { Accept: "text/html" } }).catch(() => null);
    if (!answer?.ok) return;
    const html = await answer.text();
    show(html, html.includes("data-open"));
  };
  followPart({
    address: () => now.dataset.socket ?? "",
    show,
    ask,
    askEveryMs: EVERY_MS,
    line: (open) => {
      if (open) now.dataset.live = "true";
      else delete now.dataset.live;
    },
  });
}

startFrame();
startFigures({ height: FIGURE_HEIGHT });
startRunNow();
showLocalTimes(document);
document.documentElement.dataset.ready = "true";
