/** The position of a move: the words of both sides around it, the ruler as it then stood, and, on demand, their side of it. */

import { el } from "./dom.js";
import { sentence } from "./learned.js";
import { formatMoney } from "./money.js";
import { labelsOf } from "./package.js";
import { verdictOf } from "./review-words.js";
import { createRuler } from "./ruler.js";
import { gettext } from "./words.js";

/** @typedef {import("./review-words.js").ReviewedMove} ReviewedMove */
/** @typedef {{turn: number, limit: number, urgency: number, alternative: boolean, stated: number | null, stands: string | null,
 *   held: {says: string, said: boolean} | null, yours: {low: number, high: number} | null}} TheirSide */

/**
 * @param {{scene: HTMLElement, ruler: HTMLElement}} parts
 * @param {import("./review-panel.js").Setting} setting
 */
export function createScene(parts, setting) {
  const ruler = createRuler(parts.ruler, setting.money);
  return {
    /** @param {ReviewedMove} move @param {TheirSide | null} theirs what they were hiding, where it is shown */
    show(move, theirs) {
      parts.scene.replaceChildren(talkOf(move, setting));
      ruler.update({ ...rulerState(move, setting.debrief), theirLimit: theirs?.limit ?? null, givenAway: theirs?.yours ?? null });
    },
  };
}

/** The line before it, the move itself, the answer. @param {ReviewedMove} move @param {import("./review-panel.js").Setting} setting */
function talkOf(move, setting) {
  const before = setting.talk.findLast((line) => line.side === "opponent" && line.turn < move.turn);
  const own = setting.talk.find((line) => line.side === "player" && line.turn === move.turn);
  const after = setting.talk.find((line) => line.side === "opponent" && line.turn === move.turn);
  return el(
    "ul",
    { class: "panel-talk" },
    before && lineOf(before, setting, "before"),
    own && lineOf(own, setting, ["own", move.label ?? "none"].join(" "), verdictOf(move.label).sign),
    after && (after.text || after.offer !== null || after.walk_away || after.accept) && lineOf(after, setting, "after"),
  );
}

/** @param {any} line @param {import("./review-panel.js").Setting} setting @param {string} kind @param {string} [sign] */
function lineOf(line, { money, persona, issues }, kind, sign) {
  const did = line.accept ? gettext("accepted") : line.walk_away ? gettext("walked away") : line.offer === null ? "" : formatMoney(line.offer, money);
  const terms = line.offer === null ? [] : labelsOf(issues, line.terms);
  return el(
    "li",
    { class: `${line.side === "player" ? "you" : "them"} ${kind}` },
    el(
      "span",
      { class: "who" },
      line.side === "player" ? gettext("You, turn {turn}", { turn: line.turn }) : `${persona}${kind === "before" ? gettext(", before") : ""}`,
      sign && el("i", { class: "sign", "aria-hidden": "true" }, sign),
    ),
    line.text && el("q", { dir: "auto" }, line.text),
    did && el("span", { class: "binds" }, el("b", { class: "figure" }, did), terms.length > 0 && ` ${terms.join(" · ")}`),
  );
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
    estimateLabel: gettext("Their likely limit"),
    packages: debrief.packages !== null,
  };
}

/** To the scenario's step: an interval knows no smaller sums. @param {number} value @param {import("./money.js").Money} money */
const stepped = (value, money) => formatMoney(Math.round(value / money.step) * money.step, money);

/** Whether no price, with whatever terms, suited both on that turn. @param {TheirSide} side @param {any} debrief */
function apart(side, debrief) {
  const own = debrief.offers.find((/** @type {any} */ row) => row.turn === side.turn)?.own_limit;
  return debrief.seat === "seller" ? own > side.limit : own < side.limit;
}

/**
 * What they were hiding on this turn, in words.
 * @param {TheirSide} side
 * @param {import("./review-panel.js").Setting} setting
 */
export function theirSideOf(side, { money, debrief, first }) {
  const rows = [
    [debrief.packages ? gettext("Their limit, as worth to you") : gettext("Their limit"), formatMoney(Math.round(side.limit), money)],
    ...(side.yours
      ? [[gettext("Yours, as your offers told it"), gettext("{low} to {high}", { low: stepped(side.yours.low, money), high: stepped(side.yours.high, money) })]]
      : []),
    [gettext("In a hurry"), side.urgency < 0.34 ? gettext("hardly") : side.urgency < 0.67 ? gettext("somewhat") : gettext("very")],
    [gettext("Another option"), side.alternative ? gettext("yes") : gettext("no")],
    ...(side.stated === null ? [] : [[gettext("The limit they stated"), `${formatMoney(side.stated, money)}, ${side.stands}`]]),
  ];
  return el(
    "section",
    { class: "their-side", "aria-label": gettext("Their side") },
    el("h3", {}, gettext("{first}’s side", { first })),
    side.held &&
      el(
        "p",
        { class: "held" },
        sentence(side.held.says),
        el("span", { class: "faint" }, side.held.said ? gettext("They said so, and it is still in the way.") : gettext("They thought so, and did not say it.")),
      ),
    apart(side, debrief) && el("p", {}, gettext("On this turn no price suited both of you. That you could not know: the review weighs what you could.")),
    el("dl", {}, ...rows.map(([name, value]) => el("div", {}, el("dt", {}, name), el("dd", { class: "figure" }, value)))),
  );
}
