/**
 * The sculpted figure across the felt, lit by one warm lamp. It breathes, blinks, leans in with an offer,
 * draws back as the heat rises, nods on a deal, turns away on leaving. Fetched lazily; everything else of the
 * table works without it.
 */

import {
  AgXToneMapping, CircleGeometry, Color, DirectionalLight, HemisphereLight, Mesh, MeshStandardMaterial,
  PerspectiveCamera, PointLight, Scene, TorusGeometry, WebGLRenderer,
} from "three";
import { buildBust } from "./bust.js";
import { LOOKS } from "./wardrobe.js";

/** A machine that takes longer for a picture draws only while something happens, so that typing never waits. */
const SLOW_FRAME_MS = 10;
const ACTIVE_MS = 2600;

/**
 * @param {HTMLElement} host
 * @param {string} persona
 * @param {boolean} still draw poses without the movement between them
 * @returns {import("./avatar.js").Figure}
 */
export function createFigure(host, persona, still) {
  const look = LOOKS[persona] ?? LOOKS.diplomat;
  const renderer = new WebGLRenderer({ antialias: true, powerPreference: "low-power" });
  renderer.toneMapping = AgXToneMapping;
  renderer.toneMappingExposure = 1.42;
  renderer.domElement.setAttribute("aria-hidden", "true");
  host.append(renderer.domElement);
  const { scene, lamp } = room();
  const bust = buildBust(look);
  scene.add(bust.root);
  const camera = new PerspectiveCamera(27, 1, 0.1, 40);
  const pose = createPose(look, bust, lamp);

  function fit() {
    const { clientWidth: width, clientHeight: height } = host;
    if (width === 0 || height === 0) return;
    const small = height < 120;
    camera.aspect = width / height;
    const distance = small ? 5.6 : Math.max(9.6, 6.1 / camera.aspect);
    // The lower edge of the picture stays on the felt, whatever its shape.
    const middle = small ? 1.85 : distance * Math.tan((camera.fov / 2) * (Math.PI / 180)) - 1.75;
    camera.position.set(0.2, middle + (small ? 0.1 : 0.7), distance);
    camera.lookAt(0, middle, 0);
    camera.updateProjectionMatrix();
    renderer.setPixelRatio(Math.min(devicePixelRatio, 2));
    renderer.setSize(width, height, false);
    draw();
  }
  const draw = () => renderer.render(scene, camera);
  new ResizeObserver(fit).observe(host);

  fit();
  host.dataset.figure = "ready";
  const cost = costOf(renderer, draw);
  const slow = cost > SLOW_FRAME_MS;
  const rest = slow ? Math.max(120, cost * 4) : 0;
  let visible = true;
  let last = 0;
  let request = 0;
  let activeUntil = 0;

  /** @param {number} now */
  function frame(now) {
    request = 0;
    if (!visible || document.hidden || (slow && now > activeUntil)) return;
    request = requestAnimationFrame(frame);
    if (now - last < rest) return;
    pose.advance(Math.min(0.2, (now - last) / 1000), now / 1000);
    last = now;
    draw();
  }

  function wake() {
    activeUntil = performance.now() + ACTIVE_MS;
    if (still) {
      pose.settle();
      draw();
    } else if (!request) request = requestAnimationFrame(frame);
  }

  new IntersectionObserver(([entry]) => {
    visible = entry.isIntersecting;
    if (visible) wake();
  }).observe(host);
  document.addEventListener("visibilitychange", wake);
  renderer.domElement.addEventListener("webglcontextlost", () => (host.dataset.figure = "drawing"));
  wake();
  return {
    mood(band, tension) {
      pose.mood(tension / 100);
      wake();
    },
    gesture(name) {
      pose.gesture(name);
      wake();
    },
    thinking(on) {
      pose.thinking(on);
      if (!slow) wake();
    },
  };
}

/**
 * What one picture really costs here. Reading a pixel back waits for the drawing to be done, which tells a
 * machine without a graphics card from one that has it.
 * @param {WebGLRenderer} renderer
 * @param {() => void} draw
 */
function costOf(renderer, draw) {
  const gl = renderer.getContext();
  const pixel = new Uint8Array(4);
  let began = 0;
  for (let i = 0; i < 2; i += 1) {
    began = performance.now();
    draw();
    gl.readPixels(0, 0, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, pixel);
  }
  return performance.now() - began;
}

