/** The conversation of three: words, and what was done with them. */

import { byId, el } from "./dom.js";

/**
 * Parts read out one after the other: each ends as a sentence, and none with two stops.
 * @param {(string | null | undefined | false)[]} parts
 */
export const sentences = (parts) =>
  parts
    .filter(Boolean)
    .map((part) => (/[.!?…]["”’)]*$/.test(String(part)) ? part : `${part}.`))
    .join(" ");

/**
 * @param {any} start
 * @param {import("./coalition-words.js").Words} words
 */
export function createSaid(start, words) {
  const list = byId("said");
  const live = byId("live");
  /** @type {Map<number, any>} */
  const proposals = new Map();

  /** @param {any} turn */
  function deed(turn) {
    if (turn.proposal) return `${words.deal(turn.proposal.members)}. ${words.pays(turn.proposal)}.`;
    if (turn.support !== null) {
      const backed = proposals.get(turn.support);
      return backed ? `Stands behind “${words.deal(backed.proposal.members)}. ${words.pays(backed.proposal)}.”` : "Stands behind a proposal.";
    }
    return turn.walk_away ? "Leaves the table." : "";
  }

  /** Puts a turn on the page; what of it is news to the one who plays. @param {any} turn */
  function add(turn) {
    if (turn.proposal) proposals.set(turn.number, turn);
    const own = turn.seat === start.seat;
    const done = deed(turn);
    const who = own ? "You" : `${start.seats[turn.seat].short}, ${start.seats[turn.seat].name}`;
    const aside = turn.to ? `to ${words.object(turn.to)} only` : "";
    list.append(
      el(
        "li",
        { class: own ? "say own" : `say by-${turn.seat}`, "data-testid": own ? "own-line" : "opponent-line" },
        el("p", { class: "who" }, who, aside && el("span", { class: "tag" }, aside), el("span", { class: "when" }, `Round ${turn.round}`)),
        turn.text && el("p", { class: "words" }, turn.text),
        done && el("p", { class: "deed" }, done),
      ),
    );
    return own ? "" : sentences([who, turn.text, done]);
  }

  return {
    /** @param {any[]} turns @param {boolean} heard whether to read them out */
    show(turns, heard) {
      const news = turns.map(add).filter(Boolean);
      if (heard) live.textContent = news.join(" ");
      if (turns.length) list.scrollTop = list.scrollHeight;
    },
  };
}
