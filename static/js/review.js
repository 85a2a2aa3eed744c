/** The move review: waits for the worker, then shows the moves one by one. */

import { arriveAt } from "./arrival.js";
import { byId, el, embedded } from "./dom.js";
import { createGraph } from "./review-graph.js";
import { createMoveList } from "./review-list.js";
import { createPanel } from "./review-panel.js";
import { createScene } from "./review-scene.js";
import { awaitReview, send } from "./review-wait.js";
import { costs, isFault, roundMoney, verdictOf } from "./review-words.js";
import { percent } from "./shares.js";
import { gettext } from "./words.js";

/** @typedef {import("./review-words.js").ReviewedMove} ReviewedMove */

const EDITED = "input, textarea, select, [contenteditable]";

/** @param {any} debrief @param {import("./money.js").Money} money */
export function startReview(debrief, money) {
  const root = byId("main");
  awaitReview(root, (review) => {
    byId("review-wait").hidden = true;
    showReview(root, review, debrief, money);
  });
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
  const flip = byId("flip");
  byId("review-body").hidden = false;
  byId("review-rows").replaceChildren(...moves.map((move) => rowOf(move, money)));
  byId("review-count").textContent = String(moves.length);
  const setting = {
    money,
    debrief,
    talk: embedded("talk"),
    issues: embedded("scenario").issues ?? [],
    persona: root.dataset.persona ?? "",
    first: root.dataset.first ?? "",
    retry: root.dataset.retry ?? null,
    wordless: root.dataset.wordless !== undefined,
  };
  /** @type {import("./review-scene.js").TheirSide[]} */
  const hidden = embedded("theirs");
  let place = firstOf(moves, review.decided ?? null);
  let hers = false;
  const graph = createGraph(byId("review-graph"), moves, (turn) => go(moves.findIndex((move) => move.turn === turn)));
  const scene = createScene({ scene: byId("review-scene"), ruler: byId("review-ruler") }, setting);
  const panel = createPanel(byId("review-panel"), setting, { guess: (turn, choice) => void guess(turn, choice) });
  const list = createMoveList(moves, setting, go);

  function show() {
    const move = moves[place];
    const theirs = hers ? (hidden.find((side) => side.turn === move.turn) ?? null) : null;
    graph.show(move.turn);
    scene.show(move, theirs);
    const inPanel = byId("review-panel").contains(document.activeElement);
    panel.show(move, theirs);
    // What had the focus is drawn anew.
    if (inPanel) byId("review-turn").focus({ preventScroll: true });
    list.show(place);
    byId("review-where").textContent = String(move.turn);
    const heat = debrief.tension.findLast((/** @type {any} */ row) => row.turn < move.turn);
    byId("scene-heat").textContent = heat ? gettext("Tension {value}, {band}", { value: Math.round(heat.value), band: heat.band }) : "";
    for (const step of /** @type {NodeListOf<HTMLButtonElement>} */ (root.querySelectorAll("[data-step]"))) {
      const to = placeAfter(Number(step.dataset.step));
      step.disabled = to < 0 || to >= moves.length || to === place;
    }
    history.replaceState(null, "", `#turn-${move.turn}`);
  }

  /** The move so many steps on; an endless step leads to the first or the last one. @param {number} by */
  const placeAfter = (by) => (Number.isFinite(by) ? place + by : by < 0 ? 0 : moves.length - 1);

  /** @param {number} next @param {number} [by] the arrow that was used, to keep the focus on it */
  function go(next, by) {
    if (next < 0 || next >= moves.length || next === place) return;
    const free = document.activeElement === document.body && by !== undefined;
    place = next;
    show();
    const move = moves[place];
    live.textContent = gettext("Turn {turn}: {word}.", { turn: move.turn, word: verdictOf(move.label).word });
    if (free) byId("review-turn").focus({ preventScroll: true });
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
      live.textContent = gettext("{reason} Better: {text}", { reason: answer.reason, text: answer.better?.text ?? "" });
    } catch (error) {
      show();
      live.textContent = error instanceof Error ? error.message : gettext("That did not work.");
    }
  }

  function nextFault() {
    const faults = moves.map((move, at) => (isFault(move.label) ? at : -1)).filter((at) => at >= 0);
    const next = faults.find((at) => at > place) ?? faults[0];
    if (next !== undefined) go(next, 0);
  }

  function turnOver() {
    hers = !hers;
    flip.setAttribute("aria-pressed", String(hers));
    show();
    if (hers) live.textContent = byId("review-panel").querySelector(".their-side")?.textContent ?? "";
  }

  for (const step of /** @type {NodeListOf<HTMLButtonElement>} */ (root.querySelectorAll("[data-step]")))
    step.addEventListener("click", () => go(placeAfter(Number(step.dataset.step))));
  byId("next-fault").hidden = !moves.some((move) => isFault(move.label));
  byId("next-fault").addEventListener("click", nextFault);
  flip.addEventListener("click", turnOver);
  window.addEventListener("hashchange", () => go(firstOf(moves, null)));
  startKeys(root, { step: (by) => go(placeAfter(by), by), fault: nextFault, flip: turnOver });
  show();
  arriveAt(byId("review-turn"));
}

/** Where to begin: the turn of the address, the one that decided the deal, the first fault, the first move. @param {ReviewedMove[]} moves @param {number | null} decided */
function firstOf(moves, decided) {
  const named = Number(location.hash.replace("#turn-", ""));
  const at = [
    (/** @type {ReviewedMove} */ move) => move.turn === named,
    (/** @type {ReviewedMove} */ move) => move.turn === decided,
    (/** @type {ReviewedMove} */ move) => isFault(move.label),
  ]
    .map((wanted) => moves.findIndex(wanted))
    .find((place) => place >= 0);
  return at ?? 0;
}

/** Arrows work wherever nothing else wants them; letters and figures too, but in a field. @param {HTMLElement} root @param {{step: (by: number) => void, fault: () => void, flip: () => void}} on */
function startKeys(root, on) {
  document.addEventListener("keydown", (event) => {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
    const target = /** @type {HTMLElement} */ (event.target);
    if (target.matches(EDITED)) return;
    const by = { ArrowLeft: -1, ArrowRight: 1, Home: Number.NEGATIVE_INFINITY, End: Number.POSITIVE_INFINITY }[event.key];
    if (by && !target.closest(".scroll-x")) {
      event.preventDefault();
      on.step(by);
    }
    if (/^[1-6]$/.test(event.key)) /** @type {HTMLButtonElement | null} */ (root.querySelector(`[data-place="${event.key}"]`))?.click();
    const key = event.key.toLowerCase();
    if (key === "n") on.fault();
    if (key === "h") on.flip();
    if (key === "r") /** @type {HTMLFormElement | null} */ (root.querySelector("form.retry"))?.requestSubmit();
  });
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
