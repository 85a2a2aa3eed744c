/** The pages of a deal between two people: the wait for the other side, and the table. */

import { createConnection } from "./connection.js";
import { byId, embedded } from "./dom.js";
import { startFrame } from "./frame.js";
import { startTable } from "./pair-table.js";
import { openLine } from "./socket.js";

/** Wait for the first event: somebody has sat down. */
function startWaiting() {
  const start = embedded("bootstrap");
  openLine({
    url: start.ws_url,
    since: () => start.last_seq,
    onFrame: () => location.reload(),
    onState: createConnection(),
  });
  const link = /** @type {HTMLInputElement | null} */ (document.getElementById("invitation"));
  document.getElementById("copy-invitation")?.addEventListener("click", async () => {
    if (!link) return;
    link.select();
    try {
      await navigator.clipboard.writeText(link.value);
      byId("copy-invitation").textContent = "Copied";
    } catch {
      // Without the right to the clipboard the selected address can be copied by hand.
    }
  });
  document.documentElement.dataset.ready = "true";
}

startFrame();
if (document.getElementById("pair-waiting")) startWaiting();
else startTable();
