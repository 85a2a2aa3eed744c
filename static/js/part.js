/** A part of a page that the server draws anew and pushes when what it shows has changed. */

const AGAIN_MS = [2000, 5000, 15_000, 30_000];
const DONE = 1000;
const REFUSED = 4000;

/**
 * Show a part as often as it is pushed; while no socket is open the page asks for it, and tries for a socket again.
 * Nothing more comes after `show` was told that the part is closed.
 *
 * @param {{
 *   address: () => string,
 *   show: (html: string, open: boolean) => void,
 *   ask: () => Promise<void>,
 *   askEveryMs: number,
 *   line?: (open: boolean) => void,
 * }} part `address` is the socket's path, drawn up anew for each try
 */
export function followPart({ address, show, ask, askEveryMs, line }) {
  let asking = 0;
  let tries = 0;

  const askInstead = () => {
    if (!asking) asking = window.setInterval(() => document.hidden || void ask(), askEveryMs);
  };
  const open = () => {
    const socket = new WebSocket(`${location.origin.replace(/^http/, "ws")}${address()}`);
    socket.addEventListener("message", ({ data }) => {
      const frame = JSON.parse(data);
      if (frame.type !== "now") return;
      tries = 0;
      clearInterval(asking);
      asking = 0;
      line?.(true);
      show(frame.data.html, frame.data.open);
    });
    socket.addEventListener("close", ({ code }) => {
      if (code === DONE) return;
      line?.(false);
      askInstead();
      if (code >= REFUSED) return;
      const wait = AGAIN_MS[Math.min(tries, AGAIN_MS.length - 1)] ?? 0;
      tries += 1;
      window.setTimeout(open, wait * (0.8 + 0.4 * Math.random()));
    });
  };
  open();
}
