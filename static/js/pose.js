/**
 * How a figure holds itself: a posture is a few numbers that glide towards their goals. Lengths are in units of the
 * drawing (240 by 280), turns from -1 to 1, the rest from 0 to 1 unless said otherwise.
 */

/**
 * How a persona holds a chair: `look.toml` in its folder.
 * @typedef {object} Bearing
 * @property {number} lean at rest, towards the table; below 0 away from it
 * @property {number} tilt of the head at rest, in degrees
 * @property {number} brow height of the brows at rest; below 0 stern
 * @property {number} restless how much it moves when nothing happens
 * @property {number} shows how much of what it feels is seen
 */

/** @typedef {{x: number, y: number}} Way a direction to look in, each from -1 to 1: right and down */

const REST = {
  turn: 0,
  nod: 0,
  tilt: 0,
  lean: 0,
  away: 0,
  gazeX: 0,
  gazeY: 0,
  brow: 0,
  slant: 0,
  arch: 0,
  lid: 0,
  squint: 0,
  corners: 0,
  press: 0,
  open: 0,
  drop: 0,
  heat: 0,
};
/** @typedef {typeof REST} Pose */

/** What each expression adds to how somebody sits there. @type {Record<import("./expression.js").Expression, Partial<Pose>>} */
const FACES = {
  calm: {},
  beat: { lid: 0.03, press: 0.75, brow: 0.3, corners: -0.2, nod: 0.25, slant: -0.15 },
  steady: { lid: -0.08, brow: 0.12, nod: -0.12, lean: 0.25, press: 0.25 },
  doubt: { arch: 1, squint: 0.55, tilt: 4.5, corners: -0.55, press: 0.3, slant: 0.25, turn: -0.25 },
  relief: { brow: 0.55, slant: -0.35, corners: 0.85, drop: 1, lid: 0.06, nod: 0.3 },
  flinch: { brow: 0.75, lid: -0.2, lean: -0.55, nod: -0.45, open: 0.28, slant: -0.2 },
  open: { brow: 0.4, tilt: 2.5, corners: 0.35, lean: 0.35, slant: -0.2 },
  offer: { lean: 0.6, brow: 0.15 },
  hold: { lean: -0.5, nod: -0.15, press: 0.5, squint: 0.15 },
  challenge: { lean: 0.6, tilt: -4, slant: 0.5, squint: 0.5, arch: 0.5 },
  accept: { corners: 1, brow: 0.35, slant: -0.3, nod: 0.35, lean: 0.2 },
  leave: { turn: 1, tilt: -3, away: 1, lid: 0.2, corners: -0.5, press: 0.5 },
  think: { nod: 0.25, lid: 0.12, press: 0.4, brow: 0.12, tilt: 2 },
};

/** How fast each glides, by the second; eyes and mouth are quick, a body is slow. @type {Partial<Record<keyof Pose, number>>} */
const PACE = { gazeX: 17, gazeY: 17, open: 26, lid: 15, brow: 10, arch: 10, squint: 9, slant: 9, corners: 8, press: 9, heat: 2.6, away: 2.2 };
const USUAL_PACE = 4.6;
const SETTLED = 0.004;

/** Tension below this leaves no trace in a face; at 1 it is all there. */
const FELT_FROM = 0.22;

/** How much a face shows at its hottest, however much it hides. */
const LAST = 1.45;

/** @param {number} tension 0 to 100 */
export const heatOf = (tension) => Math.max(0, Math.min(1, (tension / 100 - FELT_FROM) / (0.9 - FELT_FROM)));

/** What is seen of the heat: who hides it can do so less and less, and close to leaving nobody can. @param {Bearing} bearing @param {number} heat */
const feltBy = ({ shows }, heat) => heat * Math.max(shows, shows + (LAST - shows) * heat);

/**
 * The posture that belongs to an expression.
 * @param {Bearing} bearing
 * @param {number} heat
 * @param {import("./expression.js").Expression} name
 * @param {Way} way where it looks
 * @returns {Pose}
 */
export function poseOf(bearing, heat, name, way) {
  const felt = feltBy(bearing, heat);
  const pose = {
    ...REST,
    heat,
    turn: way.x * 0.55,
    nod: way.y * 0.4 + felt * 0.12,
    tilt: bearing.tilt,
    lean: bearing.lean - felt * 0.25,
    gazeX: way.x,
    gazeY: way.y,
    brow: bearing.brow - felt * 0.55,
    slant: felt,
    squint: felt * 0.6,
    corners: felt * -0.75,
    press: felt * 0.45,
  };
  for (const [key, value] of Object.entries(FACES[name])) pose[/** @type {keyof Pose} */ (key)] += value;
  return pose;
}

/**
 * Glide for a moment; whether anything still moves.
 * @param {Pose} now changed
 * @param {Pose} goal
 * @param {number} step seconds
 */
export function glide(now, goal, step) {
  let moving = false;
  for (const key of /** @type {(keyof Pose)[]} */ (Object.keys(now))) {
    const left = goal[key] - now[key];
    if (Math.abs(left) < SETTLED) now[key] = goal[key];
    else {
      now[key] += left * (1 - Math.exp(-step * (PACE[key] ?? USUAL_PACE)));
      moving = true;
    }
  }
  return moving;
}

/** @returns {Pose} */
export const atRest = () => ({ ...REST });
