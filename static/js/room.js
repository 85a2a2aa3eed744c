/** The manager's room: tables that keep themselves up to date, times in the reader's own zone, questions before what can't be undone. */

import { written } from "./moments.js";
import { followPart } from "./part.js";
import { gettext, ngettext } from "./words.js";

const LOOK_MS = 4000;

export function startRoom() {
  showLocalTimes(document);
  startZoneForms();
  startQuestions();
  startSelects();
  startCopies();
  // On a narrow screen the present page of the room may stand beyond the edge of its navigation.
  document.querySelector(".room-nav [aria-current]")?.scrollIntoView({ block: "nearest", inline: "center" });
  const live = document.getElementById("room-live");
  if (live) startLive(live);
}

/** Times as the clock here shows them. @param {ParentNode} root */
export function showLocalTimes(root) {
  for (const time of /** @type {NodeListOf<HTMLTimeElement>} */ (root.querySelectorAll("time[data-local]"))) {
    time.textContent = written(new Date(time.dateTime));
  }
}

/** Forms with a wall clock tell the server which zone it is read in. */
function startZoneForms() {
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  if (!zone) return;
  for (const form of /** @type {NodeListOf<HTMLFormElement>} */ (document.querySelectorAll("[data-zone-form]"))) {
    const field = /** @type {HTMLInputElement} */ (form.elements.namedItem("zone"));
    field.value = zone;
    for (const words of form.querySelectorAll("[data-zone-words]")) words.textContent = gettext("In your time, {zone}.", { zone: zone.replaceAll("_", " ") });
    for (const clock of /** @type {NodeListOf<HTMLInputElement>} */ (form.querySelectorAll("[data-moment]"))) {
      const moment = new Date(clock.dataset.moment ?? "");
      const local = new Date(moment.getTime() - moment.getTimezoneOffset() * 60_000);
      clock.value = local.toISOString().slice(0, 16);
    }
  }
}

/** A form that can't be undone asks first. */
function startQuestions() {
  document.addEventListener("submit", (event) => {
    const form = /** @type {HTMLFormElement} */ (event.target);
    const question = event.submitter?.dataset.confirm ?? form.dataset.confirm;
    if (question && !window.confirm(question)) event.preventDefault();
  });
}

/** A choice that takes effect at once; without scripts the button beside it does. */
function startSelects() {
  for (const select of /** @type {NodeListOf<HTMLSelectElement>} */ (document.querySelectorAll("select[data-submit]"))) {
    select.addEventListener("change", () => select.form?.requestSubmit());
    const button = select.form?.querySelector("button");
    if (button) button.hidden = true;
  }
}

/** Links that are shown once: one button copies, and says that it did. */
function startCopies() {
  for (const button of /** @type {NodeListOf<HTMLButtonElement>} */ (document.querySelectorAll("[data-copy]"))) {
    button.addEventListener("click", async () => {
      const field = /** @type {HTMLInputElement} */ (document.getElementById(button.dataset.copy ?? ""));
      field.select();
      try {
        await navigator.clipboard.writeText(field.value);
        button.textContent = gettext("Copied");
      } catch {
        button.textContent = gettext("Selected"); // the clipboard can be forbidden; the words are marked for the keyboard
      }
    });
  }
}

