/** What the player has set out to do in a deal, in their own words and figures. It stays on this device. */

import { byId, el } from "./dom.js";
import { formatMoney, parseMoney } from "./money.js";
import { gettext } from "./words.js";

/** @typedef {{first: number | null, target: number | null, rule: string}} Plan */
/** @typedef {{seat: "seller" | "buyer", first: number | null, closed: number | null, walkAway: number}} Done what became of it, in worth to the player */
/** @typedef {{what: string, plan: string, deal: string, kept: boolean | null}} Row ``kept`` is null for what nobody can tell */

const EMPTY = { first: null, target: null, rule: "" };
const keyOf = (/** @type {string} */ gameId) => `parlay-plan-${gameId}`;

/** The plan kept for a deal, or an empty one. @param {string} gameId @returns {Plan} */
export function planOf(gameId) {
  try {
    return { ...EMPTY, ...JSON.parse(localStorage.getItem(keyOf(gameId)) ?? "{}") };
  } catch {
    return EMPTY;
  }
}

/**
 * The plan's fields at the table.
 * @param {string} gameId
 * @param {import("./money.js").Money} money
 * @param {() => void} onChange
 */
export function createPlan(gameId, money, onChange) {
  let plan = planOf(gameId);
  const rule = /** @type {HTMLTextAreaElement} */ (byId("plan-rule"));
  rule.value = plan.rule;
  rule.addEventListener("change", () => keep({ rule: rule.value.trim() }));
  for (const name of /** @type {("first" | "target")[]} */ (["first", "target"])) figure(name);

  /** @param {"first" | "target"} name */
  function figure(name) {
    const field = /** @type {HTMLInputElement} */ (byId(`plan-${name}`));
    const kept = plan[name];
    field.value = kept === null ? "" : formatMoney(kept, money);
    field.addEventListener("change", () => {
      const value = parseMoney(field.value);
      const wrong = value !== null && !(value > 0);
      field.setAttribute("aria-invalid", String(wrong));
      byId("plan-complaint").hidden = !wrong;
      if (wrong) return;
      field.value = value === null ? "" : formatMoney(value, money);
      keep({ [name]: value });
    });
  }

  /** @param {Partial<Plan>} changed */
  function keep(changed) {
    plan = { ...plan, ...changed };
    try {
      localStorage.setItem(keyOf(gameId), JSON.stringify(plan));
    } catch {
      // Storage can be forbidden: the plan then lasts as long as the page.
    }
    onChange();
  }
  return { target: () => plan.target };
}

/**
 * The plan beside what became of it.
 * @param {Plan} plan
 * @param {Done} done
 * @param {import("./money.js").Money} money
 * @returns {Row[]}
 */
export function planRows(plan, done, money) {
  const sign = done.seat === "seller" ? 1 : -1;
  const rows = [];
  if (plan.first !== null) {
    const said = done.first === null ? gettext("no number said") : formatMoney(done.first, money);
    rows.push({ what: gettext("First number"), plan: formatMoney(plan.first, money), deal: said, kept: done.first === plan.first });
  }
  if (plan.target !== null) {
    const short = done.closed === null ? null : sign * (plan.target - done.closed);
    const words =
      short === null
        ? gettext("no deal")
        : short > 0
          ? gettext("{short} short", { short: formatMoney(short, money) })
          : short < 0
            ? gettext("{better} better", { better: formatMoney(-short, money) })
            : gettext("reached");
    rows.push({ what: gettext("Target"), plan: formatMoney(plan.target, money), deal: words, kept: short === null ? null : short <= 0 });
  }
  if (rows.length > 0 || plan.rule) {
    const held = done.closed === null || sign * (done.closed - done.walkAway) >= 0;
    rows.push({ what: gettext("Walk-away"), plan: gettext("not beyond it"), deal: held ? gettext("kept") : gettext("signed beyond it"), kept: held });
  }
  if (plan.rule) rows.push({ what: gettext("To hold to"), plan: plan.rule, deal: gettext("you judge"), kept: null });
  return rows;
}

/** The rows in the table of the debrief, whose part stays hidden where there was no plan. @param {HTMLElement} part @param {Row[]} rows */
export function showPlan(part, rows) {
  part.hidden = rows.length === 0;
  part
    .querySelector("tbody")
    ?.replaceChildren(
      ...rows.map((row) =>
        el(
          "tr",
          {},
          el("th", { scope: "row", class: "words" }, row.what),
          el("td", {}, row.plan),
          el("td", { class: row.kept === null ? "" : row.kept ? "over" : "under" }, row.deal),
        ),
      ),
    );
}
