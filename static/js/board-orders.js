/** One's orders: choose a unit, then what it does, by clicks on the map or by buttons. Only what is possible can be chosen. */

import { isOf, isWinter, nextClicks, wholeOrders } from "./board-choices.js";
import { clicksOf, orderWords, parseOrder, placeName, placeOf, provinceOf, unitName } from "./board-words.js";
import { byId, el } from "./dom.js";

/** @typedef {import("./board-words.js").Order} Order */
/** @typedef {import("./board-choices.js").Options} Options */

const KINDS = /** @type {Record<string, string>} */ ({
  move: "Move",
  sail: "By convoy",
  support: "Support",
  convoy: "Convoy",
  hold: "Hold",
  retreat: "Retreat",
  disband: "Disband",
  build: "Build",
  waive: "Leave empty",
});
const ASKS = /** @type {Record<string, string[]>} */ ({
  move: ["Where to?"],
  sail: ["Where to, carried by fleets?"],
  retreat: ["Where to?"],
  support: ["Which unit?", "Where is it to go? Its own place means that it stays."],
  convoy: ["Which army?", "Where is it to land?"],
});

/**
 * @param {string} store the name under which unsent orders are kept in this browser
 * @param {{changed: () => void, say: (words: string) => void, send: (type: string, data: any) => Promise<any>}} out
 */
