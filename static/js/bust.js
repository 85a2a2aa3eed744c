/** Puts a figure together: head, hair, eyes, clothes, arms on the felt. Returns the parts that move. */

import {
  BoxGeometry, CapsuleGeometry, CylinderGeometry, Group, Mesh, MeshStandardMaterial, Shape, ShapeGeometry,
  SphereGeometry, TorusGeometry, Vector3,
} from "three";
import { hairGeometry, headGeometry } from "./sculpt.js";

/** @param {string} color @param {number} [roughness] @param {boolean} [flat] */
const matte = (color, roughness = 0.85, flat = true) => new MeshStandardMaterial({ color, roughness, flatShading: flat });

/**
 * @param {import("./wardrobe.js").Look} look
 */
export function buildBust(look) {
  const root = new Group();
  const torso = new Group();
  const neck = new Group();
  const head = headOf(look);
  neck.position.set(0, 1.12, 0.02);
  head.group.position.set(0, 1.02, 0.1);
  neck.add(head.group);
  torso.add(body(look), neckOf(look), neck);
  root.add(torso, ...arms(look));
  return { root, torso, neck, ...head };
}

/** @param {import("./wardrobe.js").Look} look */
function headOf(look) {
  const group = new Group();
  const skin = new MeshStandardMaterial({ vertexColors: true, roughness: 0.72, flatShading: true });
  group.add(new Mesh(headGeometry(look.face, look), skin));
  const hair = matte(look.hair, 0.6);
  group.add(new Mesh(hairGeometry(look.face, look.cut), hair));
  if (look.length === "bob") group.add(...bob(hair));
  if (look.length === "bun") group.add(place(new Mesh(new SphereGeometry(0.34, 12, 10), hair), 0, 0.62, -0.82));
  const eyes = [-1, 1].map((side) => eyeOf(look, side));
  const brows = [-1, 1].map((side) => browOf(look, side));
  for (const side of [-1, 1]) group.add(earOf(look, side));
  for (const part of [...eyes.map((eye) => eye.group), ...brows]) group.add(part);
  if (look.glasses) group.add(glasses());
  return { group, eyes, brows };
}

/** @param {import("./wardrobe.js").Look} look @param {number} side */
function eyeOf(look, side) {
  const group = new Group();
  group.position.set(side * 0.262, 0.075, 0.665);
  const ball = new Group();
  const white = new Mesh(new SphereGeometry(0.105, 20, 16), matte("#efe8dc", 0.35, false));
  const iris = new Mesh(new CylinderGeometry(0.05, 0.05, 0.014, 18), matte(look.eyes, 0.3, false));
  const pupil = new Mesh(new CylinderGeometry(0.025, 0.025, 0.018, 14), matte("#0c0a08", 0.2, false));
  for (const disc of [iris, pupil]) {
    disc.rotation.x = Math.PI / 2;
    disc.position.z = 0.1;
  }
  ball.add(white, iris, pupil);
  const lidSkin = matte(look.skin, 0.75, false);
  const cap = new SphereGeometry(0.117, 20, 10, 0, Math.PI * 2, 0, Math.PI / 2);
  const upper = new Mesh(cap, lidSkin);
  const lower = new Mesh(cap, lidSkin);
  lower.rotation.x = Math.PI * 0.86;
  group.add(ball, upper, lower);
  return { group, ball, upper };
}

/** @param {import("./wardrobe.js").Look} look @param {number} side */
function browOf(look, side) {
  const brow = new Group();
  const colour = look.hair === "#b9bbb4" ? "#8d8e86" : look.hair;
  const inner = new Mesh(new BoxGeometry(0.17, 0.045, 0.05), matte(colour));
  const outer = new Mesh(new BoxGeometry(0.15, 0.036, 0.05), matte(colour));
  inner.position.set(side * -0.05, 0, 0.015);
  outer.position.set(side * 0.09, -0.018, -0.03);
  outer.rotation.set(0, side * 0.35, side * -0.28);
  brow.add(inner, outer);
  brow.position.set(side * 0.275, 0.27, 0.77);
  return brow;
}

/** @param {import("./wardrobe.js").Look} look @param {number} side */
function earOf(look, side) {
  const ear = new Mesh(new SphereGeometry(0.16, 10, 10), matte(look.skin));
  ear.scale.set(0.4, 1, 0.7);
  ear.position.set(side * 0.745 * look.face.width, -0.02, -0.02);
  ear.rotation.y = side * 0.3;
  return ear;
}

/** @param {MeshStandardMaterial} hair */
function bob(hair) {
  const back = new Mesh(new SphereGeometry(0.82, 20, 16), hair);
  back.scale.set(1, 1.12, 0.66);
  back.position.set(0, -0.28, -0.42);
  const sides = [-1, 1].map((side) => {
    const lock = new Mesh(new CapsuleGeometry(0.17, 0.72, 6, 10), hair);
    lock.position.set(side * 0.74, -0.42, 0.02);
    lock.rotation.set(-0.06, 0, side * 0.06);
    return lock;
  });
  return [back, ...sides];
}

