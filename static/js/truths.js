/** What only a coach sees: the opponent's truth, the rep's read against it, the points as they fall. */

import { byId, el } from "./dom.js";
import { formatMoney, shortMoney } from "./money.js";
import { percent } from "./shares.js";
import { density, sparkline } from "./spark.js";
import { showTruthPackages } from "./truth-packages.js";
import { gettext } from "./words.js";

const LABELS = {
  value: gettext("Their movement"),
  theory_of_mind: gettext("Reading them"),
  capitulation: gettext("Conceding unmatched"),
  incoherence: gettext("Incoherence"),
  bluff: gettext("Bluffs"),
  market_event: gettext("Reading the news"),
  efficiency: gettext("Share of the zone"),
  speed: gettext("Speed"),
  adaptation: gettext("Adapting"),
  floor_breach: gettext("Beyond the limit"),
  no_deal: gettext("No deal"),
};

/**
 * @param {import("./fold.js").Snapshot} state
 * @param {import("./money.js").Money} money
 */
export function showTruths(state, money) {
  const { coach } = state;
  if (!coach) return;
  const them = coach.truth.opponent;
  byId("truth-walk-away").textContent = formatMoney(Math.round(them.walk_away), money);
  byId("truth-urgency").textContent = percent(them.urgency);
  byId("urgency-spark").replaceChildren(sparkline(coach.history.map((/** @type {any} */ past) => past.truth.opponent.urgency)));
  byId("truth-alternative").textContent = them.has_alternative
    ? gettext("Yes, worth {alternative_value}", { alternative_value: formatMoney(Math.round(them.alternative_value ?? 0), money) })
    : gettext("None");
  showClaim(state, money);
  byId("secret").hidden = !coach.hint;
  byId("hint").textContent = coach.hint;
  const belief = state.transcript.findLast((move) => move.side === "player" && move.belief)?.belief ?? null;
  byId("belief-vs-truth").replaceChildren(comparison(belief, them, money));
  const root = byId("posterior");
  root.replaceChildren(density(coach.posterior, them.walk_away, belief?.walk_away ?? null, money, root.clientWidth || 280));
  const [from, to] = coach.posterior.ci95;
  byId("posterior-words").textContent = gettext("{from} to {to} with 95% likelihood, from offers and news alone. The solid line is the truth{stated}.", {
    from: shortMoney(from, money),
    to: shortMoney(to, money),
    stated: belief?.walk_away ? gettext(", the dashed one the rep’s estimate") : "",
  });
  showTerms(coach);
  showTruthPackages(state, money);
}

/** @param {import("./fold.js").Snapshot} state @param {import("./money.js").Money} money */
function showClaim(state, money) {
  const cell = byId("truth-bluff");
  const last = state.transcript.findLast((move) => move.side === "opponent" && move.claim !== null && move.claim !== undefined);
  const graded = state.coach.history.findLast((/** @type {any} */ past) => past.open_claim_is_bluff !== null);
  if (!last) {
    cell.textContent = gettext("None stated");
    return;
  }
  cell.dataset.verdict = graded?.open_claim_is_bluff ? "bluff" : "true";
  cell.textContent = `${formatMoney(last.claim, money)}, ${graded ? truthfulness(last.claim, graded, money) : gettext("not judged yet")}`;
}

/**
 * How a stated limit stands to the true one: false where the score says so, true within a step, else shaded.
 * @param {number} claim
 * @param {{open_claim_is_bluff: boolean | null, truth: any}} graded
 * @param {import("./money.js").Money} money
 */
export function truthfulness(claim, graded, money) {
  const apart = Math.abs(claim - graded.truth.opponent.walk_away);
  if (apart <= money.step && !graded.open_claim_is_bluff) return "true";
  const off = gettext("{apart} off", { apart: formatMoney(Math.round(apart), money) });
  return graded.open_claim_is_bluff ? gettext("false, {off}", { off }) : gettext("shaded, {off}", { off });
}

/**
 * @param {any} belief
 * @param {any} truth
 * @param {import("./money.js").Money} money
 */
function comparison(belief, truth, money) {
  if (!belief) return el("p", { class: "faint" }, gettext("The rep has not stated a read yet."));
  const figure = (/** @type {number | null} */ value) => (value === null ? "–" : formatMoney(Math.round(value), money));
  const share = (/** @type {number | null} */ value) => (value === null ? "–" : percent(value));
  const rows = [
    [gettext("Limit"), figure(belief.walk_away), figure(truth.walk_away)],
    [gettext("Budget"), figure(belief.budget), figure(truth.budget)],
    [gettext("Hurry"), share(belief.urgency), share(truth.urgency)],
    [gettext("Other option"), share(belief.p_alternative), truth.has_alternative ? gettext("Yes") : gettext("No")],
  ];
  return el(
    "table",
    { class: "data-table compare" },
    el("thead", {}, el("tr", {}, ...["", gettext("Read"), gettext("Truth")].map((head) => (head ? el("th", { scope: "col" }, head) : el("td"))))),
    el(
      "tbody",
      {},
      ...rows.map(([name, read, real]) => el("tr", {}, el("th", { scope: "row" }, name), el("td", {}, read), el("td", { class: "truth" }, real))),
    ),
  );
}

/** The latest turns first; each term with its reason. @param {any} coach */
function showTerms(coach) {
  byId("total-reward").textContent = signed(coach.total_reward);
  const list = byId("terms");
  const turns = coach.history.filter((/** @type {any} */ past) => past.terms.length > 0).reverse();
  list.replaceChildren(
    ...turns.map((/** @type {any} */ past) =>
      el(
        "li",
        {},
        el("p", { class: "terms-turn" }, el("span", {}, gettext("Turn {turn}", { turn: past.turn })), el("span", { class: "figure" }, signed(past.reward))),
        ...past.terms
          .filter((/** @type {any} */ term) => Math.abs(term.points) >= 0.05)
          .map((/** @type {any} */ term) =>
            el(
              "p",
              { class: "term" },
              el("span", { class: "figure", "data-sign": Math.sign(term.points) }, signed(term.points)),
              ` ${LABELS[/** @type {keyof typeof LABELS} */ (term.name)] ?? term.name}. `,
              el("span", { class: "faint" }, term.why),
            ),
          ),
      ),
    ),
  );
}

/** @param {number} value */
function signed(value) {
  const rounded = Math.round(value * 10) / 10;
  return rounded > 0 ? `+${rounded.toFixed(1)}` : rounded.toFixed(1).replace("-", "−");
}
