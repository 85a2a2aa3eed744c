/** The map: who owns what, units as glyphs, arrows, what can be clicked; it can be dragged and zoomed. */

import { createLens } from "./board-lens.js";
import { parseOrder, placeOf, powerName, provinceOf, unitName } from "./board-words.js";
import { byId, svg } from "./dom.js";

const ARMY = "M-17-17h34v17c0 11-7 17-17 23-10-6-17-12-17-23z";
const FLEET = "M-27-4h54l-10 24h-34zM-4-8v-19L17-8z";
const GAP = 20;

/**
 * @typedef {{spots: Record<string, number[]>, centres: Record<string, number[]>}} Places
 * @param {Places} places
 * @param {(province: string) => void} onProvince
 */
export function createMap(places, onProvince) {
  const chart = /** @type {SVGSVGElement} */ (/** @type {unknown} */ (byId("chart")));
  const layers = { lit: byId("lit"), stars: byId("stars"), arrows: byId("arrows"), units: byId("units"), over: byId("over") };
  const faces = new Map([...chart.querySelectorAll(".face")].map((face) => [face.getAttribute("data-p") ?? "", face]));
  const lens = createLens(chart);

  chart.addEventListener("click", (event) => {
    if (lens.dragged()) return;
    const hit = /** @type {Element} */ (event.target).closest("[data-p]");
    if (hit) onProvince(hit.getAttribute("data-p") ?? "");
  });

  /** @param {string} place */
  const spot = (place) => places.spots[place] ?? places.spots[provinceOf(place)];

  /** @param {string} power @param {string} unit @param {boolean} routed @param {Record<string, boolean>} flags */
  function glyph(power, unit, routed, flags) {
    const [x, y] = spot(placeOf(unit));
    const army = unit[0] === "A";
    return svg(
      "g",
      {
        class: `unit pw-${power}${routed ? " routed" : ""}${flags.mine ? " mine" : ""}${flags.chosen ? " chosen" : ""}`,
        transform: `translate(${routed ? x + 20 : x} ${routed ? y - 18 : y})`,
        "data-p": provinceOf(placeOf(unit)),
        "data-unit": unit,
      },
      svg("title", {}, `${powerName(power)}: ${unitName(unit)}${routed ? ", must retreat" : ""}`),
      svg("circle", { class: "halo", r: 32 }),
      svg("path", { class: "body", d: army ? ARMY : FLEET }),
      svg("text", { y: army ? 7 : 14 }, power[0]),
    );
  }

  /** @param {import("./board-fold.js").Position} position @param {string | null} me @param {string} chosen */
  function draw(position, me, chosen = "") {
    const owners = new Map(Object.entries(position.centers).flatMap(([power, row]) => row.map((place) => [place, power])));
    for (const [place, face] of faces) paint(face, owners.get(place));
    layers.stars.replaceChildren(...Object.entries(places.centres).map(([place, at]) => star(at, owners.get(place))));
    const standing = Object.entries(position.units).flatMap(([power, row]) =>
      row.map((unit) => glyph(power, unit, false, { mine: power === me, chosen: unit === chosen })),
    );
    const routed = Object.entries(position.retreats ?? {}).flatMap(([power, row]) =>
      Object.keys(row).map((unit) => glyph(power, unit, true, { mine: power === me, chosen: unit === chosen })),
    );
    layers.units.replaceChildren(...standing, ...routed);
  }

  /** @param {Element} face @param {string | undefined} owner */
  function paint(face, owner) {
    face.setAttribute("class", `face ${face.classList.contains("sea") ? "sea" : "land"}${owner ? ` pw-${owner}` : ""}`);
    if (owner) face.setAttribute("data-owner", owner);
    else face.removeAttribute("data-owner");
  }

  /** @param {number[]} at @param {string | undefined} owner */
  function star([x, y], owner) {
    const inner = owner ? svg("text", { y: 4.3 }, owner[0]) : svg("circle", { class: "dot", r: 3.4 });
    const attributes = { class: `star${owner ? ` pw-${owner}` : ""}`, transform: `translate(${x} ${y})`, "data-owner": owner };
    return svg("g", attributes, svg("circle", { r: 9.5 }), inner);
  }

  /** @param {Iterable<string>} provinces what can be clicked next */
  function light(provinces) {
    layers.lit.replaceChildren(...[...provinces].map((place) => svg("path", { class: "lit", "data-p": place, d: faces.get(place)?.getAttribute("d") ?? "" })));
  }

  /**
   * @param {{power: string, order: string, results?: string[], look: string}[]} rows
   */
  function arrows(rows) {
    layers.arrows.replaceChildren();
    layers.over.replaceChildren();
    for (const row of rows) {
      const order = parseOrder(row.order);
      const failed = (row.results ?? []).some((word) => word !== "dislodged");
      const look = `pw-${row.power} ${row.look}${failed ? " failed" : ""}`;
      if (order.kind === "move" || order.kind === "retreat") arrow(spot(placeOf(order.unit)), spot(order.goal), look, true);
      else if (order.kind === "support" || order.kind === "convoy") aid(order, look);
      else if (order.kind === "build")
        layers.over.append(
          svg("circle", { class: "build-mark", cx: spot(placeOf(order.unit))[0], cy: spot(placeOf(order.unit))[1], r: 24 }),
          ...ghost(row.power, order),
        );
      if (failed && order.kind === "move") cross(spot(placeOf(order.unit)), spot(order.goal), 0.62);
      if (order.kind === "disband" || (row.results ?? []).includes("dislodged")) cross(spot(placeOf(order.unit)), spot(placeOf(order.unit)), 0);
    }
  }

  /** @param {string} power @param {import("./board-words.js").Order} order */
  const ghost = (power, order) => [glyph(power, order.unit, false, {})];

  /** @param {import("./board-words.js").Order} order @param {string} look */
  function aid(order, look) {
    const from = spot(placeOf(order.unit));
    const other = spot(placeOf(order.other));
    const goal = order.goal ? spot(order.goal) : other;
    const at = [other[0] + (goal[0] - other[0]) * 0.5, other[1] + (goal[1] - other[1]) * 0.5];
    arrow(from, order.goal ? at : other, `${look} ${order.kind}`, false, order.goal ? 0 : GAP + 5);
  }

  /** @param {number[]} from @param {number[]} to @param {string} look @param {boolean} head @param {number} gap */
  function arrow(from, to, look, head, gap = GAP) {
    const length = Math.hypot(to[0] - from[0], to[1] - from[1]) || 1;
    const [dx, dy] = [(to[0] - from[0]) / length, (to[1] - from[1]) / length];
    const d = `M${from[0] + dx * GAP} ${from[1] + dy * GAP}L${to[0] - dx * gap} ${to[1] - dy * gap}`;
    layers.arrows.append(svg("path", { class: "arrow casing", d }), svg("path", { class: `arrow ${look}`, d, "marker-end": head ? "url(#head)" : null }));
  }

  /** @param {number[]} from @param {number[]} to @param {number} share */
  function cross(from, to, share) {
    const [x, y] = [from[0] + (to[0] - from[0]) * share, from[1] + (to[1] - from[1]) * share];
    const d = `M${x - 8} ${y - 8}l16 16M${x + 8} ${y - 8}l-16 16`;
    layers.over.append(svg("path", { class: "failed-mark casing", d }), svg("path", { class: "failed-mark", d }));
  }

  return { draw, light, arrows, lens };
}
