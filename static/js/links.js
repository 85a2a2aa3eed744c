/** Links for spectators: asking the server for one, and the manager's watch buttons. */

import { gettext } from "./words.js";

/**
 * @param {string} url
 * @param {string} scope what it shows
 * @param {Record<string, string>} [more]
 * @returns {Promise<{url: string, expires_at: string, scope: string}>}
 */
export const createLink = (url, scope, more = {}) => posted(url, { scope, ...more }, gettext("The link could not be made. Try again in a moment."));

/** @param {string} url */
export const withdrawLink = (url) => posted(url, {}, gettext("The link could not be withdrawn. Try again in a moment."));

/** @param {string} url @param {Record<string, string>} form @param {string} sorry */
async function posted(url, form, sorry) {
  const token = /** @type {HTMLInputElement | null} */ (document.querySelector("[name=csrfmiddlewaretoken]"))?.value ?? "";
  const response = await fetch(url, {
    method: "POST",
    headers: { "X-CSRFToken": token, "Content-Type": "application/x-www-form-urlencoded", Accept: "application/json" },
    body: new URLSearchParams(form),
  });
  const answer = await response.json().catch(() => ({}));
  if (!response.ok) throw new Error(answer.message ?? sorry);
  return answer;
}

export function startWatchButtons() {
  for (const button of /** @type {NodeListOf<HTMLButtonElement>} */ (document.querySelectorAll("[data-watch-game]"))) {
    button.addEventListener("click", async () => {
      button.disabled = true;
      try {
        const link = await createLink(button.dataset.watchGame ?? "", button.dataset.scope ?? "coach");
        location.assign(link.url);
      } catch (error) {
        button.disabled = false;
        button.textContent = error instanceof Error ? error.message : gettext("Try again");
      }
    });
  }
}
