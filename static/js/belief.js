/**
 * The player's read on the other side. Nothing is stated until a part of it is touched; what is stated goes
 * along with every move until it is changed or cleared.
 */

import { byId, el } from "./dom.js";
import { formatMoney, parseMoney } from "./money.js";
import { parseShare, percent } from "./shares.js";
import { gettext } from "./words.js";

/** @typedef {{walk_away: number | null, budget: number | null, urgency: number | null, p_alternative: number | null, confidence: number}} Belief */
/** @typedef {"walk_away" | "budget" | "urgency" | "p_alternative" | "confidence"} Part */

/**
 * @param {import("./money.js").Money} money
 * @param {"seller" | "buyer"} seat the player's
 * @param {() => void} onChange
 */
export function createBelief(money, seat, onChange) {
  const root = byId("belief");
  const clear = byId("belief-clear");
  const change = byId("belief-change");
  const limit = seat === "seller" ? gettext("They would pay at most") : gettext("They would take at least");
  /** @type {Record<Part, ReturnType<typeof row>>} */
  const rows = {
    walk_away: row({ id: "walk-away", label: limit, money }, changed),
    budget: row({ id: "budget", label: seat === "seller" ? gettext("Their hard budget") : gettext("Their hard cost"), money }, changed),
    urgency: row({ id: "urgency", label: gettext("Their hurry"), ends: [gettext("none"), gettext("desperate")] }, changed),
    p_alternative: row({ id: "alternative", label: gettext("They have another option"), ends: [gettext("no"), gettext("surely")] }, changed),
    confidence: row({ id: "confidence", label: gettext("How sure you are"), ends: [gettext("a guess"), gettext("certain")], start: 0.5 }, changed),
  };
  root.append(...Object.values(rows).map((part) => part.node));
  change.addEventListener("click", () => open(change.getAttribute("aria-expanded") !== "true"));
  open(false);

  /** Show the sliders and what is seldom stated, or the fields alone. @param {boolean} on */
  function open(on) {
    root.classList.toggle("whole", on);
    change.setAttribute("aria-expanded", String(on));
    change.textContent = on ? gettext("Less") : gettext("More");
  }

  function changed() {
    const stated = value() !== null;
    clear.hidden = !stated;
    rows.confidence.node.hidden = !stated;
    onChange();
  }

  /** @returns {Belief | null} */
  function value() {
    const stated = { walk_away: rows.walk_away.value, budget: rows.budget.value, urgency: rows.urgency.value, p_alternative: rows.p_alternative.value };
    if (Object.values(stated).every((part) => part === null)) return null;
    return { ...stated, confidence: rows.confidence.value ?? 0.5 };
  }

  clear.addEventListener("click", () => {
    for (const part of Object.values(rows)) part.set(null);
    changed();
  });
  rows.confidence.node.hidden = true;

  return {
    value,
    /** @param {Belief | null} belief */
    set(belief) {
      for (const [name, part] of Object.entries(rows)) part.set(belief?.[/** @type {Part} */ (name)] ?? null);
      changed();
    },
    focus: () => rows.walk_away.focus(),
    /** The band of the estimate: narrow when sure, wide when guessing. */
    band() {
      const centre = rows.walk_away.value;
      if (centre === null) return null;
      const half = centre * (0.02 + 0.16 * (1 - (rows.confidence.value ?? 0.5)));
      return { low: centre - half, high: centre + half };
    },
  };
}

/**
 * One row: a slider and a field for the same value. Money rows speak money, the others per cent.
 * @param {{id: string, label: string, money?: import("./money.js").Money, ends?: [string, string], start?: number}} spec
 * @param {() => void} onChange
 */
function row({ id, label, money, ends, start }, onChange) {
  const middle = money ? Math.sqrt(money.low * money.high) : 50;
  const slider = el("input", {
    type: "range",
    class: "range",
    min: money ? money.low : 0,
    max: money ? money.high : 100,
    step: money ? money.step : 1,
    "aria-label": gettext("{label}, slider", { label }),
    "data-untouched": "true",
  });
  const input = el("input", {
    class: "input belief-input figure",
    id: `belief-${id}`,
    "data-testid": `belief-${id}`,
    type: "text",
    inputmode: "decimal",
    placeholder: money ? gettext("not stated") : "–",
    autocomplete: "off",
  });
  const node = el(
    "div",
    { class: `belief-row belief-row-${id}` },
    el("label", { for: input.id }, label),
    input,
    slider,
    ends ? el("span", { class: "ends faint", "aria-hidden": "true" }, el("span", {}, ends[0]), el("span", {}, ends[1])) : null,
  );
  /** @type {number | null} */
  let value = null;

  /** @param {number | null} next */
  function set(next) {
    value = next;
    slider.dataset.untouched = String(next === null);
    const shown = next ?? (money ? middle : (start ?? 0.5));
    slider.value = String(money ? shown : shown * 100);
    input.value = next === null ? "" : written(next);
    input.removeAttribute("aria-invalid");
  }

  /** @param {number} number */
  const written = (number) => (money ? formatMoney(number, money) : percent(number));

  slider.addEventListener("input", () => {
    value = money ? Number(slider.value) : Number(slider.value) / 100;
    slider.dataset.untouched = "false";
    input.value = written(value);
    onChange();
  });
  input.addEventListener("input", () => {
    const read = money ? parseMoney(input.value) : parseShare(input.value);
    const good = read === null || (Number.isFinite(read) && read >= 0 && (money !== undefined || read <= 1));
    input.toggleAttribute("aria-invalid", !good);
    if (!good) input.setAttribute("aria-invalid", "true");
    value = good ? read : null;
    slider.dataset.untouched = String(value === null);
    if (value !== null) slider.value = String(money ? value : value * 100);
    onChange();
  });
  input.addEventListener("change", () => {
    if (value !== null) input.value = written(value);
  });
  set(null);
  return {
    node,
    set,
    focus: () => input.focus(),
    get value() {
      return value;
    },
  };
}