function glasses() {
  const frame = new Group();
  const metal = matte("#2b261e", 0.4, false);
  for (const side of [-1, 1]) {
    const rim = new Mesh(new TorusGeometry(0.185, 0.016, 8, 28), metal);
    rim.scale.y = 0.82;
    frame.add(place(rim, side * 0.265, 0.045, 0.86));
    const arm = new Mesh(new BoxGeometry(0.02, 0.02, 0.82), metal);
    frame.add(place(arm, side * 0.6, 0.09, 0.46));
    arm.rotation.y = side * 0.36;
  }
  frame.add(place(new Mesh(new BoxGeometry(0.13, 0.022, 0.022), metal), 0, 0.07, 0.9));
  return frame;
}

/** @param {import("./wardrobe.js").Look} look */
function neckOf(look) {
  const neck = new Mesh(new CylinderGeometry(0.33 * look.shoulders, 0.42 * look.shoulders, 0.9, 14), matte(look.skin));
  return place(neck, 0, 1.15, -0.02);
}

/** @param {import("./wardrobe.js").Look} look */
function body(look) {
  const group = new Group();
  const suit = matte(look.suit, 0.9);
  const width = look.shoulders;
  const chest = new Mesh(new CapsuleGeometry(0.82, 1.25, 8, 22), suit);
  chest.scale.set(1.28 * width, 1, 0.72);
  chest.position.y = -0.55;
  const yoke = new Mesh(new CapsuleGeometry(0.4, 1.75 * width, 8, 16), suit);
  yoke.rotation.z = Math.PI / 2;
  yoke.scale.z = 0.95;
  yoke.position.set(0, 0.42, -0.02);
  group.add(chest, yoke);
  group.add(flat(look.shirt, [[-0.36, 1.0], [0.36, 1.0], [0.02, -0.75], [-0.02, -0.75]], 0.62, width));
  for (const side of [-1, 1]) {
    group.add(flat(lighter(look.suit), [[side * 0.34, 1.04], [side * 0.66, 0.72], [side * 0.52, 0.3], [side * 0.6, 0.22], [side * 0.05, -0.85], [side * 0.02, -0.72], [side * 0.3, 0.5]], 0.66, width));
    if (look.tie) group.add(flat("#f5f0e4", [[side * 0.02, 0.78], [side * 0.36, 1.06], [side * 0.33, 0.62]], 0.67, width));
  }
  if (look.tie) group.add(flat(look.tie, [[-0.1, 0.8], [0.1, 0.8], [0.06, 0.62], [0.13, -0.6], [0, -0.78], [-0.13, -0.6], [-0.06, 0.62]], 0.68, width));
  return group;
}

/**
 * A flat piece of cloth laid over the chest.
 * @param {string} colour
 * @param {number[][]} points
 * @param {number} lift
 * @param {number} width
 */
function flat(colour, points, lift, width) {
  const shape = new Shape();
  points.forEach(([x, y], i) => (i === 0 ? shape.moveTo(x * width, y) : shape.lineTo(x * width, y)));
  const geometry = new ShapeGeometry(shape);
  const places = geometry.attributes.position;
  for (let i = 0; i < places.count; i += 1) {
    const [x, y] = [places.getX(i), places.getY(i)];
    const high = Math.max(0, y - 0.25);
    places.setZ(i, lift - x * x * 0.2 - high * high * 0.62);
  }
  geometry.computeVertexNormals();
  const material = matte(colour, 0.9);
  material.side = 2;
  return new Mesh(geometry, material);
}

/** @param {string} hex */
function lighter(hex) {
  const parts = [1, 3, 5].map((at) => Math.min(255, Math.round(parseInt(hex.slice(at, at + 2), 16) * 1.22 + 6)));
  return `#${parts.map((part) => part.toString(16).padStart(2, "0")).join("")}`;
}

/** Arms rest on the felt; they stay there while the body leans. @param {import("./wardrobe.js").Look} look */
function arms(look) {
  const sleeve = matte(look.suit, 0.9);
  return [-1, 1].map((side) => {
    const arm = new Group();
    const shoulder = new Vector3(side * 1.16 * look.shoulders, 0.28, -0.05);
    const elbow = new Vector3(side * 1.42 * look.shoulders, -1.15, 0.42);
    const wrist = new Vector3(side * 0.42, -1.42, 1.42);
    arm.add(limb(shoulder, elbow, 0.36, sleeve), limb(elbow, wrist, 0.27, sleeve));
    const cuff = limb(wrist, wrist.clone().lerp(elbow, -0.08), 0.2, matte(look.shirt));
    const hand = new Mesh(new SphereGeometry(0.25, 12, 10), matte(look.skin));
    hand.scale.set(1.15, 0.62, 0.95);
    hand.position.set(side * 0.22, -1.45, 1.58);
    hand.rotation.y = side * 0.6;
    arm.add(cuff, hand);
    return arm;
  });
}

/** @param {Vector3} from @param {Vector3} to @param {number} radius @param {MeshStandardMaterial} material */
function limb(from, to, radius, material) {
  const span = to.clone().sub(from);
  const part = new Mesh(new CapsuleGeometry(radius, span.length(), 6, 12), material);
  part.position.copy(from).addScaledVector(span, 0.5);
  part.quaternion.setFromUnitVectors(new Vector3(0, 1, 0), span.normalize());
  return part;
}

/** @template {Group | Mesh} T @param {T} part @param {number} x @param {number} y @param {number} z */
function place(part, x, y, z) {
  part.position.set(x, y, z);
  return part;
}
