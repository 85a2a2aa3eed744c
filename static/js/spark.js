/** Two small drawings for the coach: a line over time and a probability density. */

import { svg } from "./dom.js";
import { formatMoney, shortMoney } from "./money.js";
import { linear, ticks } from "./scale.js";
import { percent } from "./shares.js";
import { gettext } from "./words.js";

/**
 * A line of values in [0, 1] over time.
 * @param {number[]} values
 */
export function sparkline(values) {
  const [width, height] = [96, 24];
  const x = linear([0, Math.max(1, values.length - 1)], [3, width - 4]);
  const y = linear([0, 1], [height - 3, 3]);
  const path = values.map((value, i) => `${i === 0 ? "M" : "L"}${x(i).toFixed(1)} ${y(value).toFixed(1)}`).join("");
  const last = values.length - 1;
  return svg(
    "svg",
    { viewBox: `0 0 ${width} ${height}`, width, height, role: "img", "aria-label": gettext("Over time: {values}", { values: values.map(percent).join(", ") }) },
    svg("path", { class: "spark-line", d: path }),
    svg("circle", { class: "spark-dot", cx: x(last), cy: y(values[last] ?? 0), r: 3 }),
  );
}

/**
 * The reference observer's posterior over the opponent's walk-away, with the truth and the rep's own estimate.
 * @param {{grid: number[], density: number[], mean: number, ci95: [number, number]}} posterior
 * @param {number} truth
 * @param {number | null} stated
 * @param {import("./money.js").Money} money
 * @param {number} width
 */
export function density(posterior, truth, stated, money, width) {
  const height = 96;
  const { grid, density: weights } = posterior;
  const peak = Math.max(...weights, 1e-12);
  const heavy = grid.filter((_, i) => weights[i] > peak * 0.004);
  const low = Math.min(heavy[0] ?? grid[0], truth, stated ?? truth);
  const high = Math.max(heavy.at(-1) ?? grid[0], truth, stated ?? truth);
  const air = (high - low) * 0.08 || 1;
  const x = linear([low - air, high + air], [4, width - 4]);
  const y = linear([0, peak], [height - 22, 10]);
  const inside = grid.map((value, i) => [value, weights[i]]).filter(([value]) => value >= low - air && value <= high + air);
  const line = inside.map(([value, weight], i) => `${i === 0 ? "M" : "L"}${x(value).toFixed(1)} ${y(weight).toFixed(1)}`).join("");
  const area = `${line}L${x(inside.at(-1)?.[0] ?? low).toFixed(1)} ${y(0)}L${x(inside[0]?.[0] ?? low).toFixed(1)} ${y(0)}Z`;
  const parts = [
    svg("path", { class: "density-area", d: area }),
    svg("path", { class: "density-line", d: line }),
    svg("path", { class: "density-axis", d: `M4 ${y(0)}H${width - 4}` }),
    svg("path", { class: "density-truth", d: `M${x(truth)} 4V${y(0)}` }),
    stated === null ? null : svg("path", { class: "density-stated", d: `M${x(stated)} 4V${y(0)}` }),
    ...ticks(low - air, high + air, 4).map((tick) => svg("text", { x: x(tick), y: height - 6, "text-anchor": "middle" }, shortMoney(tick, money))),
  ];
  const [from, to] = posterior.ci95;
  const label = gettext("Density of the opponent's limit: mean {mean}, 95% between {from} and {to}; truth {truth}.", {
    mean: formatMoney(Math.round(posterior.mean), money),
    from: formatMoney(Math.round(from), money),
    to: formatMoney(Math.round(to), money),
    truth: formatMoney(truth, money),
  });
  return svg("svg", { viewBox: `0 0 ${width} ${height}`, width, height, role: "img", "aria-label": label }, ...parts);
}
