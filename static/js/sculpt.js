/**
 * Carves a head out of a sphere: every vertex is pushed along by a handful of soft bumps and dips, so that
 * one function tells where the skin lies, for the skin itself and for all that sits on it.
 */

import { BufferAttribute, Color, SphereGeometry } from "three";

/**
 * @typedef {object} Face
 * @property {number} width of the skull
 * @property {number} jaw 0 pointed to 1 square
 * @property {number} chin how far it stands out
 * @property {number} nose length of its bridge
 * @property {number} cheek prominence of the cheekbones
 * @property {number} brow prominence of the ridge over the eyes
 */

/** @param {number} x @param {number} at @param {number} spread */
const bump = (x, at, spread) => Math.exp(-(((x - at) / spread) ** 2));
/** @param {number} from @param {number} to @param {number} x */
const ramp = (from, to, x) => {
  const t = Math.min(1, Math.max(0, (x - from) / (to - from)));
  return t * t * (3 - 2 * t);
};

/** How much narrower the head is at a height of the unit sphere. @param {number} y @param {Face} face */
const breadth = (y, face) => 0.7 * face.width * (1 - ramp(0.05, -1, y) * (0.3 - 0.32 * face.jaw)) * (1 + 0.13 * bump(y, 0.72, 0.3));

/**
 * Where the skin lies in a direction of the unit sphere; z is forward, y is up.
 * @param {number} x
 * @param {number} y
 * @param {number} z
 * @param {Face} face
 * @returns {[number, number, number]}
 */
export function surface(x, y, z, face) {
  const front = ramp(0, 0.55, z);
  const wide = Math.abs(x);
  // The front of a face falls straight from brow to chin instead of curving away under it.
  const straight = y < 0 ? Math.min(1.75, Math.sqrt(1 - (0.7 * y) ** 2) / Math.sqrt(Math.max(0.06, 1 - y * y))) : 1;
  let pz = z * (z > 0 ? 0.82 * (1 + (straight - 1) * front * 0.85) : 0.92);
  pz += front * face.brow * 0.05 * bump(y, 0.23, 0.09) * ramp(0.62, 0.1, wide);
  pz -= front * 0.085 * bump(wide, 0.34, 0.16) * bump(y, 0.08, 0.12);
  pz += front * face.cheek * 0.05 * bump(wide, 0.5, 0.2) * bump(y, -0.12, 0.17);
  pz -= front * 0.03 * bump(wide, 0.46, 0.16) * bump(y, -0.45, 0.2);
  const bridge = ramp(0.22, -0.2, y) * ramp(-0.33, -0.22, y);
  pz += front * face.nose * 0.21 * bump(x, 0, 0.085 + 0.05 * ramp(0, -0.25, y)) * bridge;
  pz += front * 0.03 * bump(y, -0.49, 0.12) * bump(x, 0, 0.3);
  pz += front * face.chin * 0.06 * bump(y, -0.84, 0.16) * bump(x, 0, 0.3);
  pz -= ramp(-0.3, -1, y) * (1 - front) * 0.1;
  pz *= 1 + 0.07 * bump(y, 0.72, 0.3);
  return [x * breadth(y, face), y * (y > 0 ? 0.95 : 1.02), pz];
}

/**
 * The depth of the face at a place seen from the front.
 * @param {number} px
 * @param {number} py
 * @param {Face} face
 */
export function depth(px, py, face) {
  const y = py / (py > 0 ? 0.95 : 1.02);
  const x = px / breadth(y, face);
  return surface(x, y, Math.sqrt(Math.max(0.01, 1 - x * x - y * y)), face)[2];
}

/**
 * @param {Face} face
 * @param {{skin: string, blush: string}} colours
 */
export function headGeometry(face, colours) {
  const geometry = new SphereGeometry(1, 72, 60);
  const places = geometry.attributes.position;
  const shades = new Float32Array(places.count * 3);
  const [skin, blush] = [new Color(colours.skin), new Color(colours.blush)];
  const shade = new Color();
  for (let i = 0; i < places.count; i += 1) {
    const [x, y, z] = [places.getX(i), places.getY(i), places.getZ(i)];
    const warm = z > 0 ? 0.7 * bump(Math.abs(x), 0.5, 0.2) * bump(y, -0.2, 0.2) + 0.5 * bump(x, 0, 0.14) * bump(y, -0.24, 0.1) : 0;
    shade.copy(skin).lerp(blush, Math.min(1, warm));
    shades.set([shade.r, shade.g, shade.b], i * 3);
    places.setXYZ(i, ...surface(x, y, z, face));
  }
  geometry.setAttribute("color", new BufferAttribute(shades, 3));
  geometry.computeVertexNormals();
  return geometry;
}

/**
 * @typedef {object} Cut
 * @property {number} line height of the hairline over the forehead
 * @property {number} sides how far it comes down at the temples
 * @property {number} volume how far it stands off
 * @property {number} back how far it reaches down behind
 * @property {number} part where it is parted, -1 to 1
 */

/**
 * Hair as a shell over the head, with the face left open.
 * @param {Face} face
 * @param {Cut} cut
 */
export function hairGeometry(face, cut) {
  const geometry = new SphereGeometry(1, 60, 52);
  const places = geometry.attributes.position;
  const bare = { ...face, nose: 0, brow: 0, cheek: 0, chin: 0 };
  for (let i = 0; i < places.count; i += 1) {
    const [x, y, z] = [places.getX(i), places.getY(i), places.getZ(i)];
    const wide = Math.abs(x);
    const temple = ramp(0.5, 0.9, wide);
    const line = cut.line - temple * (cut.line + cut.sides) + 0.1 * bump(x, cut.part, 0.22);
    const edge = z > 0.12 ? line : line + (-cut.back - line) * ramp(0.12, -0.25, z);
    const inside = ramp(edge - 0.04, edge + 0.12, y);
    const crown = cut.volume * (0.55 + 0.45 * ramp(-0.1, 0.9, y)) * (1 - 0.5 * bump(x, cut.part, 0.1) * ramp(0.2, 0.9, y));
    const lift = 0.94 + inside * (0.1 + crown);
    const [px, py, pz] = surface(x, y, z, bare);
    places.setXYZ(i, px * lift, py * (0.97 + inside * (0.05 + 0.7 * crown)), pz * lift);
  }
  geometry.computeVertexNormals();
  return geometry;
}

/** Longer hair: a bell behind and beside the face, cut straight. */
export function bellGeometry() {
  const geometry = new SphereGeometry(1, 48, 40);
  const places = geometry.attributes.position;
  for (let i = 0; i < places.count; i += 1) {
    const [x, y, z] = [places.getX(i), places.getY(i), places.getZ(i)];
    const low = ramp(0.2, -0.75, y);
    places.setXYZ(i, x * (0.86 + 0.1 * low), Math.max(-0.78, y * 1.06), z * (z > 0 ? 0.5 + 0.16 * low : 0.78));
  }
  geometry.computeVertexNormals();
  return geometry;
}
