/** The model server's page keeps itself fresh, but never under somebody's hands. */

import { showLocalTimes } from "./room.js";

const EVERY_MS = 4000;

export function startServing() {
  const now = document.getElementById("now");
  const address = now?.dataset.now;
  if (!now || !address) return;

  async function refresh() {
    if (document.hidden || now?.contains(document.activeElement)) return;
    const answer = await fetch(address ?? "", { headers: { Accept: "text/html" } }).catch(() => null);
    if (!answer?.ok) return;
    const fresh = await answer.text();
    // Whoever has come to a button meanwhile keeps it.
    if (!now || now.contains(document.activeElement)) return;
    now.replaceChildren(document.createRange().createContextualFragment(fresh));
    showLocalTimes(now);
  }
  setInterval(() => void refresh(), EVERY_MS);
}
