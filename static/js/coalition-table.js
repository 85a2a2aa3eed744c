/** The table for three, for the one who plays: turns go out over the line, what they led to comes back. */

import { createComposer } from "./coalition-composer.js";
import { openTable } from "./coalition-view.js";
import { createWords } from "./coalition-words.js";
import { startDialogs } from "./dialogs.js";
import { byId, embedded } from "./dom.js";
import { showWatched } from "./watched.js";

export function startTable() {
  const start = embedded("bootstrap");
  const words = createWords(start);

  const composer = createComposer(start, words, (turn) => {
    if (turn.walk_away) ask("Leave the table?", "The other two can still agree without you. You get nothing.", "Leave", () => void send(turn));
    else void send(turn);
  });
  const line = openTable(start, words, {
    support: (offer, closes) => {
      const turn = { text: composer.words(), to: null, support: offer.number };
      if (!closes) void send(turn);
      else
        ask(
          `${words.deal(offer.proposal.members)}?`,
          `${words.pays(offer.proposal)}. That ${offer.gain < 0 ? "costs" : "leaves"} you ${words.figure(Math.abs(offer.gain))}, and the deal is closed.`,
          "Agree",
          () => void send(turn),
        );
    },
    onTable: (table) => {
      composer.seat(table.present);
      showWatched(table.watchers);
    },
    onEnd: composer.hide,
  });

  /** Answered after as many reconnects as it takes; meanwhile the form waits. @param {any} turn */
  async function send(turn) {
    composer.wait(true);
    const answer = await line.send("act", turn);
    composer.wait(false);
    if (answer.type === "ack") composer.clear();
    else if (answer.data.code === "below_outside") ask("Sign at a loss?", answer.data.message, "Sign it", () => void send({ ...turn, knowingly: true }));
    else composer.refuse(answer.data.message, answer.data.field);
  }

  startDialogs();
  document.documentElement.dataset.ready = "true";
}

/** @param {string} title @param {string} text @param {string} yes @param {() => void} then */
function ask(title, text, yes, then) {
  const dialog = /** @type {HTMLDialogElement} */ (byId("confirm"));
  const [no, agree] = /** @type {NodeListOf<HTMLButtonElement>} */ (dialog.querySelectorAll("button"));
  byId("confirm-title").textContent = title;
  byId("confirm-words").textContent = text;
  agree.textContent = yes;
  no.onclick = () => dialog.close();
  agree.onclick = () => {
    dialog.close();
    then();
  };
  dialog.showModal();
}
