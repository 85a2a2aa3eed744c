/** The dialogs of the table: confirm, clarify, help, and links for watchers. All are <dialog> elements. */

import { byId, el } from "./dom.js";
import { createLink } from "./links.js";
import { written } from "./moments.js";
import { formatMoney, likelyMeant } from "./money.js";
import { inARow, labelsOf } from "./package.js";
import { gettext } from "./words.js";

/** @param {string} id */
const dialog = (id) => /** @type {HTMLDialogElement} */ (byId(id));

/**
 * Ask before something that can't be undone.
 * @param {{title: string, figure?: string, list?: [string, string][], words: string, go: string, danger?: boolean}} question
 * @returns {Promise<boolean>}
 */
export function confirm({ title, figure, list = [], words, go, danger }) {
  const box = dialog("confirm-dialog");
  byId("confirm-title").textContent = title;
  byId("confirm-words").textContent = words;
  const number = byId("confirm-figure");
  number.hidden = !figure;
  number.textContent = figure ?? "";
  const terms = byId("confirm-terms");
  terms.hidden = list.length === 0;
  terms.replaceChildren(...list.flatMap(([name, value]) => [el("dt", {}, name), el("dd", {}, value)]));
  const button = byId("confirm-go");
  button.textContent = go;
  button.className = `button ${danger ? "danger" : "primary"}`;
  return new Promise((resolve) => {
    const yes = () => box.close("yes");
    const no = () => box.close("no");
    button.addEventListener("click", yes);
    byId("confirm-back").addEventListener("click", no);
    box.returnValue = "no";
    box.addEventListener(
      "close",
      () => {
        button.removeEventListener("click", yes);
        byId("confirm-back").removeEventListener("click", no);
        resolve(box.returnValue === "yes");
      },
      { once: true },
    );
    box.showModal();
  });
}

/** @typedef {{kind: "bind", offer: number | null, terms?: import("./package.js").Terms} | {kind: "accept"} | {kind: "leave"} | {kind: "edit"}} Clarified */

/**
 * The table did not know what should bind; the player says it.
 * @param {any} data of the clarify frame
 * @param {import("./money.js").Money} money
 * @param {number | null} standing the offer that an acceptance would take
 * @returns {Promise<Clarified>}
 */
export function clarify(data, money, standing) {
  const box = dialog("clarify-dialog");
  byId("clarify-words").textContent = data.message;
  const list = byId("clarify-choices");
  list.replaceChildren();
  return new Promise((resolve) => {
    /** @type {Clarified} */
    let answer = { kind: "edit" };
    for (const [i, [label, meaning]] of choices(data, money, standing).entries()) {
      const button = el("button", { type: "button", class: i === 0 ? "button primary" : "button", "data-choice": meaning.kind }, label);
      button.addEventListener("click", () => {
        answer = meaning;
        box.close();
      });
      list.append(button);
    }
    box.addEventListener("close", () => resolve(answer), { once: true });
    box.showModal();
  });
}

/**
 * @param {any} data
 * @param {import("./money.js").Money} money
 * @param {number | null} standing
 * @returns {[string, Clarified][]}
 */
