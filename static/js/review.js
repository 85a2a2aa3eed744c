/** The move review: waits for the worker, then shows the moves one by one. */

import { byId, el, embedded } from "./dom.js";
import { createGraph } from "./review-graph.js";
import { createPanel } from "./review-panel.js";
import { costs, isFault, roundMoney, verdictOf } from "./review-words.js";
import { percent } from "./shares.js";

/** @typedef {import("./review-words.js").ReviewedMove} ReviewedMove */

const FIRST_LOOK_MS = 400;
const SLOWEST_LOOK_MS = 5000;
const EDITED = "input, textarea, select, [contenteditable]";

/** @param {any} debrief @param {import("./money.js").Money} money */
export function startReview(debrief, money) {
  const root = byId("review");
  const again = /** @type {HTMLButtonElement} */ (byId("review-again"));
  let pause = FIRST_LOOK_MS;
  let waited = false;

  async function look() {
    try {
      const response = await fetch(root.dataset.url ?? "", { headers: { Accept: "application/json" }, redirect: "error" });
      if (!response.ok) throw new Error(String(response.status));
      const state = await response.json();
      if (state.status === "done") {
        byId("review-wait").hidden = true;
        showReview(root, state.review, debrief, money);
        if (waited) void renewAdvice();
        return;
      }
      waited = true;
      if (tell(state)) return;
    } catch {
      byId("review-state").textContent = "Out of touch with the server. Trying again.";
    }
    pause = Math.min(SLOWEST_LOOK_MS, pause * 1.5);
    setTimeout(() => void look(), pause);
  }

  /** Say how far it is; true when there is nothing to wait for. @param {{status: string, done: number, total: number}} state */
  function tell({ status, done, total }) {
    const over = status === "none" || status === "failed";
    const progress = /** @type {HTMLProgressElement} */ (byId("review-progress"));
    progress.hidden = over;
    again.hidden = status !== "failed";
    if (status === "running") {
      progress.max = Math.max(1, total);
      progress.value = done;
    } else progress.removeAttribute("value");
    const words = {
      none: "There is nothing to review: this deal has no moves, or its words were deleted.",
      failed: "The review did not come through.",
      running: `Reviewing move ${Math.min(done + 1, total)} of ${total}`,
    }[status];
    const next = words ?? "The review will begin in a moment";
    // Said once a change, not at every look.
    if (byId("review-state").textContent !== next) byId("review-state").textContent = next;
    return over;
  }

  again.addEventListener("click", async () => {
    again.hidden = true;
    await send(root.dataset.again ?? "", {}).catch(() => {});
    pause = FIRST_LOOK_MS;
    void look();
  });
  void look();
}

/** What is told first, and what to keep, start and stop, draw on the review: where the page was opened before it, they are fetched anew. */
async function renewAdvice() {
  const response = await fetch(location.href, { redirect: "error" }).catch(() => null);
  if (!response?.ok) return;
  const page = new DOMParser().parseFromString(await response.text(), "text/html");
  for (const part of ["story", "keep-start-stop"]) {
    const fresh = page.getElementById(part);
    if (fresh) byId(part).replaceWith(fresh);
  }
}

/** @param {string} url @param {Record<string, string>} fields */
async function send(url, fields) {
  const token = /** @type {HTMLInputElement | null} */ (document.querySelector("[name=csrfmiddlewaretoken]"))?.value ?? "";
  const response = await fetch(url, {
    method: "POST",
    headers: { "X-CSRFToken": token, "Content-Type": "application/x-www-form-urlencoded", Accept: "application/json" },
    body: new URLSearchParams(fields),
  });
  const answer = await response.json().catch(() => ({}));
  if (!response.ok) throw new Error(answer.message ?? "That did not work. Try again in a moment.");
  return answer;
}

/**
 * @param {HTMLElement} root
 * @param {{moves: ReviewedMove[], decided?: number | null}} review
 * @param {any} debrief
 * @param {import("./money.js").Money} money
 */
