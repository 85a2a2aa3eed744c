/** What can be ordered: the orders that a kind of the menu stands for, where clicks lead, and what goes out as a whole. */

import { clicksOf } from "./board-words.js";

/** @typedef {import("./board-words.js").Order} Order */
/** @typedef {{phase: string, delta: number, units: Record<string, string[]>}} Options */

/**
 * Whether an order is one of a kind of the menu: a place in reach on foot is sailed to only by choice.
 * @param {Order} order
 * @param {string} kind
 * @param {Order[]} orders all of the unit
 */
export function isOf(order, kind, orders) {
  if (kind === "sail") return order.via;
  const walked = () => orders.some((other) => other.kind === "move" && !other.via && other.goal === order.goal);
  return order.kind === kind && !(order.via && walked());
}

/**
 * What may be clicked next, by province, and the orders that each leads to.
 * @param {Order[]} orders all of the unit
 * @param {string} kind
 * @param {string[]} clicks so far
 * @returns {Map<string, Order[]>}
 */
export function nextClicks(orders, kind, clicks) {
  /** @type {Map<string, Order[]>} */
  const found = new Map();
  for (const order of orders) {
    const way = clicksOf(order);
    if (!isOf(order, kind, orders) || way.length <= clicks.length || !clicks.every((place, i) => way[i] === place)) continue;
    const place = way[clicks.length];
    found.set(place, [...(found.get(place) ?? []), order]);
  }
  return found;
}

/** Whether units are built or disbanded. @param {Options | null} options */
export const isWinter = (options) => Boolean(options?.phase.startsWith("W"));

/**
 * The orders to send, or what is missing.
 * @param {Options | null} options
 * @param {Map<string, string>} drafts by unit
 * @returns {{orders: string[]} | {wrong: string}}
 */
export function wholeOrders(options, drafts) {
  if (!options) return { wrong: "There is nothing to order." };
  if (!isWinter(options)) {
    const quiet = options.phase.endsWith("R") ? "D" : "H";
    return { orders: Object.keys(options.units).map((unit) => drafts.get(unit) ?? `${unit} ${quiet}`) };
  }
  const { delta } = options;
  const real = [...drafts.values()].filter((text) => text !== "WAIVE");
  if (delta < 0 && real.length !== -delta) return { wrong: `Choose ${-delta} to disband; ${real.length} chosen.` };
  if (real.length > delta && delta > 0) return { wrong: `You may build ${delta}, not ${real.length}.` };
  return { orders: [...real, ...Array(Math.max(0, Math.abs(delta) - real.length)).fill("WAIVE")] };
}
