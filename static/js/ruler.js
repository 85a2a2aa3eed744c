/**
 * The ZOPA ruler: one line of money. Both sides' offers fall towards it turn by turn, and where they meet is
 * the deal. The player sees its own limit and estimate; the true zone and the Nash point are drawn only when
 * the state holds them (a coach's page, the debrief).
 */

import { svg } from "./dom.js";
import { shortMoney } from "./money.js";
import { domainOf, inWords } from "./ruler-figures.js";
import { placed } from "./ruler-labels.js";
import { linear, ticks } from "./scale.js";
import { gettext } from "./words.js";

/** @typedef {import("./ruler-figures.js").Point} Point */
/** @typedef {import("./ruler-figures.js").RulerState} RulerState */

const SIDE = 26;
const FOOT = 26;
const HEAD = 22;

/**
 * @param {HTMLElement} root
 * @param {import("./money.js").Money} money
 */
export function createRuler(root, money) {
  /** @type {RulerState | null} */
  let state = null;
  const draw = () => {
    if (state && root.clientWidth > 0) root.replaceChildren(drawing(state, money, root.clientWidth, root.clientHeight));
  };
  new ResizeObserver(draw).observe(root);
  return {
    /** @param {RulerState} next */
    update(next) {
      state = next;
      draw();
    },
  };
}

/**
 * @param {RulerState} state
 * @param {import("./money.js").Money} money
 * @param {number} width
 * @param {number} height
 */
function drawing(state, money, width, height) {
  const domain = domainOf(state, money);
  const x = linear(domain, [SIDE, width - SIDE]);
  const axis = height - FOOT;
  const lastTurn = Math.max(4, ...state.yours.map((p) => p.turn), ...state.theirs.map((p) => p.turn));
  const y = linear([0, lastTurn], [HEAD, axis]);
  const parts = [];
  /** @type {import("./ruler-labels.js").Label[]} */
  const labels = [];

  if (state.truth && zoned(state)) parts.push(...zone(state.truth, x, axis, money, labels));
  if (state.limit !== null) parts.push(...limitOf(state, state.limit, x, axis, width, labels));
  if (state.theirLimit !== null && state.theirLimit !== undefined) {
    const at = x(state.theirLimit);
    parts.push(svg("path", { class: "their-limit", d: `M${at} ${HEAD}V${axis}` }));
    // On the line of the walk-away, its counterpart; what was thought of it then stands below.
    labels.push({ class: "estimate-label", text: gettext("their limit"), x: at, y: HEAD - 8 });
  }
  if (state.estimate) parts.push(...estimateOf(state.estimate, state.estimateLabel ?? gettext("Your estimate"), x, axis, labels));
  if (state.givenAway) {
    const [from, to] = [x(state.givenAway.low), x(state.givenAway.high)];
    parts.push(svg("rect", { class: "given-away", x: from, y: axis - 9, width: Math.max(4, to - from), height: 9 }));
    labels.push({ class: "estimate-label", text: gettext("what your offers told"), x: (from + to) / 2, y: axis - 14, way: -1 });
  }
  parts.push(svg("path", { class: "axis", d: `M${SIDE - 10} ${axis}H${width - SIDE + 10}` }));
  for (const value of ticks(domain[0], domain[1], width < 480 ? 4 : 7)) {
    parts.push(
      svg("path", { class: "tick", d: `M${x(value)} ${axis}v5` }),
      svg("text", { class: "tick-label", x: x(value), y: axis + 19, "text-anchor": "middle" }, shortMoney(value, money)),
    );
  }
  parts.push(...gap(state, x, axis), ...trace(state.theirs, "them", x, y, axis), ...trace(state.yours, "you", x, y, axis));
  if (state.target !== null && state.target !== undefined) {
    const at = Math.min(width - 8, Math.max(8, x(state.target)));
    parts.push(svg("path", { class: "target-flag", d: `M${at} ${axis}v-22h11l-3 4 3 4h-11` }));
  }
  if (state.draft !== null && state.draft !== undefined) {
    const at = Math.min(width - 8, Math.max(8, x(state.draft)));
    parts.push(svg("circle", { class: "draft-mark", cx: at, cy: axis, r: 8 }));
  }
  if (state.price !== null && state.price !== undefined) {
    parts.push(svg("circle", { class: "closed", cx: x(state.price), cy: axis, r: 11 }));
  }
  return svg(
    "svg",
    { viewBox: `0 0 ${width} ${height}`, width, height, role: "img", "aria-label": inWords(state, money) },
    state.packages ? svg("title", {}, gettext("What each package is worth, as a price on the first terms of every issue")) : null,
    ...parts,
    ...placed(labels, width).map((label) => svg("text", { class: label.class, x: label.x, y: label.y, "text-anchor": "middle" }, label.text)),
  );
}