/** The lamp, the dark, the felt. */
function room() {
  const scene = new Scene();
  scene.background = new Color("#12221b");
  const lamp = new DirectionalLight("#ffdca6", 3.4);
  lamp.position.set(-3, 4, 5);
  const rim = new DirectionalLight("#9fd0c4", 1.6);
  rim.position.set(4, 3, -3.5);
  const bounce = new PointLight("#d9b77a", 3.2, 8);
  bounce.position.set(1.2, -0.4, 3.6);
  const felt = new Mesh(new CircleGeometry(4.6, 64), new MeshStandardMaterial({ color: "#0c3d2a", roughness: 1 }));
  felt.rotation.x = -Math.PI / 2;
  felt.position.set(0, -1.68, 2.1);
  const edge = new Mesh(new TorusGeometry(4.6, 0.09, 10, 96), new MeshStandardMaterial({ color: "#c79a4f", roughness: 0.35, metalness: 0.6 }));
  edge.rotation.x = Math.PI / 2;
  edge.position.copy(felt.position);
  scene.add(lamp, rim, bounce, new HemisphereLight("#a9c7ba", "#2a2015", 0.5), felt, edge);
  return { scene, lamp };
}

/**
 * Posture as a few numbers that glide towards their goals.
 * @param {import("./wardrobe.js").Look} look
 * @param {ReturnType<typeof buildBust>} bust
 * @param {DirectionalLight} lamp
 */
function createPose(look, bust, lamp) {
  const now = { lean: look.lean, turn: 0, nod: 0, tilt: look.tilt, heat: 0, gaze: 0, look: 0, away: 0, smile: 0 };
  const goal = { ...now };
  let blink = 2;
  let nodding = 0;
  let held = 0;
  let heat = 0;
  let musing = false;

  function rest() {
    goal.lean = look.lean - heat * 0.12;
    goal.tilt = look.tilt + (musing ? 0.07 : 0);
    goal.gaze = musing ? 0.12 : 0;
    goal.heat = heat;
    goal.smile = 0;
  }

  /** @param {number} time */
  function show(time) {
    const breath = Math.sin(time * 1.5) * 0.012;
    const sway = look.restless * (1 + heat);
    bust.torso.rotation.x = now.lean;
    bust.torso.scale.set(1, 1 + breath * 0.6, 1 + breath);
    bust.torso.position.z = now.lean * 1.1;
    bust.root.rotation.y = now.away;
    bust.neck.rotation.set(
      -now.lean * 0.75 + now.nod + now.gaze + Math.sin(time * 0.7) * 0.012 * sway,
      now.turn + Math.sin(time * 0.43) * 0.035 * sway,
      now.tilt + Math.sin(time * 0.31 + 1) * 0.015 * sway,
    );
    const shut = blink < 0.14 ? Math.sin((blink / 0.14) * Math.PI) : 0;
    for (const eye of bust.eyes) {
      eye.upper.rotation.x = -0.42 + now.heat * 0.2 + now.gaze + shut * 1.15;
      eye.ball.rotation.set(now.gaze * 0.8, now.look, 0);
    }
    bust.brows.forEach((brow, i) => {
      const side = i === 0 ? -1 : 1;
      brow.position.y = 0.26 + look.browDrop - now.heat * 0.05;
      brow.rotation.z = side * (now.heat * 0.34 + (look.browDrop < 0 ? 0.14 : -0.04));
    });
    bust.mouth.scale.set(1 - now.heat * 0.12 + now.smile * 0.16, 1 - now.heat * 0.25, 1);
    lamp.color.setRGB(1, 0.84 - now.heat * 0.2, 0.62 - now.heat * 0.26);
  }

  return {
    /** @param {number} value 0 to 1 */
    mood(value) {
      heat = Math.max(0, Math.min(1, (value - 0.25) / 0.65));
      rest();
    },
    /** @param {boolean} on */
    thinking(on) {
      musing = on;
      if (held <= 0) rest();
    },
    /** @param {import("./avatar.js").Gesture} name */
    gesture(name) {
      rest();
      held = 2.2;
      if (name === "offer") goal.lean = look.lean + 0.17;
      else if (name === "hold") goal.lean = look.lean - 0.14;
      else if (name === "challenge") {
        goal.lean = look.lean + 0.13;
        goal.tilt = look.tilt - 0.1;
      } else if (name === "accept") nodding = 1.6;
      else if (name === "leave") {
        goal.away = 0.85;
        goal.turn = 0.4;
        held = Number.POSITIVE_INFINITY;
      }
    },
    /** Jump to the goals: the still figure. */
    settle() {
      Object.assign(now, goal);
      show(0.8);
    },
    /** @param {number} step seconds @param {number} time seconds */
    advance(step, time) {
      held -= step;
      if (held <= 0 && held > -step) rest();
      blink -= step;
      if (blink < 0) {
        blink = 2.2 + Math.random() * 3.5;
        goal.look = Math.random() < 0.6 ? 0 : (Math.random() - 0.5) * 0.5;
      }
      nodding = Math.max(0, nodding - step);
      goal.nod = nodding > 0 ? Math.max(0, Math.sin(nodding * 9)) * 0.16 : 0;
      const glide = 1 - Math.exp(-step * 4.2);
      const quick = 1 - Math.exp(-step * 14);
      for (const key of /** @type {(keyof typeof now)[]} */ (Object.keys(now))) {
        now[key] += (goal[key] - now[key]) * (key === "nod" || key === "look" ? quick : glide);
      }
      show(time);
    },
  };
}
