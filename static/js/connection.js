/** Shows the state of the line: a quiet word in the bar, and a banner while it is cut. */

import { byId } from "./dom.js";

const WORDS = { connecting: "Connecting", open: "Connected", lost: "Reconnecting", ended: "Disconnected" };

/** @returns {(state: import("./socket.js").LineState, why: string) => void} */
export function createConnection() {
  const word = byId("connection");
  const banner = byId("line-banner");
  let showBanner = 0;
  return (state, why) => {
    if (word.dataset.state !== state) {
      word.dataset.state = state;
      word.textContent = WORDS[state];
    }
    clearTimeout(showBanner);
    if (state === "open" || state === "connecting") {
      banner.hidden = true;
      return;
    }
    banner.textContent = why || "The line is cut. Reconnecting; nothing you sent is lost.";
    // A cut shorter than this heals before anybody needs to read about it.
    showBanner = window.setTimeout(() => (banner.hidden = false), state === "ended" ? 0 : 400);
  };
}
