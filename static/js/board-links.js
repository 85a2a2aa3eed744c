/** Links that are given away: invitations to seats, and a watcher's. Leaving the table is asked here too. */

import { powerName } from "./board-words.js";
import { byId, el } from "./dom.js";
import { createLink } from "./links.js";

/** @param {{urls: {link: string, revoke: string}, invitations: Record<string, string>, reveals: boolean}} page */
export function startLinks(page) {
  const dialog = /** @type {HTMLDialogElement} */ (byId("links"));
  const body = byId("links-body");
  const button = document.getElementById("link-button");
  const invited = Object.entries(page.invitations);

  /** @param {string} words @param {string} link */
  function row(words, link) {
    const input = el("input", { class: "input", readonly: true, value: link, "aria-label": words });
    input.addEventListener("focus", () => input.select());
    return el("div", { class: "invite-row" }, el("p", {}, words), input);
  }

  async function watcher() {
    const scope = page.reveals
      ? "Whoever opens this link sees everything: tags, plans, all talk. The game is marked from then on as played with help."
      : "Whoever has this link sees what you see, your own talk and orders included, and nothing of the others.";
    body.replaceChildren(el("p", { class: "soft" }, `${scope} It works for seven days.`));
    dialog.showModal();
    try {
      const link = await createLink(page.urls.link, "watch");
      const revoke = el("button", { type: "button", class: "button" }, "Withdraw all my links");
      revoke.addEventListener("click", async () => {
        await createLink(page.urls.revoke, "watch");
        body.replaceChildren(el("p", {}, "They no longer open."));
      });
      body.append(row("For a watcher", link.url), el("p", { class: "invite-row" }, revoke));
    } catch (error) {
      body.append(el("p", { class: "field-error" }, error instanceof Error ? error.message : "Try again."));
    }
  }

  button?.addEventListener("click", watcher);
  byId("links-close").addEventListener("click", () => dialog.close());
  if (invited.length) {
    body.replaceChildren(
      el("p", { class: "soft" }, "Send each friend their own link. It can be used once; until then the seat's bot plays."),
      ...invited.map(([power, link]) => row(powerName(power), link)),
    );
    dialog.showModal();
  }
  const leave = /** @type {HTMLDialogElement} */ (byId("leave"));
  document.getElementById("leave-button")?.addEventListener("click", () => leave.showModal());
  byId("leave-no").addEventListener("click", () => leave.close());
}