function showReview(root, review, debrief, money) {
  const moves = review.moves;
  const live = byId("review-live");
  let place = Math.max(
    0,
    moves.findIndex((move) => (review.decided ? move.turn === review.decided : isFault(move.label))),
  );
  byId("review-body").hidden = false;
  byId("review-rows").replaceChildren(...moves.map((move) => rowOf(move, money)));
  const setting = {
    money,
    debrief,
    talk: embedded("talk"),
    persona: root.dataset.persona ?? "",
    retry: root.dataset.retry ?? null,
  };
  const graph = createGraph(byId("review-graph"), moves, (turn) => go(moves.findIndex((move) => move.turn === turn)));
  const panel = createPanel(byId("review-panel"), setting, { step: (by) => go(place + by, by), guess: (turn, choice) => void guess(turn, choice) });
  const buttons = moves.map((move, at) => {
    const button = moveButton(move, money);
    button.addEventListener("click", () => go(at));
    return button;
  });
  byId("review-moves").replaceChildren(...buttons.map((button) => el("li", {}, button)));

  function show() {
    graph.show(moves[place].turn);
    panel.show(moves[place], place, moves.length);
    buttons.forEach((button, at) => {
      if (at === place) button.setAttribute("aria-current", "true");
      else button.removeAttribute("aria-current");
    });
  }

  /** @param {number} next @param {number} [by] the arrow that was used, to keep the focus on it */
  function go(next, by) {
    if (next < 0 || next >= moves.length) return;
    const free = document.activeElement === document.body && by !== undefined;
    const inPanel = free || byId("review-panel").contains(document.activeElement);
    place = next;
    show();
    const move = moves[place];
    live.textContent = `Turn ${move.turn}: ${verdictOf(move.label).word}.`;
    if (!inPanel) return;
    const arrow = /** @type {HTMLButtonElement | null} */ (by ? root.querySelector(`[data-step="${by}"]:not(:disabled)`) : null);
    (free ? byId("review-turn") : (arrow ?? byId("review-turn"))).focus({ preventScroll: true });
  }

  /** @param {number} turn @param {number | null} choice */
  async function guess(turn, choice) {
    try {
      const answer = await send(`${root.dataset.url}${turn}/try/`, choice === null ? {} : { choice: String(choice) });
      const at = moves.findIndex((move) => move.turn === turn);
      moves[at] = answer;
      if (at === place) {
        show();
        document.getElementById("answer-title")?.focus({ preventScroll: true });
      }
      live.textContent = `${answer.reason} Better: ${answer.better?.text ?? ""}`;
    } catch (error) {
      show();
      live.textContent = error instanceof Error ? error.message : "That did not work.";
    }
  }

  startKeys(root, { step: (by) => go(place + by, by) });
  show();
}

/** Arrows work wherever nothing else wants them; letters and figures only inside the review. @param {HTMLElement} root @param {{step: (by: number) => void}} on */
function startKeys(root, on) {
  document.addEventListener("keydown", (event) => {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
    const target = /** @type {HTMLElement} */ (event.target);
    if (target.matches(EDITED) || document.querySelector("dialog[open]")) return;
    const inside = root.contains(target);
    const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (by && (inside || target === document.body) && !target.closest("[role=region]")) {
      event.preventDefault();
      on.step(by);
    }
    if (!inside) return;
    if (/^[1-6]$/.test(event.key)) /** @type {HTMLButtonElement | null} */ (root.querySelector(`[data-place="${event.key}"]`))?.click();
    if (event.key.toLowerCase() === "r") /** @type {HTMLFormElement | null} */ (root.querySelector("form.retry"))?.requestSubmit();
  });
}

/** @param {ReviewedMove} move @param {import("./money.js").Money} money */
function moveButton(move, money) {
  const verdict = verdictOf(move.label);
  return el(
    "button",
    { class: `move ${move.label ?? "none"}`, type: "button" },
    el("span", { class: "move-turn" }, el("span", { class: "visually-hidden" }, "Turn "), String(move.turn)),
    el("span", { class: "move-what" }, whatOf(move, money)),
    el(
      "span",
      { class: `verdict-badge ${move.label ?? "none"}` },
      el("span", { class: "sign", "aria-hidden": "true" }, verdict.sign),
      el("span", { class: "word" }, verdict.word),
    ),
    el("span", { class: "move-cost figure" }, isFault(move.label) && costs(move, money) ? `−${roundMoney(move.cost_money, money)}` : ""),
  );
}

/** @param {any} move @param {import("./money.js").Money} money */
function whatOf(move, money) {
  const line = embedded("talk").find((/** @type {any} */ each) => each.side === "player" && each.turn === move.turn);
  if (line?.accept) return "Accepted";
  if (line?.walk_away) return "Walked away";
  const offer = move.played.offer;
  return offer === null ? "Talk" : money.currency + offer.toLocaleString("en-US");
}

/** @param {ReviewedMove} move @param {import("./money.js").Money} money */
function rowOf(move, money) {
  const cells = [percent(move.value), percent(move.best_value), percent(move.regret), percent(move.error)];
  return el(
    "tr",
    {},
    el("td", {}, String(move.turn)),
    el("td", { class: "words" }, verdictOf(move.label).word),
    ...cells.map((cell) => el("td", {}, cell)),
    el("td", {}, isFault(move.label) && costs(move, money) ? roundMoney(move.cost_money, money) : "–"),
    el("td", {}, isFault(move.label) ? roundMoney(move.regret_money, money) : "–"),
  );
}