export function createOrders(store, out) {
  const list = byId("order-list");
  const menu = byId("order-menu");
  const label = byId("commanded");
  /** @type {Options | null} */
  let options = null;
  /** @type {Map<string, string>} */
  let drafts = new Map();
  /** @type {Map<string, string>[]} */
  const history = [];
  let sent = false;
  let chosen = "";
  let kind = "";
  /** @type {string[]} */
  let clicks = [];

  const winter = () => isWinter(options);
  /** @param {string} unit @returns {Order[]} */
  const ordersOf = (unit) => (options?.units[unit] ?? []).map(parseOrder);
  /** @param {string} unit */
  const rowName = (unit) => (winter() && (options?.delta ?? 0) > 0 ? placeName(placeOf(unit)) : unitName(unit));

  /** What may be clicked next, by province. */
  const next = () => nextClicks(ordersOf(chosen), kind, clicks);

  /** @param {string} unit */
  function choose(unit) {
    const kinds = ordersOf(unit).map((order) => order.kind);
    chosen = unit;
    kind = ["move", "retreat"].find((one) => kinds.includes(/** @type {any} */ (one))) ?? "";
    clicks = [];
    render();
  }

  function leave() {
    chosen = kind = "";
    clicks = [];
    render();
  }

  /** @param {string} province a click on the map; whether it meant something */
  function click(province) {
    if (!options || sent) return;
    if (chosen && next().has(province)) return void step(province);
    const unit = Object.keys(options.units).find((one) => provinceOf(placeOf(one)) === province);
    if (unit && unit === chosen) {
      const hold = ordersOf(unit).find((order) => order.kind === "hold");
      if (hold) return set(hold);
    }
    if (unit) choose(unit);
    else if (chosen) leave();
  }

  /** @param {string} one a kind of the menu */
  function begin(one) {
    kind = one;
    clicks = [];
    render();
    focusMenu();
  }

  /** @param {string} province */
  function step(province) {
    const fits = next().get(province) ?? [];
    clicks.push(province);
    const whole = fits.filter((order) => clicksOf(order).length === clicks.length);
    if (whole.length === 1 && fits.length === 1) return set(whole[0]);
    render();
    if (whole.length === fits.length) variants(whole);
    else focusMenu();
  }

  /** Several orders with the same clicks: which coast. @param {Order[]} orders */
  function variants(orders) {
    menu.replaceChildren(
      el("p", { class: "menu-ask" }, "Which one?"),
      el("div", { class: "menu-targets" }, ...orders.map((order) => chip(orderWords(order), () => set(order)))),
    );
    focusMenu();
  }

  /** @param {Order} order */
  function set(order) {
    history.push(new Map(drafts));
    drafts.set(chosen, order.text);
    keep();
    out.say(`${rowName(chosen)} ${orderWords(order)}.`);
    const row = chosen;
    leave();
    rowOf(row)?.focus({ preventScroll: true });
  }

  function undo() {
    const before = history.pop();
    if (!before) return;
    drafts = before;
    keep();
    leave();
    out.say("Undone.");
  }

  function keep() {
    try {
      localStorage.setItem(store, JSON.stringify({ phase: options?.phase, drafts: [...drafts] }));
    } catch {
      // Storage can be forbidden: unsent orders then last for this page.
    }
  }

  function recall() {
    try {
      const kept = JSON.parse(localStorage.getItem(store) ?? "null");
      if (kept?.phase !== options?.phase) return new Map();
      return new Map(kept.drafts.filter((/** @type {string[]} */ [unit, text]) => options?.units[unit]?.includes(text)));
    } catch {
      return new Map();
    }
  }

  /** @param {string} words @param {() => void} act @param {boolean} [pressed] */
  function chip(words, act, pressed) {
    const button = el("button", { type: "button", class: "chip", "aria-pressed": pressed === undefined ? null : String(pressed) }, words);
    button.addEventListener("click", act);
    return button;
  }

  /** @param {string} unit @returns {HTMLElement | null} */
  const rowOf = (unit) => list.querySelector(`[data-unit="${CSS.escape(unit)}"]`);

  /** Whoever works by keyboard keeps their place when a frame redraws the list; returns what gives it back. */
  function focused() {
    const held = document.activeElement;
    const unit = held instanceof HTMLElement && list.contains(held) ? held.dataset.unit : undefined;
    if (unit) return () => rowOf(unit)?.focus({ preventScroll: true });
    if (!held || !menu.contains(held)) return () => {};
    const words = held.textContent;
    return () => {
      const chips = /** @type {HTMLElement[]} */ ([...menu.querySelectorAll(".chip")]);
      const first = /** @type {HTMLElement | null} */ (menu.querySelector(".menu-targets .chip"));
      (chips.find((one) => one.textContent === words && one.getAttribute("aria-pressed") === null) ?? first)?.focus({ preventScroll: true });
    };
  }

  function focusMenu() {
    if (!menu.contains(document.activeElement) && document.activeElement !== document.body)
      /** @type {HTMLElement | null} */ (menu.querySelector(".menu-targets .chip"))?.focus();
  }

  function renderMenu() {
    menu.hidden = !chosen;
    label.hidden = !chosen;
    if (!chosen) return;
    const kinds = Object.keys(KINDS).filter((one) => ordersOf(chosen).some((order, _, all) => isOf(order, one, all)));
    const single = (/** @type {string} */ one) => ordersOf(chosen).filter((order, _, all) => isOf(order, one, all) && clicksOf(order).length === 0);
    const heads = kinds.flatMap((one) =>
      single(one).length
        ? single(one).map((order) => chip(one === "build" ? orderWords(order).replace("builds", "Build") : KINDS[one], () => set(order)))
        : [chip(KINDS[one], () => begin(one), kind === one)],
    );
    const ask = kind ? ASKS[kind][clicks.length] : "";
    const targets = [...next().keys()].sort((a, b) => placeName(a).localeCompare(placeName(b)));
    menu.replaceChildren(
      el("div", { class: "menu-kinds", role: "group", "aria-label": "What it does" }, ...heads),
      ask ? el("p", { class: "menu-ask" }, ask) : "",
      el("div", { class: "menu-targets", role: "group", "aria-label": ask || "Targets" }, ...targets.map((place) => chip(placeName(place), () => step(place)))),
    );
    const told = clicks.length ? `${KINDS[kind]}: ${placeName(clicks[0])}. ` : kind ? `${KINDS[kind]}. ` : "";
    label.replaceChildren(rowName(chosen), el("span", { class: "faint" }, `${told}${ask || "Choose beside the map."}`));
  }

  function renderList() {
    list.replaceChildren(
      ...Object.keys(options?.units ?? {}).map((unit) => {
        const text = drafts.get(unit);
        const none = winter() ? "nothing" : options?.phase.endsWith("R") ? "disbands" : "holds";
        const words = el("span", { class: `order-words${text ? "" : " none"}` }, text ? orderWords(parseOrder(text)) : none);
        const button = el(
          "button",
          {
            type: "button",
            class: "order-row",
            "data-unit": unit,
            "data-testid": `order-${unit.replace(" ", "-")}`,
            "aria-expanded": String(unit === chosen),
            disabled: sent,
          },
          el("strong", {}, rowName(unit)),
          words,
        );
        button.addEventListener("click", () => {
          if (unit === chosen) return leave();
          choose(unit);
          focusMenu();
        });
        return el("li", {}, button, unit === chosen ? menu : "");
      }),
    );
  }

  function render() {
    const refocus = focused();
    renderMenu();
    renderList();
    refocus();
    /** @type {HTMLButtonElement} */ (byId("undo")).disabled = history.length === 0 || sent;
    byId("orders-hint").textContent = hint();
    out.changed();
  }

  function hint() {
    const due = options?.delta ?? 0;
    if (sent) return "Your orders are in. Nobody sees them before all are opened.";
    if (winter()) return due > 0 ? `You may build ${due}. Choose where, and what.` : `You must disband ${-due}.`;
    return `Click a unit, then where it goes. A unit without an order ${options?.phase.endsWith("R") ? "disbands" : "holds"}.`;
  }

  /** @param {string} words */
  function wrong(words) {
    byId("orders-error").textContent = words;
    byId("orders-error").hidden = !words;
  }

  async function submit() {
    const answer = wholeOrders(options, drafts);
    if ("wrong" in answer) return wrong(answer.wrong);
    wrong("");
    const button = /** @type {HTMLButtonElement} */ (byId("submit"));
    button.disabled = true;
    const reply = await out.send("order", { orders: answer.orders });
    button.disabled = false;
    if (reply.type === "error") wrong(reply.data.message);
  }

  byId("undo").addEventListener("click", undo);
  byId("submit").addEventListener("click", submit);
  byId("withdraw").addEventListener("click", async () => {
    const reply = await out.send("withdraw", {});
    if (reply.type === "error") wrong(reply.data.message);
  });
  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape" && chosen) leave();
  });

  return {
    click,
    /** New options: a new phase begins with what was left unsent in it. @param {Options | null} fresh */
    offer(fresh) {
      const same = fresh?.phase === options?.phase;
      options = fresh;
      if (!same) {
        history.length = 0;
        drafts = recall();
        wrong("");
        chosen = kind = "";
        clicks = [];
      }
      render();
    },
    /** @param {string[] | null} mine what is in already */
    settle(mine) {
      sent = Boolean(mine);
      if (mine && !winter()) drafts = new Map(mine.map((text) => [parseOrder(text).unit, text]));
      if (sent) chosen = "";
      byId("submit").hidden = sent;
      byId("withdraw").hidden = !sent;
      render();
    },
    texts: () => [...drafts.values()].filter((text) => text !== "WAIVE"),
    /** Everything that would be sent now; null where it cannot be. */
    whole: () => {
      const answer = wholeOrders(options, drafts);
      return "orders" in answer ? answer.orders : null;
    },
    lit: () => (chosen && !sent ? [...next().keys()] : []),
    chosen: () => chosen,
    busy: () => Boolean(chosen),
    any: () => Object.keys(options?.units ?? {}).length > 0,
    phase: () => options?.phase ?? "",
    leave,
  };
}
