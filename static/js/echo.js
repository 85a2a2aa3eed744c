/** Echoes what the parser understood of the words being written, before anything binds. */

import { byId, el } from "./dom.js";
import { formatMoney } from "./money.js";

const WAIT_MS = 220;

/**
 * @param {import("./money.js").Money} money
 * @param {(text: string) => Promise<any>} ask sends a preview, resolves with the reading or null
 * @param {(offer: number) => void} onBind
 */
export function createEcho(money, ask, onBind) {
  const root = byId("echo");
  let timer = 0;
  let asked = 0;

  return {
    /** @param {string} text @param {number | null} field the figure in the offer field */
    read(text, field) {
      clearTimeout(timer);
      if (text.trim() === "") {
        root.hidden = true;
        return;
      }
      timer = window.setTimeout(async () => {
        asked += 1;
        const mine = asked;
        const reading = await ask(text);
        if (mine === asked) show(reading, field);
      }, WAIT_MS);
    },
    clear() {
      clearTimeout(timer);
      asked += 1;
      root.hidden = true;
    },
  };

  /** @param {any} reading @param {number | null} field */
  function show(reading, field) {
    const words = reading ? meaning(reading, field) : "";
    root.hidden = words === "";
    if (words === "") return;
    root.replaceChildren(words);
    if (reading.kind === "offer" && reading.offer !== null && reading.offer !== field) {
      const bind = el("button", { type: "button", class: "button quiet" }, `Bind ${formatMoney(reading.offer, money)}`);
      bind.addEventListener("click", () => onBind(reading.offer));
      root.append(" ", bind);
    }
  }

  /** @param {any} reading @param {number | null} field */
  function meaning(reading, field) {
    const figure = reading.figure === null ? "" : formatMoney(reading.figure, money);
    switch (reading.kind) {
      case "offer":
        if (reading.offer === null) return "Reads as an offer without a clear figure.";
        if (reading.offer === field) return `Your words and the offer field agree: ${figure}.`;
        return `Your words propose ${formatMoney(reading.offer, money)}. Words alone do not bind.`;
      case "limit":
        return figure && `Reads as your limit, ${figure}. It does not bind.`;
      case "quote":
        return figure && `Reads as their figure, ${figure}.`;
      case "rejection":
        return figure ? `Reads as a no to ${figure}.` : "";
      case "hypothetical":
        return figure && `Reads as a what-if at ${figure}. It does not bind.`;
      default:
        return "";
    }
  }
}
