/** One move under the lamp: the words of both sides, what could be believed then, the verdict and the question. */

import { el } from "./dom.js";
import { formatMoney } from "./money.js";
import { answerOf, question } from "./review-quiz.js";
import { costs, gainInWords, isFault, roundMoney, verdictOf } from "./review-words.js";
import { createRuler } from "./ruler.js";
import { percent } from "./shares.js";

/** @typedef {import("./review-words.js").ReviewedMove} ReviewedMove */
/**
 * @typedef {object} Setting
 * @property {import("./money.js").Money} money
 * @property {any} debrief
 * @property {any[]} talk both sides' moves in order
 * @property {string} persona the opponent's name
 * @property {string | null} retry where to take the deal up again; null for who may not
 */

/**
 * @param {HTMLElement} root
 * @param {Setting} setting
 * @param {{step: (by: number) => void, guess: (turn: number, choice: number | null) => void}} on
 */
export function createPanel(root, setting, on) {
  const ruler = el("div", { class: "ruler" });
  const drawn = createRuler(ruler, setting.money);
  return {
    /** @param {ReviewedMove} move @param {number} place @param {number} count */
    show(move, place, count) {
      root.replaceChildren(
        head(move, place, count, on.step),
        talkOf(move, setting),
        believed(move, setting, ruler),
        worth(move, setting),
        move.hidden ? question(move, (choice) => on.guess(move.turn, choice)) : answerOf(move, setting.money),
        ...(setting.retry ? [retryForm(move.turn, setting.retry)] : []),
      );
      drawn.update(rulerState(move, setting.debrief));
    },
  };
}

/**
 * @param {ReviewedMove} move
 * @param {number} place
 * @param {number} count
 * @param {(by: number) => void} step
 */
function head(move, place, count, step) {
  const verdict = verdictOf(move.label);
  const arrow = (/** @type {string} */ sign, /** @type {string} */ name, /** @type {number} */ by, /** @type {boolean} */ off) => {
    const button = el("button", { class: "button square quiet", type: "button", "aria-label": name, disabled: off, "data-step": by }, sign);
    button.addEventListener("click", () => step(by));
    return button;
  };
  return el(
    "header",
    { class: "panel-head" },
    el("h3", { id: "review-turn", tabindex: "-1" }, `Turn ${move.turn}`),
    el("span", { class: `verdict-badge ${move.label ?? "none"}` }, el("span", { class: "sign", "aria-hidden": "true" }, verdict.sign), verdict.word),
    el("span", { class: "panel-steps no-print" }, arrow("←", "Previous move", -1, place === 0), arrow("→", "Next move", 1, place === count - 1)),
  );
}

/** The line before it, the move itself, the answer. @param {ReviewedMove} move @param {Setting} setting */
function talkOf(move, setting) {
  const before = setting.talk.findLast((line) => line.side === "opponent" && line.turn < move.turn);
  const own = setting.talk.find((line) => line.side === "player" && line.turn === move.turn);
  const after = setting.talk.find((line) => line.side === "opponent" && line.turn === move.turn);
  return el(
    "ul",
    { class: "panel-talk" },
    before && lineOf(before, setting, "before"),
    own && lineOf(own, setting, "own"),
    after && lineOf(after, setting, ""),
  );
}

/** @param {any} line @param {Setting} setting @param {string} kind */
function lineOf(line, { money, persona }, kind) {
  const did = line.accept ? "accepted" : line.walk_away ? "left" : line.offer === null ? "" : formatMoney(line.offer, money);
  return el(
    "li",
    { class: `${line.side === "player" ? "you" : "them"} ${kind}` },
    el("span", { class: "who" }, line.side === "player" ? "You" : persona, did && el("span", { class: "figure" }, did)),
    line.text && el("q", { dir: "auto" }, line.text),
  );
}

/** @param {ReviewedMove} move @param {Setting} setting @param {HTMLElement} ruler */
function believed(move, { money, debrief, persona }, ruler) {
  const round = (/** @type {number} */ value) => formatMoney(Math.round(value / money.step) * money.step, money);
  const { low, high, chance = 0.8 } = move.believed;
  const words = `Going by offers, news and stated limits until then, ${persona}’s limit lay with ${percent(chance)} likelihood between ${round(low)} and ${round(high)}`;
  return el("div", { class: "panel-believed" }, el("p", { class: "soft" }, words, debrief.packages ? ", on the first terms." : "."), ruler);
}

/** @param {ReviewedMove} move @param {any} debrief */
function rulerState(move, debrief) {
  const upTo = (/** @type {"own_worth" | "their_worth"} */ side, /** @type {number} */ last) =>
    debrief.offers
      .filter((/** @type {any} */ row) => row[side] !== null && row.turn <= last)
      .map((/** @type {any} */ row) => ({ turn: row.turn, offer: row[side] }));
  const now = debrief.offers.find((/** @type {any} */ row) => row.turn === move.turn);
  return {
    seat: debrief.seat,
    limit: now?.own_limit ?? null,
    yours: upTo("own_worth", move.turn),
    theirs: upTo("their_worth", move.turn - 1),
    estimate: { low: move.believed.low, high: move.believed.high },
    estimateLabel: "Their likely limit",
    packages: debrief.packages !== null,
  };
}

/** What the move was worth, and what it cost, in money and in points. @param {ReviewedMove} move @param {Setting} setting */
function worth(move, { money, debrief }) {
  if (move.label === null && move.reason) return el("p", { class: "panel-worth" }, move.reason);
  if (move.label === null) return el("p", { class: "panel-worth soft" }, "Nothing certain can be said about this move: the alternatives were too close.");
  if (!isFault(move.label))
    return el("p", { class: "panel-worth soft" }, `It led to expect ${percent(move.value)} of what there was. Nothing was clearly better.`);
  return el(
    "p",
    { class: "panel-worth" },
    ...(costs(move, money)
      ? ["By itself it cost about ", el("strong", { class: "figure" }, roundMoney(move.cost_money, money)), "."]
      : ["By itself it cost next to nothing."]),
    el(
      "span",
      { class: "soft" },
      ` Played on as advised, about ${roundMoney(move.regret_money, money)} more could be expected: ${percent(move.best_value)} of what there was, not ${move.value < 0 ? "a loss" : percent(move.value)}.`,
    ),
    el("span", { class: "soft" }, gainInWords(debrief.terms.by_turn.find((/** @type {any} */ row) => row.turn === move.turn))),
  );
}

/** @param {number} turn @param {string} url */
function retryForm(turn, url) {
  const token = /** @type {HTMLInputElement | null} */ (document.querySelector("[name=csrfmiddlewaretoken]"))?.value ?? "";
  return el(
    "form",
    { method: "post", action: url, class: "retry no-print" },
    el("input", { type: "hidden", name: "csrfmiddlewaretoken", value: token }),
    el("input", { type: "hidden", name: "turn", value: turn }),
    el("button", { class: "button", type: "submit", "data-testid": "retry-from-turn" }, `Play on from turn ${turn}`),
    el("span", { class: "faint" }, "The same opponent with the same secrets. For practice, unrated."),
  );
}
