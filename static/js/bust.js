/** Puts a figure together: head, hair, eyes, clothes, arms on the felt. Returns the parts that move. */

import { BoxGeometry, CapsuleGeometry, CylinderGeometry, DoubleSide, Group, Mesh, MeshStandardMaterial, SphereGeometry, TorusGeometry, Vector3 } from "three";
import { breather } from "./dom.js";
import { bellGeometry, depth, hairGeometry, headGeometry } from "./sculpt.js";
import { clothGeometry, torsoGeometry } from "./tailor.js";

/** @typedef {import("./wardrobe.js").Look} Look */

/** @param {string} color @param {number} [roughness] */
const matte = (color, roughness = 0.85) => new MeshStandardMaterial({ color, roughness, side: DoubleSide });

/** In three steps with a breather between them. @param {Look} look */
export async function buildBust(look) {
  const root = new Group();
  const torso = new Group();
  const neck = new Group();
  const head = await headOf(look);
  await breather();
  neck.position.set(0, 0.98, 0);
  head.group.position.set(0, 0.86, 0.12);
  head.group.scale.setScalar(0.9);
  neck.add(head.group);
  const throat = new Mesh(new CylinderGeometry(0.33 * look.shoulders, 0.4 * look.shoulders, 0.95, 28), matte(look.skin, 0.7));
  torso.add(clothes(look), place(throat, 0, 1.06, -0.02), neck);
  root.add(torso, ...arms(look));
  return { root, torso, neck, ...head };
}

/** @param {Look} look */
async function headOf(look) {
  const group = new Group();
  const { face } = look;
  group.add(new Mesh(headGeometry(face, look), new MeshStandardMaterial({ vertexColors: true, roughness: 0.62 })));
  await breather();
  const hair = matte(look.hair, 0.55);
  group.add(new Mesh(hairGeometry(face, look.cut), hair));
  if (look.length === "bob") group.add(place(new Mesh(bellGeometry(), hair), 0, -0.06, -0.26));
  if (look.length === "bun") group.add(place(new Mesh(new SphereGeometry(0.36, 24, 18), hair), 0, 0.66, -0.8));
  const eyes = [-1, 1].map((side) => eyeOf(look, side));
  const brows = [-1, 1].map((side) => browOf(look, side));
  const mouth = mouthOf(look);
  for (const side of [-1, 1]) group.add(earOf(look, side));
  for (const part of [...eyes.map((eye) => eye.group), ...brows, mouth]) group.add(part);
  if (look.glasses) group.add(glasses(look));
  return { group, eyes, brows, mouth };
}

/** @param {Look} look @param {number} side */
function eyeOf(look, side) {
  const group = new Group();
  const ball = new Group();
  const white = new Mesh(new SphereGeometry(0.1, 28, 20), matte("#ece4d6", 0.35));
  const iris = new Mesh(new SphereGeometry(0.06, 24, 16), matte(look.eyes, 0.25));
  const pupil = new Mesh(new SphereGeometry(0.031, 16, 12), matte("#0b0907", 0.15));
  iris.scale.z = pupil.scale.z = 0.35;
  iris.position.z = 0.084;
  pupil.position.z = 0.1;
  ball.add(white, iris, pupil);
  const cap = new SphereGeometry(0.112, 28, 12, 0, Math.PI * 2, 0, Math.PI / 2);
  const upper = new Mesh(cap, matte(look.lid, 0.7));
  const lower = new Mesh(cap, matte(look.skin, 0.7));
  lower.rotation.x = Math.PI + 0.55;
  group.add(ball, upper, lower);
  group.scale.set(1.12, 1, 1);
  group.rotation.y = side * 0.16;
  return { group: place(group, side * 0.255, 0.07, depth(0.255, 0.07, look.face) - 0.03), ball, upper };
}

/** @param {Look} look @param {number} side */
function browOf(look, side) {
  const brow = new Group();
  const hair = matte(look.brow, 0.8);
  const segments = [
    [-0.12, -0.012, 1],
    [-0.045, 0.012, 1.05],
    [0.035, 0.016, 0.95],
    [0.11, -0.006, 0.75],
    [0.17, -0.04, 0.5],
  ];
  for (const [x, y, size] of segments) {
    const part = new Mesh(new SphereGeometry(0.058, 12, 10), hair);
    part.scale.set(1.15, 0.46 * size * look.browWeight, 0.55);
    part.rotation.z = side * (x > 0.05 ? -0.45 : 0.15);
    brow.add(place(part, side * x, y, depth(0.27 + x, 0.26 + y, look.face) - depth(0.27, 0.26, look.face)));
  }
  return place(brow, side * 0.27, 0.26, depth(0.27, 0.26, look.face) + 0.005);
}

/** @param {Look} look */
function mouthOf(look) {
  const mouth = new Group();
  const lips = matte(look.lips, 0.5);
  const at = -0.47;
  const base = depth(0, at, look.face);
  for (const side of [-1, 1]) {
    const upper = new Mesh(new SphereGeometry(0.13, 24, 14), lips);
    upper.scale.set(1, 0.25 * look.lipWeight, 0.36);
    upper.rotation.set(0, side * 0.32, side * -0.13);
    mouth.add(place(upper, side * 0.082, 0.022, -0.004));
  }
  const lower = new Mesh(new SphereGeometry(0.15, 24, 14), lips);
  lower.scale.set(1.02, 0.27 * look.lipWeight, 0.36);
  mouth.add(place(lower, 0, -0.03, -0.002));
  const line = new Mesh(new CapsuleGeometry(0.008, 0.34, 4, 8), matte("#3a1a14", 0.9));
  line.rotation.z = Math.PI / 2;
  mouth.add(place(line, 0, -0.003, 0.038));
  return place(mouth, 0, at, base);
}

