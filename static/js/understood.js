/**
 * What the table understood of the words being written, before anything binds: a clear offer and clear terms go into
 * the fields, where they stand to be seen; everything else is told in a line.
 */

import { byId } from "./dom.js";
import { formatMoney } from "./money.js";
import { gettext } from "./words.js";

const WAIT_MS = 220;

/**
 * @typedef {object} Reading what the server made of the words
 * @property {string} kind
 * @property {number | null} offer
 * @property {number | null} figure
 * @property {boolean} clear whether the words leave one meaning
 * @property {Record<string, string>} terms named in the words, issue to option
 * @property {{talk: Done[], unsure: Done[], insult: boolean} | null} case what the words do, where there is a case
 */
/** @typedef {{act: string, topic: string | null, id: string | null, quote: string}} Done */

/**
 * @param {object} options
 * @param {import("./money.js").Money} options.money
 * @param {{acts: Record<string, string>, topics: Record<string, string>} | null} options.sheet
 * @param {(text: string) => Promise<Reading | null>} options.ask sends a preview
 * @param {(reading: Reading | null) => void} options.onRead what was read, or that nothing is written
 */
export function createUnderstood({ money, sheet, ask, onRead }) {
  const line = byId("echo");
  let timer = 0;
  let asked = 0;

  /** @param {string} words */
  function tell(words) {
    line.hidden = words === "";
    line.textContent = words;
  }

  return {
    /** @param {string} text */
    read(text) {
      clearTimeout(timer);
      asked += 1;
      const mine = asked;
      if (text.trim() === "") {
        tell("");
        onRead(null);
        return;
      }
      timer = window.setTimeout(async () => {
        const reading = await ask(text);
        if (mine !== asked || !reading) return;
        onRead(reading);
        tell([ofFigure(reading, money), ofTalk(reading.case, sheet)].filter(Boolean).join(" "));
      }, WAIT_MS);
    },
    clear() {
      clearTimeout(timer);
      asked += 1;
      tell("");
    },
  };
}

/**
 * What the words say about a figure, where it is not an offer that went into the field.
 * @param {Reading} reading
 * @param {import("./money.js").Money} money
 */
export function ofFigure(reading, money) {
  const figure = reading.figure === null ? "" : formatMoney(reading.figure, money);
  switch (reading.kind) {
    case "offer":
      if (reading.offer === null) return gettext("Reads as an offer without a clear figure.");
      return reading.clear ? "" : gettext("Reads as an offer of {offer}, not for sure: set the price yourself.", { offer: formatMoney(reading.offer, money) });
    case "limit":
      return figure && gettext("Reads as your limit, {figure}. It does not bind.", { figure });
    case "quote":
      return figure && gettext("Reads as their figure, {figure}.", { figure });
    case "rejection":
      return figure ? gettext("Reads as a no to {figure}.", { figure }) : "";
    case "hypothetical":
      return figure && gettext("Reads as a what-if at {figure}. It does not bind.", { figure });
    default:
      return "";
  }
}

/**
 * What the words do beside figures: "Asks about timing; gives a reason on support."
 * @param {Reading["case"]} heard
 * @param {{acts: Record<string, string>, topics: Record<string, string>} | null} sheet
 */
export function ofTalk(heard, sheet) {
  if (!heard || !sheet) return "";
  const inWords = (/** @type {Done} */ { act, topic }) => sheet.acts[act].replace("{topic}", topic ? sheet.topics[topic] : "it");
  const done = [...new Set(heard.talk.map(inWords)), ...(heard.insult ? [gettext("will be heard as an insult")] : [])];
  const unsure =
    heard.unsure.length > 0 && done.length === 0 ? gettext("Perhaps {unsure}; say it more plainly to be heard.", { unsure: inWords(heard.unsure[0]) }) : "";
  const said = done.join("; ");
  return said ? `${said.charAt(0).toUpperCase()}${said.slice(1)}.` : unsure;
}