/**
 * @param {{low: number, high: number, nash: number | null}} truth
 * @param {(v: number) => number} x
 * @param {number} axis
 * @param {import("./money.js").Money} money
 * @param {import("./ruler-labels.js").Label[]} labels
 */
function zone(truth, x, axis, money, labels) {
  const middle = (truth.low + truth.high) / 2;
  const label = gettext("Zone {low} to {high}", { low: shortMoney(truth.low, money), high: shortMoney(truth.high, money) });
  const parts = [svg("rect", { class: "zone", x: x(truth.low), y: HEAD, width: x(truth.high) - x(truth.low), height: axis - HEAD })];
  labels.push({ class: "zone-label", text: label, x: x(middle), y: HEAD - 8 });
  if (truth.nash !== null) {
    const at = x(truth.nash);
    parts.push(svg("path", { class: "nash", d: `M${at} ${axis - 9}l9 9-9 9-9-9z` }));
  }
  return parts;
}

/** Whether the truth is known and leaves a zone. @param {RulerState} state */
const zoned = ({ truth }) => truth !== null && truth !== undefined && truth.high > truth.low;

/**
 * @param {RulerState} state
 * @param {number} limit
 * @param {(v: number) => number} x
 * @param {number} axis
 * @param {number} width
 * @param {import("./ruler-labels.js").Label[]} labels
 */
function limitOf(state, limit, x, axis, width, labels) {
  const at = x(limit);
  const seller = state.seat === "seller";
  // The zone begins at it, and is named there.
  if (!zoned(state)) labels.push({ class: "limit-label", text: gettext("walk-away"), x: at, y: HEAD - 8 });
  return [
    svg("rect", { class: "beyond", x: seller ? 0 : at, y: HEAD, width: seller ? Math.max(0, at) : Math.max(0, width - at), height: axis - HEAD }),
    svg("path", { class: "limit", d: `M${at} ${HEAD - 2}V${axis + 5}` }),
  ];
}

/**
 * @param {{low: number, high: number}} estimate
 * @param {string} label
 * @param {(v: number) => number} x
 * @param {number} axis
 * @param {import("./ruler-labels.js").Label[]} labels
 */
function estimateOf(estimate, label, x, axis, labels) {
  const middle = x((estimate.low + estimate.high) / 2);
  labels.push({ class: "estimate-label", text: label, x: middle, y: HEAD + 4 });
  return [
    svg("rect", { class: "estimate", x: x(estimate.low), y: HEAD + 8, width: Math.max(4, x(estimate.high) - x(estimate.low)), height: axis - HEAD - 8 }),
    svg("path", { class: "estimate-line", d: `M${middle} ${HEAD + 8}V${axis}` }),
  ];
}

/**
 * The open stretch between the two latest offers.
 * @param {RulerState} state
 * @param {(v: number) => number} x
 * @param {number} axis
 */
function gap(state, x, axis) {
  const yours = state.yours.at(-1);
  const theirs = state.theirs.at(-1);
  if (!yours || !theirs) return [];
  const [from, to] = [x(yours.offer), x(theirs.offer)].sort((a, b) => a - b);
  return [svg("path", { class: "gap", d: `M${from} ${axis}H${to}` })];
}

/**
 * One side's offers as they fell, and its marker on the axis: a disc for you, a square for them.
 * @param {Point[]} points
 * @param {"you" | "them"} who
 * @param {(v: number) => number} x
 * @param {(turn: number) => number} y
 * @param {number} axis
 */
function trace(points, who, x, y, axis) {
  const last = points.at(-1);
  if (!last) return [];
  const steps = points.map((point, i) => (i === 0 ? `M${x(point.offer)} ${y(point.turn)}` : `L${x(point.offer)} ${y(point.turn)}`));
  const parts = [svg("path", { class: `trace ${who}`, d: `${steps.join("")}V${axis}` })];
  for (const point of points.slice(0, -1)) parts.push(svg("circle", { class: `past ${who}`, cx: x(point.offer), cy: y(point.turn), r: 2.5 }));
  const at = x(last.offer);
  parts.push(
    who === "you"
      ? svg("circle", { class: "marker you", cx: at, cy: axis, r: 7 })
      : svg("rect", { class: "marker them", x: at - 6, y: axis - 6, width: 12, height: 12 }),
  );
  return parts;
}
