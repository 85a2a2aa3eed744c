/**
 * The sculpted figure across the felt, lit by one warm lamp. It breathes, blinks, leans in with an offer,
 * draws back as the heat rises, nods on a deal, turns away on leaving. Fetched lazily; everything else of the
 * table works without it.
 */

import {
  AgXToneMapping,
  CircleGeometry,
  Color,
  DirectionalLight,
  HemisphereLight,
  Mesh,
  MeshStandardMaterial,
  PerspectiveCamera,
  PointLight,
  Scene,
  TorusGeometry,
  WebGLRenderer,
} from "three";
import { buildBust } from "./bust.js";
import { breather } from "./dom.js";
import { createPose } from "./pose.js";

/** A machine that takes longer for a picture moves coarsely, seldom, and only while something happens. */
const SLOW_FRAME_MS = 10;
const SLOW_PIXELS = 0.6;
const ACTIVE_MS = 2600;
const POLL_MS = 6;

/**
 * Takes its seat in short steps: between them the page can answer a key.
 * @param {HTMLElement} host
 * @param {import("./wardrobe.js").Look} look
 * @param {boolean} still draw poses without the movement between them
 * @returns {Promise<import("./avatar.js").Figure>}
 */
export async function createFigure(host, look, still) {
  const renderer = new WebGLRenderer({ antialias: true, powerPreference: "low-power" });
  renderer.toneMapping = AgXToneMapping;
  renderer.toneMappingExposure = 1.42;
  renderer.domElement.setAttribute("aria-hidden", "true");
  await breather();
  const { scene, lamp } = room();
  const bust = await buildBust(look);
  scene.add(bust.root);
  const camera = new PerspectiveCamera(27, 1, 0.1, 40);
  const pose = createPose(look, bust, lamp);
  pose.settle();
  if (renderer.extensions.has("KHR_parallel_shader_compile")) await renderer.compileAsync(scene, camera);
  const draw = () => renderer.render(scene, camera);
  let pixels = Math.min(devicePixelRatio, 2);

  function fit() {
    const { clientWidth: width, clientHeight: height } = host;
    if (width === 0 || height === 0) return;
    aim(camera, width, height);
    renderer.setPixelRatio(pixels);
    renderer.setSize(width, height, false);
    draw();
  }

  host.append(renderer.domElement);
  fit();
  await finished(renderer);
  const began = performance.now();
  draw();
  const slow = (await finished(renderer)) - began > SLOW_FRAME_MS;
  let visible = true;
  let drawing = false;
  let last = 0;
  let request = 0;
  let rest = 0;
  let activeUntil = 0;

  /** @param {number} now */
  function frame(now) {
    request = 0;
    if (!visible || document.hidden) return;
    if (slow && now > activeUntil) {
      sharpen(1);
      return;
    }
    request = requestAnimationFrame(frame);
    if (drawing || now - last < rest) return;
    pose.advance(Math.min(0.2, (now - last) / 1000), now / 1000);
    last = now;
    draw();
    if (slow) void pace();
  }

  /** Never ask for a picture before the last one is done, and leave the machine four times as long to others. */
  async function pace() {
    drawing = true;
    const asked = performance.now();
    rest = Math.max(120, ((await finished(renderer)) - asked) * 5);
    drawing = false;
  }

  /** A slow machine moves in coarse pictures and rests in a fine one. @param {number} ratio */
  function sharpen(ratio) {
    if (pixels === ratio) return;
    pixels = ratio;
    fit();
  }

  function wake() {
    activeUntil = performance.now() + ACTIVE_MS;
    if (still) {
      pose.settle();
      draw();
    } else if (!request) {
      if (slow) sharpen(SLOW_PIXELS);
      request = requestAnimationFrame(frame);
    }
  }

  new ResizeObserver(fit).observe(host);
  new IntersectionObserver(([entry]) => {
    visible = entry.isIntersecting;
    if (visible && !slow) wake();
  }).observe(host);
  document.addEventListener("visibilitychange", () => !slow && wake());
  renderer.domElement.addEventListener("webglcontextlost", () => (host.dataset.figure = "drawing"));
  host.dataset.figure = "ready";
  return {
    mood(_band, tension) {
      if (pose.mood(tension / 100)) wake();
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
 * Waits, without holding up the page, until everything asked of the graphics card is drawn.
 * @param {WebGLRenderer} renderer
 * @returns {Promise<number>} when it was
 */
async function finished(renderer) {
  const gl = /** @type {WebGL2RenderingContext} */ (renderer.getContext());
  const fence = gl.fenceSync(gl.SYNC_GPU_COMMANDS_COMPLETE, 0);
  gl.flush();
  while (fence && gl.clientWaitSync(fence, 0, 0) === gl.TIMEOUT_EXPIRED) {
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
  gl.deleteSync(fence);
  return performance.now();
}

/** Frames the bust; the lower edge of the picture stays on the felt, whatever its shape.
 * @param {PerspectiveCamera} camera @param {number} width @param {number} height */
function aim(camera, width, height) {
  const small = height < 120;
  camera.aspect = width / height;
  const distance = small ? 5.6 : Math.max(9.6, 6.1 / camera.aspect);
  const middle = small ? 1.85 : distance * Math.tan((camera.fov / 2) * (Math.PI / 180)) - 1.75;
  camera.position.set(0.2, middle + (small ? 0.1 : 0.7), distance);
  camera.lookAt(0, middle, 0);
  camera.updateProjectionMatrix();
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
