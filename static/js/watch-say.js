/** The coach's field: a note that the rep reads at once, or a comment on a turn that waits for the debrief. */

import { byId } from "./dom.js";
import { gettext } from "./words.js";

/**
 * @param {object} options
 * @param {string} options.player
 * @param {() => number} options.turn the turn that is on the table
 * @param {(type: string, data: any) => Promise<import("./socket.js").Answer>} options.send
 * @param {((turn: number, text: string) => Promise<string>) | null} options.comment null for who may not comment
 */
export function startSay({ player, turn, send, comment }) {
  const form = /** @type {HTMLFormElement} */ (byId("whisper"));
  const field = /** @type {HTMLTextAreaElement} */ (byId("whisper-text"));
  const button = /** @type {HTMLButtonElement} */ (byId("whisper-send"));
  const problem = byId("whisper-error");
  const done = byId("whisper-done");
  const turns = /** @type {HTMLSelectElement | null} */ (document.getElementById("say-turn"));
  const tabs = /** @type {HTMLInputElement[]} */ ([...form.querySelectorAll("[name=to]")]);
  const comments = () => (tabs.length > 0 ? tabs.some((tab) => tab.checked && tab.value === "comment") : comment !== null);

  function settle() {
    const later = comments();
    form.dataset.to = later ? "comment" : "note";
    button.textContent = later ? gettext("Comment") : gettext("Pass");
    byId("whisper-label").textContent = later
      ? gettext("For the debrief: {player} reads it once the deal is over", { player })
      : gettext("{player} reads it now, with your name", { player });
    field.placeholder = later ? gettext("What will be worth talking about?") : gettext("Ask about the deadline");
    grow();
  }

  function grow() {
    field.style.height = "auto";
    field.style.height = `${Math.min(field.scrollHeight + 2, 140)}px`;
  }

  async function submit() {
    const text = field.value.trim();
    if (button.disabled) return;
    button.disabled = true;
    const later = comments();
    const wrong = later ? await comment?.(Number(turns?.value ?? turn()), text) : await pass(text);
    button.disabled = false;
    problem.hidden = !wrong;
    problem.textContent = wrong ?? "";
    if (wrong) return;
    field.value = "";
    done.textContent = later ? gettext("The comment waits for the debrief.") : gettext("Passed to {player}.", { player });
    grow();
    field.focus();
  }

  /** @param {string} text */
  async function pass(text) {
    const answer = await send("whisper", { text });
    return answer.type === "error" ? answer.data.message : "";
  }

  form.addEventListener("submit", (event) => {
    event.preventDefault();
    void submit();
  });
  field.addEventListener("input", () => {
    done.textContent = "";
    grow();
  });
  field.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
    event.preventDefault();
    void submit();
  });
  for (const tab of tabs) tab.addEventListener("change", settle);
  window.addEventListener("resize", grow);
  settle();

  return {
    /** Put a hint into the field, to be changed or passed as it is. @param {string} text */
    prefill(text) {
      for (const tab of tabs) tab.checked = tab.value === "note";
      settle();
      field.value = text;
      grow();
      field.focus();
      field.setSelectionRange(text.length, text.length);
    },
    /** Turns that can be commented on. @param {number} last */
    reach(last) {
      if (!turns) return;
      for (let n = turns.options.length; n <= last; n += 1) {
        // Whoever has not chosen another one writes about the latest turn.
        const follow = turns.selectedIndex === n - 1 && !field.value;
        turns.add(new Option(n === 0 ? gettext("the opening") : gettext("turn {n}", { n }), String(n)));
        if (follow) turns.selectedIndex = n;
      }
    },
    /** Notes end with the deal; comments go on. */
    over() {
      if (comment === null) {
        form.hidden = true;
        return;
      }
      for (const tab of tabs) {
        tab.checked = tab.value === "comment";
        tab.disabled = tab.value === "note";
      }
      settle();
    },
    /** What is said before the first note is said once. @param {number} count of notes so far */
    passed(count) {
      const first = document.getElementById("whisper-first");
      if (first) first.hidden = count > 0;
    },
  };
}
