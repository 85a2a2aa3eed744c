/** The triangle of divisions: a point nearer a corner leaves more to that seat; on an edge the third gets nothing. */

import { svg } from "./dom.js";

/** @typedef {"seller" | "buyer_a" | "buyer_b"} Seat */
/** @typedef {{short: string, company: string, name: string, persona: string, role: string}} SeatWords */
/** @typedef {Record<Seat, number>} Gains */
/** @typedef {{by: Seat, gains: Gains, standing: boolean, words: string}} Dot */

/** @type {Seat[]} */
export const SEATS = ["seller", "buyer_a", "buyer_b"];
/** @type {Record<Seat, [number, number]>} */
const CORNERS = { seller: [170, 30], buyer_a: [30, 272], buyer_b: [310, 272] };
const WIDTH = 340;
const HEIGHT = 304;

/** Where a division lies. What a seat would lose counts as nothing; no gain at all has no place. @param {Gains} gains */
export function placeOf(gains) {
  const parts = SEATS.map((seat) => Math.max(0, gains[seat]));
  const whole = parts.reduce((sum, part) => sum + part, 0);
  if (whole <= 0) return null;
  const at = (/** @type {0 | 1} */ axis) => SEATS.reduce((sum, seat, i) => sum + (parts[i] / whole) * CORNERS[seat][axis], 0);
  return /** @type {[number, number]} */ ([at(0), at(1)]);
}

/** @param {number[]} corner payoffs in the order of the seats */
const placeOfList = (corner) => placeOf(/** @type {Gains} */ (Object.fromEntries(SEATS.map((seat, i) => [seat, corner[i]]))));

/**
 * A fresh drawing of the empty triangle.
 * @param {Record<Seat, SeatWords>} seats
 * @param {Seat} own
 */
export function drawTriangle(seats, own) {
  const board = svg("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, "aria-hidden": "true", focusable: "false" });
  const points = SEATS.map((seat) => CORNERS[seat].join(",")).join(" ");
  board.append(svg("polygon", { class: "tri-ground", points }));
  for (const share of [0.25, 0.5, 0.75]) for (const seat of SEATS) board.append(gridLine(seat, share));
  board.append(svg("polygon", { class: "tri-edge", points }));
  for (const seat of SEATS) {
    const [x, y] = CORNERS[seat];
    const anchor = seat === "seller" ? "middle" : seat === "buyer_a" ? "start" : "end";
    const shift = seat === "seller" ? 0 : seat === "buyer_a" ? -26 : 26;
    const label = seat === own ? `${seats[seat].short} (you)` : seats[seat].short;
    board.append(svg("text", { class: "tri-label", x: x + shift, y: seat === "seller" ? y - 12 : y + 24, "text-anchor": anchor }, label));
  }
  return board;
}

/** The line on which `seat` gets this share. @param {Seat} seat @param {number} share */
function gridLine(seat, share) {
  const others = SEATS.filter((other) => other !== seat);
  const ends = others.map((other) => [0, 1].map((axis) => share * CORNERS[seat][axis] + (1 - share) * CORNERS[other][axis]));
  return svg("line", { class: "tri-grid", x1: ends[0][0], y1: ends[0][1], x2: ends[1][0], y2: ends[1][1] });
}

/** Shape tells who proposed. @param {Seat} by @param {number} x @param {number} y @param {string} kind */
function shape(by, x, y, kind) {
  const name = `tri-dot by-${by} ${kind}`;
  if (by === "seller") return svg("circle", { class: name, cx: x, cy: y, r: 6 });
  if (by === "buyer_a") return svg("rect", { class: name, x: x - 5.5, y: y - 5.5, width: 11, height: 11 });
  return svg("path", { class: name, d: `M${x} ${y - 7.5} ${x + 7} ${y + 5} ${x - 7} ${y + 5}Z` });
}

/**
 * Everybody's proposals, oldest first, each proposer's joined by a thread.
 * @param {SVGElement} board
 * @param {Dot[]} dots
 */
export function addProposals(board, dots) {
  for (const seat of SEATS) {
    const places = dots
      .filter((dot) => dot.by === seat)
      .map((dot) => placeOf(dot.gains))
      .filter((place) => place !== null);
    if (places.length > 1) board.append(svg("polyline", { class: `tri-thread by-${seat}`, points: places.map((p) => p.join(",")).join(" ") }));
  }
  for (const dot of dots) {
    const place = placeOf(dot.gains);
    if (!place) continue;
    const mark = shape(dot.by, place[0], place[1], dot.standing ? "standing" : "past");
    mark.append(svg("title", {}, dot.words));
    board.append(mark);
  }
}

/**
 * The divisions that no pair has a reason to break.
 * @param {SVGElement} board
 * @param {number[][]} core its corners, payoffs in the order of the seats
 */
export function addCore(board, core) {
  const corners = core.map(placeOfList).filter((place) => place !== null);
  const points = corners.map((place) => place.join(",")).join(" ");
  if (corners.length > 2) board.append(svg("polygon", { class: "tri-core", points }));
  else if (corners.length) board.append(svg("polyline", { class: "tri-core line", points }));
}

/**
 * The points of theory, and where the deal landed.
 * @param {SVGElement} board
 * @param {{shapley: Gains, nucleolus: Gains, payoffs: Gains | null}} truth
 */
export function addTheory(board, { shapley, nucleolus, payoffs }) {
  const middle = placeOf(nucleolus);
  if (middle) board.append(svg("circle", { class: "tri-nucleolus", cx: middle[0], cy: middle[1], r: 7 }));
  const fair = placeOf(shapley);
  if (fair) board.append(svg("path", { class: "tri-shapley", d: `M${fair[0]} ${fair[1] - 8}l8 8-8 8-8-8z` }));
  const landed = payoffs && placeOf(payoffs);
  if (!landed) return;
  const [cx, cy] = landed;
  board.append(svg("circle", { class: "tri-landed", cx, cy, r: 12 }), svg("circle", { class: "tri-landed-heart", cx, cy, r: 4 }));
}