/** @param {HTMLElement} live */
function startLive(live) {
  const news = /** @type {HTMLElement} */ (document.getElementById("room-news"));
  const line = /** @type {HTMLElement} */ (document.getElementById("room-line"));
  const calm = line.textContent;
  /** @type {Map<string, string>} what each stuck table was stuck on when it was last told */
  let told = stuckIn(live);

  const have = () => [...rowsOf(live).keys()].join(",");
  /** @param {string} html */
  const show = (html) => {
    const next = document.createElement("template");
    next.innerHTML = html;
    line.textContent = calm;
    if (!differs(live, next.content)) return;
    replace(live, next.content);
    tick();
    const stuck = stuckIn(live);
    const fresh = [...stuck].filter(([key]) => !told.has(key)).map(([, words]) => words);
    if (fresh.length) news.textContent = fresh.join(". ");
    told = stuck;
  };
  const ask = async () => {
    try {
      const response = await fetch(`${live.dataset.live}&have=${have()}`, { headers: { Accept: "text/html" }, redirect: "error" });
      if (!response.ok) throw new Error(String(response.status));
      show(await response.text());
    } catch {
      line.textContent = gettext("Out of touch with the server. What you see may be old; trying again.");
    }
  };
  const tick = () => {
    for (const time of /** @type {NodeListOf<HTMLTimeElement>} */ (live.querySelectorAll("time[data-since]"))) {
      time.textContent = spell((Date.now() - Date.parse(time.dateTime)) / 1000);
    }
  };
  setInterval(tick, 1000);
  tick();
  followPart({ address: () => `${live.dataset.socket}?have=${have()}`, show, ask, askEveryMs: LOOK_MS });
}

/** The rows of tables by what they show. @param {ParentNode} root */
function rowsOf(root) {
  const rows = /** @type {NodeListOf<HTMLElement>} */ (root.querySelectorAll("[data-mark]"));
  return new Map([...rows].map((row) => [row.dataset.mark ?? "", row]));
}

/** Whether there is anything new: another row, another order, or another word around the rows. @param {HTMLElement} live @param {DocumentFragment} next */
function differs(live, next) {
  const order = (/** @type {ParentNode} */ root) => {
    const rows = /** @type {NodeListOf<HTMLElement>} */ (root.querySelectorAll("[data-mark], [data-held]"));
    return [...rows].map((row) => row.dataset.mark ?? row.dataset.held).join();
  };
  const around = (/** @type {Node} */ root) => {
    const copy = /** @type {Element | DocumentFragment} */ (root.cloneNode(true));
    copy.querySelector(".tables")?.replaceChildren();
    return copy.textContent;
  };
  return order(live) !== order(next) || around(live) !== around(next);
}

/** New rows in, those that are held stay, and so does the keyboard. @param {HTMLElement} live @param {DocumentFragment} next */
function replace(live, next) {
  const focused = document.activeElement;
  const row = focused?.closest("[data-key]");
  const key = live.contains(focused) && row instanceof HTMLElement ? row.dataset.key : null;
  const scope = focused instanceof HTMLButtonElement ? focused.value : "";
  const rows = rowsOf(live);
  for (const place of /** @type {NodeListOf<HTMLElement>} */ (next.querySelectorAll("[data-held]"))) {
    place.replaceWith(rows.get(place.dataset.held ?? "") ?? "");
  }
  const token = /** @type {HTMLInputElement | null} */ (document.querySelector("#room-token input"));
  for (const form of next.querySelectorAll("form:not(:has([name=csrfmiddlewaretoken]))")) if (token) form.prepend(token.cloneNode());
  live.replaceChildren(next);
  if (!key) return;
  /** @type {HTMLElement | null} */ (live.querySelector(`[data-key="${key}"] button[value="${scope}"]`))?.focus();
}

/** @param {HTMLElement} live */
function stuckIn(live) {
  const rows = /** @type {NodeListOf<HTMLElement>} */ (live.querySelectorAll("[data-stuck]"));
  return new Map([...rows].map((row) => [row.dataset.key ?? "", `${row.dataset.name}: ${row.dataset.stuck}`]));
}

/** @param {number} seconds */
function spell(seconds) {
  const whole = (/** @type {number} */ size) => Math.floor(seconds / size);
  if (whole(86400) > 0) return ngettext("{count} day", "{count} days", whole(86400));
  if (whole(3600) > 0) return ngettext("{count} hour", "{count} hours", whole(3600));
  if (whole(60) > 0) return ngettext("{count} minute", "{count} minutes", whole(60));
  return ngettext("{count} second", "{count} seconds", Math.max(0, whole(1)));
}
