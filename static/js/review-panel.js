/** One move under the lamp: the verdict, the question or its answer, and what could be believed then. */

import { el } from "./dom.js";
import { formatMoney } from "./money.js";
import { answerOf, question } from "./review-quiz.js";
import { theirSideOf } from "./review-scene.js";
import { costs, gainInWords, isFault, roundMoney, verdictOf } from "./review-words.js";
import { percent } from "./shares.js";
import { gettext } from "./words.js";

/** @typedef {import("./review-words.js").ReviewedMove} ReviewedMove */
/**
 * @typedef {object} Setting
 * @property {import("./money.js").Money} money
 * @property {any} debrief
 * @property {any[]} talk both sides' moves in order
 * @property {import("./package.js").Issue[]} issues the terms, beside the price, that were open
 * @property {string} persona the opponent's name
 * @property {string} first its first part
 * @property {boolean} wordless its words were deleted
 * @property {string | null} retry where to take the deal up again; null for who may not
 */

/**
 * @param {HTMLElement} root
 * @param {Setting} setting
 * @param {{guess: (turn: number, choice: number | null) => void}} on
 */
export function createPanel(root, setting, on) {
  return {
    /** @param {ReviewedMove} move @param {import("./review-scene.js").TheirSide | null} theirs */
    show(move, theirs) {
      root.replaceChildren(
        head(move, setting.money),
        ...(move.hidden ? [question(move, (choice) => on.guess(move.turn, choice))] : [answerOf(move, setting.money), worth(move, setting)]),
        ...(setting.retry ? [retryForm(move, setting.retry)] : []),
        ...(setting.wordless ? [el("p", { class: "retry faint" }, gettext("The words were deleted: it can’t be taken up again from a turn."))] : []),
        ...(theirs ? [theirSideOf(theirs, setting)] : []),
        believed(move, setting),
      );
      root.parentElement?.scrollTo(0, 0);
    },
  };
}

/** @param {ReviewedMove} move @param {import("./money.js").Money} money */
function head(move, money) {
  const verdict = verdictOf(move.label);
  return el(
    "header",
    { class: "panel-head" },
    el("h2", { id: "review-turn", tabindex: "-1" }, gettext("Turn {turn}", { turn: move.turn })),
    el("span", { class: `verdict-badge ${move.label ?? "none"}` }, el("span", { class: "sign", "aria-hidden": "true" }, verdict.sign), verdict.word),
    isFault(move.label) &&
      (costs(move, money)
        ? el("span", { class: "r-cost" }, gettext("cost about "), el("strong", { class: "figure" }, roundMoney(move.cost_money, money)))
        : el("span", { class: "r-cost" }, gettext("cost next to nothing"))),
  );
}

/** @param {ReviewedMove} move @param {Setting} setting */
function believed(move, { money, debrief, persona }) {
  const round = (/** @type {number} */ value) => formatMoney(Math.round(value / money.step) * money.step, money);
  const { low, high, chance = 0.8 } = move.believed;
  const words = gettext("Going by offers, news and stated limits until then, {persona}’s limit lay with {chance} likelihood between {low} and {high}", {
    persona,
    chance: percent(chance),
    low: round(low),
    high: round(high),
  });
  return el("p", { class: "panel-believed soft" }, words, debrief.packages ? gettext(", on the first terms.") : ".");
}

/** What the move was worth, and what it cost, in money and in points. @param {ReviewedMove} move @param {Setting} setting */
function worth(move, { debrief, money }) {
  if (move.label === null && move.reason) return el("p", { class: "panel-worth" }, move.reason);
  if (move.label === null)
    return el("p", { class: "panel-worth soft" }, gettext("Nothing certain can be said about this move: the alternatives were too close."));
  if (!isFault(move.label))
    return el(
      "p",
      { class: "panel-worth soft" },
      gettext("It led to expect {value} of what there was. Nothing was clearly better.", { value: percent(move.value) }),
    );
  return el(
    "p",
    { class: "panel-worth" },
    el(
      "span",
      { class: "soft" },
      gettext("{alone}Played on as advised, about {regret_money} more could be expected: {best_value} of what there was, not {value}.", {
        alone: costs(move, money) ? gettext("{cost_money} is what it cost by itself. ", { cost_money: roundMoney(move.cost_money, money) }) : "",
        regret_money: roundMoney(move.regret_money, money),
        best_value: percent(move.best_value),
        value: move.value < 0 ? gettext("a loss") : percent(move.value),
      }),
    ),
    el("span", { class: "soft" }, gainInWords(debrief.terms.by_turn.find((/** @type {any} */ row) => row.turn === move.turn))),
  );
}

/** @param {ReviewedMove} move @param {string} url */
function retryForm({ turn, label, hidden }, url) {
  const first = isFault(label) && !hidden;
  const token = /** @type {HTMLInputElement | null} */ (document.querySelector("[name=csrfmiddlewaretoken]"))?.value ?? "";
  return el(
    "form",
    { method: "post", action: url, class: "retry no-print" },
    el("input", { type: "hidden", name: "csrfmiddlewaretoken", value: token }),
    el("input", { type: "hidden", name: "turn", value: turn }),
    el(
      "button",
      { class: first ? "button primary" : "button", type: "submit", "data-testid": "retry-from-turn" },
      gettext("Play on from turn {turn}", { turn }),
      el("kbd", { "aria-hidden": "true" }, "r"),
    ),
    el("span", { class: "faint" }, gettext("The same opponent with the same secrets. For practice, unrated.")),
  );
}
