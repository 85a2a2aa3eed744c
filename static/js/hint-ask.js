/** A player alone asks for a hint: asked once whether the deal may count for learning only; it arrives as a note. */

import { confirm } from "./dialogs.js";
import { byId } from "./dom.js";
import { gettext } from "./words.js";

/**
 * @param {{assisted: () => boolean, over: () => boolean, say: (text: string) => void}} table
 */
export function startHintAsking({ assisted, over, say }) {
  const button = /** @type {HTMLButtonElement} */ (byId("hint-button"));
  button.addEventListener("click", async () => {
    if (over()) return say(gettext("This deal is over."));
    const question = {
      title: gettext("Ask for a hint?"),
      words: gettext("From then on this deal counts for learning only: it moves no rating and is no attempt at an assignment."),
      go: gettext("Ask"),
    };
    if (!assisted() && !(await confirm(question))) return;
    button.disabled = true;
    say(await ask(button.dataset.url ?? ""));
    button.disabled = false;
    button.focus();
  });
}

/** @param {string} url @returns {Promise<string>} what there is to say beside the note; empty where it came */
async function ask(url) {
  const token = /** @type {HTMLInputElement | null} */ (document.querySelector("[name=csrfmiddlewaretoken]"))?.value ?? "";
  try {
    const response = await fetch(url, { method: "POST", headers: { "X-CSRFToken": token, Accept: "application/json" } });
    const answer = await response.json();
    return answer.message ?? "";
  } catch {
    return gettext("The hint did not come through. Try again in a moment.");
  }
}
