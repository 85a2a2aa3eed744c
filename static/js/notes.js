/**
 * A coach's notes at the rep's table: the latest lies above the composer until it is put away, all of them in a
 * drawer. It comes without taking the focus; the transcript's live region has said it already.
 */

import { byId, el } from "./dom.js";
import { gettext } from "./words.js";

/**
 * Whether it is a hint that the player asked for, by whom the log names as its author: it is about one turn, and goes with it.
 * @param {{author: string}} note
 */
export const isHint = (note) => /^a hint$/i.test(note.author);

/** @typedef {{seq: number, turn: number, text: string, author: string}} Note */

/** @param {string} gameId */
export function createNotes(gameId) {
  const card = byId("coach-note");
  const button = byId("notes-button");
  const drawer = /** @type {HTMLDialogElement} */ (byId("notes-dialog"));
  const key = `parlay-notes-${gameId}`;
  /** @type {Note[]} */
  let notes = [];
  let turn = 0;
  let putAway = remembered(key);

  byId("coach-note-dismiss").addEventListener("click", () => {
    putAway = notes.at(-1)?.seq ?? 0;
    remember(key, putAway);
    show();
    // The button that had the focus is gone; the field is where the rep was going.
    document.getElementById("utterance")?.focus({ preventScroll: true });
  });
  button.addEventListener("click", open);
  byId("coach-note-all").addEventListener("click", open);

  function open() {
    if (notes.length > 0) drawer.showModal();
  }

  function show() {
    const last = notes.at(-1);
    const passed = last !== undefined && isHint(last) && turn > last.turn;
    card.hidden = !last || last.seq <= putAway || passed;
    button.hidden = !last;
    if (!last) return;
    byId("coach-note-by").textContent = `${last.author}, ${at(last.turn)}`;
    byId("coach-note-text").textContent = last.text;
    byId("coach-note-all").hidden = notes.length < 2;
    byId("notes-count").textContent = String(notes.length);
    byId("notes-list").replaceChildren(
      ...notes
        .toReversed()
        .map((note) => el("li", {}, el("p", { class: "faint" }, `${note.author}, ${at(note.turn)}`), el("p", { class: "note-words", dir: "auto" }, note.text))),
    );
  }

  return {
    /** @param {Note[]} now every note so far, oldest first @param {number} played the turns that are over */
    update(now, played) {
      if (now.length === notes.length && played === turn) return;
      notes = now;
      turn = played;
      show();
    },
    open,
  };
}

/** @param {number} turn */
const at = (turn) => (turn === 0 ? gettext("at the opening") : gettext("after turn {turn}", { turn }));

/** @param {string} key */
function remembered(key) {
  try {
    return Number(sessionStorage.getItem(key) ?? 0);
  } catch {
    return 0;
  }
}

/** @param {string} key @param {number} seq */
function remember(key, seq) {
  try {
    sessionStorage.setItem(key, String(seq));
  } catch {
    // Storage can be forbidden: the note then comes back with the next page.
  }
}
