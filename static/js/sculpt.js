/**
 * Carves a head out of a sphere: every vertex is pushed along by a handful of soft bumps and dips. Flat
 * shading leaves the facets visible, as in a carved chess piece.
 */

import { BufferAttribute, Color, IcosahedronGeometry, SphereGeometry } from "three";

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

/**
 * Where the surface of the head lies in a direction of the unit sphere; z is forward, y is up.
 * @param {number} x
 * @param {number} y
 * @param {number} z
 * @param {Face} face
 * @returns {[number, number, number]}
 */
export function surface(x, y, z, face) {
  const front = ramp(0.05, 0.6, z);
  const low = ramp(-0.02, -0.95, y);
  let px = x * 0.74 * face.width * (1 - low * (0.52 - 0.3 * face.jaw));
  let py = y * 1.02;
  let pz = z * 0.88;
  pz -= front * 0.05 * bump(x, 0, 0.6);
  pz += front * face.brow * 0.07 * bump(y, 0.2, 0.09) * bump(Math.abs(x), 0.25, 0.3);
  pz -= front * 0.15 * bump(Math.abs(x), 0.32, 0.15) * bump(y, 0.06, 0.11);
  pz += front * face.cheek * 0.075 * bump(Math.abs(x), 0.46, 0.17) * bump(y, -0.16, 0.16);
  const bridge = ramp(0.2, -0.2, y) * ramp(-0.36, -0.24, y);
  pz += front * face.nose * 0.26 * bump(x, 0, 0.1 + 0.05 * ramp(0, -0.25, y)) * bridge;
  pz += front * 0.05 * bump(y, -0.47, 0.09) * bump(x, 0, 0.26);
  pz -= front * 0.035 * bump(y, -0.63, 0.06) * bump(x, 0, 0.3);
  pz += front * face.chin * 0.12 * bump(y, -0.86, 0.2) * bump(x, 0, 0.32);
  py -= front * face.chin * 0.05 * bump(y, -0.95, 0.3);
  pz -= ramp(-0.2, -0.9, y) * (1 - front) * 0.12;
  px *= 1 - 0.06 * front * bump(y, 0.35, 0.2);
  return [px, py, pz];
}

/**
 * @param {Face} face
 * @param {{skin: string, blush: string, lips: string}} colours
 */
export function headGeometry(face, colours) {
  const geometry = new IcosahedronGeometry(1, 17);
  const places = geometry.attributes.position;
  const shades = new Float32Array(places.count * 3);
  const [skin, blush, lips] = [colours.skin, colours.blush, colours.lips].map((code) => new Color(code));
  const shade = new Color();
  for (let i = 0; i < places.count; i += 1) {
    const [x, y, z] = [places.getX(i), places.getY(i), places.getZ(i)];
    const warm = z > 0 ? bump(Math.abs(x), 0.48, 0.18) * bump(y, -0.22, 0.2) * 0.55 : 0;
    const mouth = z > 0 ? ramp(0.45, 0.8, bump(y, -0.475, 0.085) * ramp(0.33, 0.2, Math.abs(x))) : 0;
    shade.copy(skin).lerp(blush, warm).lerp(lips, mouth);
    shades.set([shade.r, shade.g, shade.b], i * 3);
    places.setXYZ(i, ...surface(x, y, z, face));
  }
  geometry.setAttribute("color", new BufferAttribute(shades, 3));
  geometry.computeVertexNormals();
  return geometry;
}

/**
 * Hair as a shell over the head, with the face left open.
 * @param {Face} face
 * @param {{line: number, sides: number, volume: number, back: number, part: number}} cut hairline height, how far
 *   down the sides and the back it reaches, how far it stands off, where it parts
 */
export function hairGeometry(face, cut) {
  const geometry = new SphereGeometry(1, 44, 40);
  const places = geometry.attributes.position;
  for (let i = 0; i < places.count; i += 1) {
    const [x, y, z] = [places.getX(i), places.getY(i), places.getZ(i)];
    const at = surface(x, y, Math.min(z, 0.72), { ...face, nose: 0 });
    const edge = z > 0.1 ? cut.line - 0.9 * ramp(0.45, 0.85, Math.abs(x)) * cut.sides - 0.1 * bump(x, cut.part, 0.3) : -cut.back;
    const inside = ramp(edge - 0.16, edge + 0.1, y + (z > 0 ? 0 : 0.25 * (1 - Math.abs(z))));
    const lift = 0.93 + inside * (0.13 + cut.volume * (0.4 + 0.6 * ramp(0, 0.9, y)) + 0.02 * Math.sin(x * 9 + cut.part * 5));
    places.setXYZ(i, at[0] * lift, at[1] * (0.97 + inside * (0.05 + cut.volume * 0.6)), at[2] * lift);
  }
  geometry.computeVertexNormals();
  return geometry;
}