/** @param {Look} look @param {number} side */
function earOf(look, side) {
  const ear = new Mesh(new SphereGeometry(0.17, 20, 16), matte(look.skin, 0.7));
  ear.scale.set(0.38, 1, 0.62);
  ear.rotation.set(0.12, side * 0.35, side * -0.06);
  return place(ear, side * 0.7 * look.face.width, -0.03, -0.06);
}

/** @param {Look} look */
function glasses(look) {
  const frame = new Group();
  const metal = matte("#2b261e", 0.4);
  const at = depth(0.26, 0.04, look.face) + 0.1;
  for (const side of [-1, 1]) {
    const rim = new Mesh(new TorusGeometry(0.185, 0.017, 10, 40), metal);
    rim.scale.y = 0.8;
    rim.rotation.y = side * 0.16;
    frame.add(place(rim, side * 0.25, 0.045, at));
    const arm = new Mesh(new BoxGeometry(0.022, 0.022, 0.86), metal);
    arm.rotation.y = side * 0.36;
    frame.add(place(arm, side * 0.58, 0.08, at - 0.42));
  }
  frame.add(place(new Mesh(new BoxGeometry(0.14, 0.024, 0.024), metal), 0, 0.07, at + 0.025));
  return frame;
}

/** @param {Look} look */
function clothes(look) {
  const group = new Group();
  const width = look.shoulders;
  const lapel = matte(look.lapel, 0.9);
  group.add(new Mesh(torsoGeometry(width), matte(look.suit, 0.92)));
  group.add(
    new Mesh(
      clothGeometry(
        [
          [-0.8, 0],
          [1.0, -0.34],
        ],
        [
          [-0.8, 0],
          [1.0, 0.34],
        ],
        0.015,
        width,
      ),
      matte(look.shirt, 0.85),
    ),
  );
  for (const side of [-1, 1]) {
    const inner = /** @type {[number, number][]} */ (
      [
        [-0.95, 0.02],
        [-0.8, 0],
        [0.98, 0.34],
      ].map(([y, x]) => [y, side * x])
    );
    const outer = /** @type {[number, number][]} */ (
      [
        [-0.95, 0.03],
        [0.14, 0.5],
        [0.2, 0.66],
        [0.34, 0.5],
        [0.72, 0.52],
        [0.98, 0.42],
      ].map(([y, x]) => [y, side * x])
    );
    group.add(new Mesh(clothGeometry(inner, outer, 0.035, width), lapel));
    if (look.tie) {
      const point = /** @type {[number, number][]} */ (
        [
          [0.66, 0.16],
          [1.02, 0.02],
        ].map(([y, x]) => [y, side * x])
      );
      const wing = /** @type {[number, number][]} */ (
        [
          [0.66, 0.2],
          [0.8, 0.4],
          [1.02, 0.36],
        ].map(([y, x]) => [y, side * x])
      );
      group.add(new Mesh(clothGeometry(point, wing, 0.055, width), matte("#f3eee2", 0.85)));
    }
  }
  if (look.tie) {
    const edge = [
      [-0.82, 0],
      [-0.66, 0.115],
      [0.62, 0.055],
      [0.68, 0.06],
      [0.86, 0.1],
    ];
    const left = /** @type {[number, number][]} */ (edge.map(([y, x]) => [y, -x]));
    group.add(new Mesh(clothGeometry(left, /** @type {[number, number][]} */ (edge), 0.045, width), matte(look.tie, 0.6)));
  }
  return group;
}

/** Arms rest on the felt; they stay there while the body leans. @param {Look} look */
function arms(look) {
  const sleeve = matte(look.suit, 0.92);
  return [-1, 1].map((side) => {
    const arm = new Group();
    const shoulder = new Vector3(side * 1.1 * look.shoulders, 0.16, -0.04);
    const elbow = new Vector3(side * 1.36 * look.shoulders, -1.12, 0.5);
    const wrist = new Vector3(side * 0.46, -1.42, 1.5);
    const hand = new Mesh(new SphereGeometry(0.23, 24, 18), matte(look.skin, 0.7));
    hand.scale.set(1.35, 0.55, 0.85);
    hand.rotation.set(0, side * 0.75, side * -0.1);
    arm.add(
      limb(shoulder, elbow, 0.33, sleeve),
      limb(elbow, wrist, 0.25, sleeve),
      limb(wrist, wrist.clone().lerp(elbow, -0.06), 0.2, matte(look.shirt)),
      place(hand, side * 0.2, -1.46, 1.68),
    );
    return arm;
  });
}

/** @param {Vector3} from @param {Vector3} to @param {number} radius @param {MeshStandardMaterial} material */
function limb(from, to, radius, material) {
  const span = to.clone().sub(from);
  const part = new Mesh(new CapsuleGeometry(radius, span.length(), 8, 24), material);
  part.position.copy(from).addScaledVector(span, 0.5);
  part.quaternion.setFromUnitVectors(new Vector3(0, 1, 0), span.normalize());
  return part;
}

/** @template {Group | Mesh} T @param {T} part @param {number} x @param {number} y @param {number} z */
function place(part, x, y, z) {
  part.position.set(x, y, z);
  return part;
}
