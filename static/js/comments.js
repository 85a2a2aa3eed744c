/** Comments on turns without leaving the page: forms are sent by script, and the list comes back as a whole. */

import { gettext } from "./words.js";

/**
 * @param {HTMLElement} root the section with `data-discussion`
 */
export function startComments(root) {
  const url = root.dataset.discussion ?? "";
  const list = /** @type {HTMLElement} */ (root.querySelector("[data-talk]"));
  const live = /** @type {HTMLElement} */ (root.querySelector("[data-talk-live]"));

  /**
   * Send and show the list anew.
   * @param {string} address
   * @param {FormData} data
   * @returns {Promise<string>} what was wrong; empty when it was taken
   */
  async function send(address, data) {
    let response;
    try {
      response = await fetch(`${address}?part=1`, { method: "POST", body: data, headers: { "X-CSRFToken": token(root) } });
    } catch {
      return gettext("The server can’t be reached. Your words are still here.");
    }
    if (!response.ok && response.status !== 422) return gettext("That did not work. Load the page again; you may have been signed out.");
    const part = new DOMParser().parseFromString(await response.text(), "text/html");
    const problem = part.getElementById("talk-problem");
    if (problem) return problem.textContent ?? "";
    list.replaceChildren(...part.body.childNodes);
    root.querySelector("[data-no-comments]")?.remove();
    return "";
  }

  root.addEventListener("submit", async (event) => {
    const form = /** @type {HTMLFormElement} */ (event.target);
    event.preventDefault();
    if (form.dataset.confirm && !window.confirm(form.dataset.confirm)) return;
    const problem = await send(form.action, new FormData(form));
    if (problem) {
      complain(form, problem);
      return;
    }
    live.textContent = form.dataset.confirm ? gettext("Deleted.") : gettext("Saved.");
    if (form.hasAttribute("data-write")) {
      form.querySelector(".field-error")?.remove();
      /** @type {HTMLTextAreaElement} */ (form.elements.namedItem("text")).value = "";
    } else {
      list.tabIndex = -1;
      list.focus();
    }
  });

  return {
    /** @param {number} turn @param {string} text */
    write(turn, text) {
      const data = new FormData();
      data.set("turn", String(turn));
      data.set("text", text);
      return send(url, data);
    },
  };
}

/** @param {HTMLElement} root */
const token = (root) => /** @type {HTMLInputElement | null} */ (root.querySelector("[name=csrfmiddlewaretoken]"))?.value ?? "";

/** @param {HTMLFormElement} form @param {string} problem */
function complain(form, problem) {
  const words = form.querySelector(".field-error") ?? document.createElement("p");
  words.className = "field-error";
  words.setAttribute("role", "alert");
  words.textContent = problem;
  form.append(words);
}
