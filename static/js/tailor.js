/** The torso as a loft through rings, and cloth laid on its front: shirt, lapels, tie. */

import { BufferAttribute, BufferGeometry } from "three";

/** Height, half width, half depth, from the table up to the collar. */
const RINGS = [
  [-2.1, 1.02, 0.62],
  [-1.2, 1.02, 0.66],
  [-0.5, 1.14, 0.68],
  [0.02, 1.27, 0.64],
  [0.36, 1.26, 0.56],
  [0.56, 1.06, 0.5],
  [0.74, 0.72, 0.46],
  [0.9, 0.45, 0.42],
  [1.02, 0.38, 0.38],
];
const SQUARE = 2.5;

/** @param {number} y @param {number} width */
function ring(y, width) {
  const i = Math.max(
    1,
    RINGS.findIndex(([height]) => height >= y),
  );
  const [low, high] = [RINGS[i - 1], RINGS[i]];
  const t = Math.min(1, Math.max(0, (y - low[0]) / (high[0] - low[0])));
  const s = t * t * (3 - 2 * t);
  return { half: (low[1] + (high[1] - low[1]) * s) * (1 + (width - 1) * (y < 0.6 ? 1 : 0.4)), deep: low[2] + (high[2] - low[2]) * s };
}

/** The front of the torso. @param {number} x @param {number} y @param {number} width */
function front(x, y, width) {
  const { half, deep } = ring(y, width);
  return deep * (1 - Math.min(1, Math.abs(x / half)) ** SQUARE) ** (1 / SQUARE);
}

/** @param {number} width */
export function torsoGeometry(width) {
  const [rows, columns] = [44, 56];
  const places = [];
  for (let r = 0; r <= rows; r += 1) {
    const y = -2.1 + (3.12 * r) / rows;
    const { half, deep } = ring(y, width);
    for (let c = 0; c <= columns; c += 1) {
      const angle = (c / columns) * Math.PI * 2;
      const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
      places.push(half * Math.sign(cos) * Math.abs(cos) ** (2 / SQUARE), y, deep * Math.sign(sin) * Math.abs(sin) ** (2 / SQUARE));
    }
  }
  return sheet(places, rows, columns);
}

/** @typedef {[number, number][]} Edge height and x, from the bottom up */

/**
 * Cloth between two edges, laid on the front of the torso.
 * @param {Edge} left
 * @param {Edge} right
 * @param {number} lift
 * @param {number} width
 */
export function clothGeometry(left, right, lift, width) {
  const [rows, columns] = [28, 8];
  const bottom = Math.max(left[0][0], right[0][0]);
  const top = Math.min(left[left.length - 1][0], right[right.length - 1][0]);
  const places = [];
  for (let r = 0; r <= rows; r += 1) {
    const y = bottom + ((top - bottom) * r) / rows;
    const [from, to] = [along(left, y), along(right, y)];
    for (let c = 0; c <= columns; c += 1) {
      const x = from + ((to - from) * c) / columns;
      places.push(x, y, front(x, y, width) + lift);
    }
  }
  return sheet(places, rows, columns);
}

/** @param {Edge} edge @param {number} y */
function along(edge, y) {
  const i = Math.max(
    1,
    edge.findIndex(([height]) => height >= y),
  );
  const [low, high] = [edge[i - 1], edge[i]];
  return low[1] + ((high[1] - low[1]) * (y - low[0])) / (high[0] - low[0] || 1);
}

/** @param {number[]} places @param {number} rows @param {number} columns */
function sheet(places, rows, columns) {
  const faces = [];
  for (let r = 0; r < rows; r += 1) {
    for (let c = 0; c < columns; c += 1) {
      const at = r * (columns + 1) + c;
      faces.push(at, at + 1, at + columns + 1, at + 1, at + columns + 2, at + columns + 1);
    }
  }
  const geometry = new BufferGeometry();
  geometry.setAttribute("position", new BufferAttribute(new Float32Array(places), 3));
  geometry.setIndex(faces);
  geometry.computeVertexNormals();
  return geometry;
}
