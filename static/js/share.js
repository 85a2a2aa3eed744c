/** Sharing a deal from its debrief: the choice, what the reader will see of it, the link, and the links there are. */

import { byId, el } from "./dom.js";
import { createLink, withdrawLink } from "./links.js";

export function startShare() {
  const box = /** @type {HTMLDialogElement | null} */ (document.getElementById("share-dialog"));
  if (!box) return;
  const url = box.dataset.url ?? "";
  const named = /** @type {HTMLInputElement | null} */ (document.getElementById("share-named"));
  const error = byId("share-error");

  const scope = () => /** @type {HTMLInputElement} */ (box.querySelector("[name=share-scope]:checked")).value;

  function told() {
    const holds = new Set([scope(), named?.checked ? "named" : "unnamed"]);
    for (const line of /** @type {NodeListOf<HTMLElement>} */ (byId("share-dialog").querySelectorAll("[data-when]")))
      line.hidden = !holds.has(line.dataset.when ?? "");
  }

  async function list() {
    const response = await fetch(url, { headers: { Accept: "application/json" } });
    if (!response.ok) return;
    const open = (await response.json()).links.filter((/** @type {any} */ link) => !link.revoked && new Date(link.expires_at) > new Date());
    const words = byId("share-links").dataset;
    byId("share-there").hidden = open.length === 0;
    byId("share-links").replaceChildren(
      ...open.map((/** @type {any} */ link) => {
        const name = link.named ? words.named : words.unnamed;
        const until = `${words.until} ${new Date(link.expires_at).toLocaleDateString("en-GB", { day: "numeric", month: "short" })}`;
        const button = el("button", { class: "button quiet", type: "button" }, words.withdraw ?? "");
        button.addEventListener("click", () => attempt(() => withdrawLink(`${url}${link.id}/revoke/`)));
        return el("li", {}, el("span", {}, [words[link.scope], name, until, `${words.views} ${link.views}×`, link.by].filter(Boolean).join(", ")), button);
      }),
    );
  }

  /** @param {() => Promise<unknown>} act */
  async function attempt(act) {
    error.hidden = true;
    try {
      await act();
      await list();
    } catch (problem) {
      error.textContent = problem instanceof Error ? problem.message : String(problem);
      error.hidden = false;
    }
  }

  async function make() {
    const days = /** @type {HTMLSelectElement} */ (byId("share-days")).value;
    const link = await createLink(url, scope(), { named: named?.checked ? "yes" : "no", days });
    const field = /** @type {HTMLInputElement} */ (byId("share-url"));
    field.value = new URL(link.url, location.href).href;
    /** @type {HTMLAnchorElement} */ (byId("share-open")).href = field.value;
    byId("share-result").hidden = false;
    field.focus();
    field.select();
  }

  box.addEventListener("change", told);
  box.querySelector("[data-close]")?.addEventListener("click", () => box.close());
  byId("share-make").addEventListener("click", () => attempt(make));
  const opener = /** @type {HTMLButtonElement} */ (byId("share"));
  opener.addEventListener("click", () => {
    byId("share-result").hidden = true;
    told();
    box.showModal();
    void list();
  });
  opener.disabled = false;
}
