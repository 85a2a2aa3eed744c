/** "What would have been better?": the choices, and after a guess what each of them was worth. */

import { el } from "./dom.js";
import { FOLLOW_UPS, isFault, roundMoney } from "./review-words.js";
import { percent } from "./shares.js";
import { gettext } from "./words.js";

/** @typedef {import("./review-words.js").ReviewedMove} ReviewedMove */
/** @typedef {import("./review-words.js").Choice} Choice */

/** A guess worth at most this share of the zone less than the best one came near. */
const NEARLY = 0.03;
const SAME = 0.0005;

/**
 * The question. Its answers are in the order the server gave, which tells nothing.
 * @param {ReviewedMove} move
 * @param {(choice: number | null) => void} answer
 */
export function question(move, answer) {
  const choose = (/** @type {number | null} */ index, /** @type {HTMLElement} */ button) => {
    for (const other of button.closest(".quiz")?.querySelectorAll("button") ?? []) other.disabled = true;
    answer(index);
  };
  const buttons = move.choices.map((choice, place) => {
    const button = el(
      "button",
      { class: "button choice-move", type: "button", "data-place": place + 1 },
      el("kbd", { "aria-hidden": "true" }, String(place + 1)),
      el("span", {}, choice.played ? gettext("What I did was best.") : choice.text),
    );
    button.addEventListener("click", () => choose(choice.index ?? place, button));
    return el("li", {}, button);
  });
  const show = el("button", { class: "button quiet", type: "button" }, gettext("Show me"));
  show.addEventListener("click", () => choose(null, show));
  return el(
    "div",
    { class: "quiz" },
    el("h3", { id: "quiz-title" }, gettext("What would have been better?")),
    el("p", { class: "soft quiz-how" }, gettext("From what you could know then. One try, or look.")),
    el("ol", { class: "choice-moves", "aria-labelledby": "quiz-title" }, ...buttons),
    show,
  );
}

/**
 * How good the guess was, in a word.
 * @param {ReviewedMove} move
 */
export function verdictOnGuess(move) {
  if (!move.tried || move.tried.choice === null) return gettext("The better move");
  if (move.tried.right) return gettext("Right");
  const guessed = move.choices[move.tried.choice]?.value ?? 0;
  const best = Math.max(...move.choices.map((choice) => choice.value ?? 0));
  return best - guessed <= NEARLY ? gettext("Nearly") : gettext("Not quite");
}

/**
 * The answer: why, the better move, and each choice against the best one in money.
 * @param {ReviewedMove} move
 * @param {import("./money.js").Money} money
 */
export function answerOf(move, money) {
  const fault = isFault(move.label) && move.better !== null;
  return el(
    "div",
    { class: "review-answer" },
    fault && el("h3", { id: "answer-title", tabindex: "-1", class: move.tried?.right ? "right" : "" }, verdictOnGuess(move)),
    fault ? bars(move, money) : null,
    move.reason && el("p", { class: "answer-why" }, move.reason),
    move.better && move.follow_up && el("p", { class: "soft" }, FOLLOW_UPS[move.follow_up]),
    fault ? null : el("details", {}, el("summary", {}, gettext("What each move was worth")), bars(move, money)),
  );
}

/**
 * @param {ReviewedMove} move
 * @param {import("./money.js").Money} money
 */
function bars(move, money) {
  const values = move.choices.map((choice) => choice.value ?? 0);
  const [best, worst] = [Math.max(...values), Math.min(...values)];
  const zone = move.regret > 0 ? move.regret_money / move.regret : null;
  const rows = move.choices.map((choice, place) => {
    const less = best - values[place];
    const guessed = move.tried !== null && move.tried.choice === place;
    const cost = less < SAME ? "best" : zone === null ? percent(-less) : `−${roundMoney(less * zone, money)}`;
    return el(
      "li",
      { class: `${less < SAME ? "top" : ""}${choice.played ? " played" : ""}` },
      el(
        "span",
        { class: "bar-words" },
        choice.played ? gettext("What you did") : choice.text.replace(/\.$/, ""),
        guessed && el("span", { class: "tag" }, gettext("Your guess")),
      ),
      meter(best, worst, values[place]),
      el("span", { class: "figure" }, cost),
    );
  });
  return el("ol", { class: "bars" }, ...rows);
}

/** A bar from the worst choice to the best one. @param {number} best @param {number} worst @param {number} value */
function meter(best, worst, value) {
  const share = best - worst < SAME ? 1 : 0.08 + (0.92 * (value - worst)) / (best - worst);
  return el("meter", { min: 0, max: 1, value: share.toFixed(3), "aria-hidden": "true" });
}
