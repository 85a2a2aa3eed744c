/** Shows the state of the line: a quiet word in the bar, and a banner while it is cut. */

import { byId } from "./dom.js";
import { gettext } from "./words.js";

const WORDS = { connecting: gettext("Connecting"), open: gettext("Connected"), lost: gettext("Reconnecting"), ended: gettext("Disconnected") };

/** @returns {import("./socket.js").LineOptions["onState"]} */
export function createConnection() {
  const word = byId("connection");
  const banner = byId("line-banner");
  const live = byId("live");
  let showBanner = 0;
  return (state, why, signedOut = false) => {
    const before = word.dataset.state;
    if (before !== state) {
      word.dataset.state = state;
      word.textContent = WORDS[state];
      if (before === "lost" && state === "open") live.textContent = gettext("Connected again.");
    }
    clearTimeout(showBanner);
    if (state === "open" || state === "connecting") {
      banner.hidden = true;
      return;
    }
    banner.textContent = why || gettext("The line is cut. Reconnecting; nothing you sent is lost.");
    if (signedOut) banner.append(" ", wayBack());
    // A cut shorter than this heals before anybody needs to read about it.
    showBanner = window.setTimeout(
      () => {
        if (!banner.hidden) return;
        banner.hidden = false;
        live.textContent = banner.textContent;
      },
      state === "ended" ? 0 : 400,
    );
  };
}

/** The page for signing in, which leads back here. */
function wayBack() {
  const link = document.createElement("a");
  const next = location.pathname + location.search + location.hash;
  link.href = `${document.body.dataset.signIn}?${new URLSearchParams({ next })}`;
  link.textContent = gettext("Sign in again to go on.");
  return link;
}