function choices(data, money, standing) {
  /** @type {[string, Clarified][]} */
  const found = [];
  const { field_offer: field, text_offer: text } = data;
  if (data.reason === "looks_like_accept") {
    if (standing !== null) found.push([gettext("Accept {standing}", { standing: formatMoney(standing, money) }), { kind: "accept" }]);
    found.push([gettext("Send as words only"), { kind: "bind", offer: field }]);
  } else if (data.reason === "looks_like_leaving") {
    found.push([gettext("Send as words only"), { kind: "bind", offer: null }], [gettext("Walk away"), { kind: "leave" }]);
  } else if (data.reason === "absurd" && field !== null) {
    const meant = likelyMeant(field, money);
    if (meant !== null) found.push([gettext("Offer {meant}", { meant: formatMoney(meant, money) }), { kind: "bind", offer: meant }]);
    found.push([gettext("Offer {field} all the same", { field: formatMoney(field, money) }), { kind: "bind", offer: field }]);
  } else {
    const { field_terms: laid, text_terms: said } = data;
    const differ = labelsOf(money.issues, said, laid).length > 0;
    /** @param {import("./package.js").Terms} terms @param {import("./package.js").Terms} than */
    const and = (terms, than) => (differ ? gettext(" with {issues}", { issues: inARow(labelsOf(money.issues, terms, than)) }) : "");
    const price = text ?? field;
    if (field !== null)
      found.push([
        differ
          ? gettext("Bind {field}{laid}, as in the package", { field: formatMoney(field, money), laid: and(laid, said) })
          : gettext("Bind {field}, as in the offer field", { field: formatMoney(field, money) }),
        { kind: "bind", offer: field, terms: laid },
      ]);
    if (price !== null && (differ || price !== field))
      found.push([
        gettext("Bind {price}{said}, as in your words", { price: formatMoney(price, money), said: and(said, laid) }),
        { kind: "bind", offer: price, terms: said },
      ]);
    if (field === null) found.push([gettext("Bind nothing, send the words"), { kind: "bind", offer: null }]);
  }
  found.push([gettext("Keep writing"), { kind: "edit" }]);
  return found;
}

/** The sheet of keys; whoever looks something up there goes on where they were. */
export function openHelp() {
  const before = document.activeElement;
  const box = dialog("help-dialog");
  box.addEventListener("close", () => before instanceof HTMLElement && before !== document.body && before.focus({ preventScroll: true }), { once: true });
  box.showModal();
}

/** Close buttons, and the dialog for watcher links. */
export function startDialogs() {
  for (const box of document.querySelectorAll("dialog")) {
    box.addEventListener("close", () => {
      // Where the page itself had the focus before, the browser leaves it inside the closed window.
      if (box.contains(document.activeElement)) /** @type {HTMLElement} */ (document.activeElement).blur();
    });
  }
  for (const button of document.querySelectorAll("dialog [data-close]")) {
    button.addEventListener("click", () => button.closest("dialog")?.close());
  }
  const opener = document.getElementById("link-button");
  if (!opener) return;
  opener.addEventListener("click", () => dialog("link-dialog").showModal());
  for (const button of /** @type {NodeListOf<HTMLButtonElement>} */ (document.querySelectorAll("#link-dialog [data-scope]"))) {
    button.addEventListener("click", () => showLink(opener.dataset.url ?? "", button.dataset.scope ?? "watch"));
  }
  const withdraw = /** @type {HTMLButtonElement | null} */ (document.querySelector("#link-dialog [data-revoke]"));
  withdraw?.addEventListener("click", () => withdrawLinks(withdraw.dataset.revoke ?? ""));
}

/** @param {string} url */
async function withdrawLinks(url) {
  const error = byId("link-error");
  try {
    await createLink(url, "watch");
    byId("link-result").hidden = true;
    error.textContent = gettext("Your links no longer open.");
  } catch (problem) {
    error.textContent = problem instanceof Error ? problem.message : gettext("They could not be withdrawn.");
  }
  error.hidden = false;
}

/** @param {string} url @param {string} scope */
async function showLink(url, scope) {
  const error = byId("link-error");
  error.hidden = true;
  try {
    const link = await createLink(url, scope);
    const field = /** @type {HTMLInputElement} */ (byId("link-url"));
    byId("link-label").textContent = scope === "coach" ? gettext("Link for a coach") : gettext("Link for a watcher");
    field.value = new URL(link.url, location.href).href;
    byId("link-note").textContent = gettext("Works until {day}. Anyone who has it can open it.", { day: written(new Date(link.expires_at)) });
    byId("link-result").hidden = false;
    field.focus();
    field.select();
  } catch (problem) {
    error.textContent = problem instanceof Error ? problem.message : gettext("The link could not be made.");
    error.hidden = false;
  }
}
