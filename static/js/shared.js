/** A shared deal: its offers on the ruler, with the truth where that was shared; the review is worked in once it is there. */

import { byId, embedded } from "./dom.js";
import { startFrame } from "./frame.js";
import { showLocalTimes } from "./room.js";
import { createRuler } from "./ruler.js";

const FIRST_LOOK_MS = 3000;
const LAST_LOOK_MS = 60_000;

/** Look for the review, at longer and longer intervals, and give up after some minutes. @param {number} pause */
function lookAgain(pause) {
  if (!document.querySelector("[data-weighing]") || pause > LAST_LOOK_MS) return;
  setTimeout(async () => {
    const response = await fetch(`${location.pathname}?again`).catch(() => null);
    if (response?.ok) {
      const page = new DOMParser().parseFromString(await response.text(), "text/html");
      const fresh = page.getElementById("decided");
      if (fresh && fresh.dataset.weighing === undefined) byId("decided").replaceWith(fresh);
    }
    lookAgain(pause * 1.6);
  }, pause);
}

const drawn = embedded("drawn");
startFrame();
showLocalTimes(document);
createRuler(byId("ruler"), embedded("scenario")).update({ limit: null, estimate: null, ...drawn });
lookAgain(FIRST_LOOK_MS);
document.documentElement.dataset.ready = "true";
