/** Orders and phases of the board: read from their notation, and said in words. */

/**
 * @typedef {"hold" | "move" | "support" | "convoy" | "retreat" | "disband" | "build" | "waive"} Kind
 * @typedef {object} Order
 * @property {string} text
 * @property {Kind} kind
 * @property {string} unit such as "F STP/SC"; empty for WAIVE
 * @property {string} goal where to, with its coast; empty where there is none
 * @property {string} other the unit supported or carried
 * @property {boolean} via
 */

const FORM = /^([AF] \S+) (?:(H)|- (\S+?)( VIA)?|S ([AF] \S+)(?: - (\S+))?|C ([AF] \S+) - (\S+)|R (\S+)|(D)|(B))$/;
const SEASONS = /** @type {Record<string, string>} */ ({ S: "Spring", F: "Fall", W: "Winter" });
const STEPS = /** @type {Record<string, string>} */ ({ M: "", R: ", retreats", A: ", builds" });
const COASTS = /** @type {Record<string, string>} */ ({ NC: "north coast", EC: "east coast", SC: "south coast" });

/** @type {Record<string, string>} */
let names = {};

/** @param {Record<string, string>} provinces by identifier: the name */
export function useNames(provinces) {
  names = provinces;
}

/** @param {string} text @returns {Order} */
export function parseOrder(text) {
  const found = FORM.exec(text);
  const order = { text, kind: /** @type {Kind} */ ("waive"), unit: "", goal: "", other: "", via: false };
  if (!found) return order;
  const [, unit, hold, to, via, supported, into, carried, ashore, retreat, disband] = found;
  order.unit = unit;
  if (hold) order.kind = "hold";
  else if (to) Object.assign(order, { kind: "move", goal: to, via: Boolean(via) });
  else if (supported) Object.assign(order, { kind: "support", other: supported, goal: into ?? "" });
  else if (carried) Object.assign(order, { kind: "convoy", other: carried, goal: ashore });
  else if (retreat) Object.assign(order, { kind: "retreat", goal: retreat });
  else order.kind = disband ? "disband" : "build";
  return order;
}

/** The place of a unit, with its coast. @param {string} unit */
export const placeOf = (unit) => unit.slice(2);

/** @param {string} place */
export const provinceOf = (place) => place.split("/")[0];

/** @param {string} place */
export function placeName(place) {
  const [province, coast] = place.split("/");
  return `${names[province] ?? province}${coast ? `, ${COASTS[coast]}` : ""}`;
}

/** @param {string} unit */
export const unitName = (unit) => `${unit[0] === "A" ? "Army" : "Fleet"} ${placeName(placeOf(unit))}`;

/** What an order says, without the unit. @param {Order} order */
export function orderWords(order) {
  if (order.kind === "hold") return "holds";
  if (order.kind === "move") return `to ${placeName(order.goal)}${order.via ? ", by convoy" : ""}`;
  if (order.kind === "support") return order.goal ? `supports ${unitName(order.other)} to ${placeName(order.goal)}` : `supports ${unitName(order.other)}`;
  if (order.kind === "convoy") return `carries ${unitName(order.other)} to ${placeName(order.goal)}`;
  if (order.kind === "retreat") return `retreats to ${placeName(order.goal)}`;
  if (order.kind === "disband") return "disbands";
  if (order.kind === "build")
    return `builds ${order.unit[0] === "A" ? "an army" : "a fleet"}${order.unit.includes("/") ? `, ${COASTS[order.unit.split("/")[1]]}` : ""}`;
  return "builds nothing";
}

/** The provinces to click, one after the other, for an order. @param {Order} order */
export function clicksOf(order) {
  if (order.kind === "move" || order.kind === "retreat") return [provinceOf(order.goal)];
  if (order.kind === "support" || order.kind === "convoy") {
    const other = provinceOf(placeOf(order.other));
    return [other, order.goal ? provinceOf(order.goal) : other];
  }
  return [];
}

/** @param {string} phase */
export function phaseWords(phase) {
  return phase === "COMPLETED" ? "The end" : `${SEASONS[phase[0]]} ${phase.slice(1, -1)}${STEPS[phase.at(-1) ?? "M"]}`;
}

/** @param {number} turn counted from spring 1901 */
export const turnWords = (turn) => `${turn % 2 ? "Fall" : "Spring"} ${1901 + Math.floor(turn / 2)}`;

/** The movement phase that a phase is in or comes to. @param {string} phase */
export function turnOf(phase) {
  const year = 2 * (Number(phase.slice(1, -1)) - 1901);
  return phase[0] === "W" ? year + 2 : phase[0] === "F" || phase.endsWith("R") ? year + 1 : year;
}

/** @param {string} power */
export const powerName = (power) => (power === "GLOBAL" ? "everybody" : power[0] + power.slice(1).toLowerCase());

export const POWERS = ["AUSTRIA", "ENGLAND", "FRANCE", "GERMANY", "ITALY", "RUSSIA", "TURKEY"];
