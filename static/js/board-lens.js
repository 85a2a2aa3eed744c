/** Panning and zooming of the map: wheel, drag, pinch, buttons. The view box is all that changes. */

import { byId } from "./dom.js";

const CLOSEST = 5;
const DRAG = 6;

/** @param {SVGSVGElement} chart */
export function createLens(chart) {
  const whole = chart.viewBox.baseVal;
  const page = { width: whole.width, height: whole.height };
  let view = { x: 0, y: 0, scale: 1 };
  /** @type {Map<number, {x: number, y: number}>} */
  const fingers = new Map();
  let moved = 0;

  function show() {
    const [width, height] = [page.width / view.scale, page.height / view.scale];
    view.x = Math.min(Math.max(0, view.x), page.width - width);
    view.y = Math.min(Math.max(0, view.y), page.height - height);
    chart.setAttribute("viewBox", `${view.x.toFixed(1)} ${view.y.toFixed(1)} ${width.toFixed(1)} ${height.toFixed(1)}`);
  }

  /** Units of the page at a place of the window. @param {number} x @param {number} y */
  function at(x, y) {
    const point = new DOMPoint(x, y).matrixTransform(chart.getScreenCTM()?.inverse());
    return [point.x, point.y];
  }

  /** @param {number} factor @param {number} [x] @param {number} [y] window coordinates that stay where they are */
  function zoom(factor, x, y) {
    const box = chart.getBoundingClientRect();
    const [px, py] = at(x ?? box.left + box.width / 2, y ?? box.top + box.height / 2);
    const scale = Math.min(CLOSEST, Math.max(1, view.scale * factor));
    const kept = view.scale / scale;
    view = { scale, x: px - (px - view.x) * kept, y: py - (py - view.y) * kept };
    show();
  }

  /** Go near a point of the page. @param {number[]} point @param {number} scale */
  function near([x, y], scale) {
    view = { scale, x: x - page.width / scale / 2, y: y - page.height / scale / 2 };
    show();
  }

  chart.addEventListener("wheel", (event) => {
    event.preventDefault();
    zoom(event.deltaY < 0 ? 1.2 : 1 / 1.2, event.clientX, event.clientY);
  });
  chart.addEventListener("pointerdown", (event) => {
    fingers.set(event.pointerId, { x: event.clientX, y: event.clientY });
    if (fingers.size === 1) moved = 0;
  });
  window.addEventListener("pointermove", (event) => {
    const before = fingers.get(event.pointerId);
    if (!before) return;
    const [dx, dy] = [event.clientX - before.x, event.clientY - before.y];
    moved += Math.hypot(dx, dy);
    if (fingers.size === 2) pinch(event);
    fingers.set(event.pointerId, { x: event.clientX, y: event.clientY });
    if (fingers.size !== 1 || moved < DRAG) return;
    chart.classList.add("dragged");
    const per = 1 / (chart.getScreenCTM()?.a ?? 1);
    view.x -= dx * per;
    view.y -= dy * per;
    show();
  });

  /** @param {PointerEvent} event one of two fingers moved */
  function pinch(event) {
    const [other] = [...fingers].filter(([id]) => id !== event.pointerId).map(([, place]) => place);
    const old = fingers.get(event.pointerId);
    if (!old) return;
    const before = Math.hypot(old.x - other.x, old.y - other.y) || 1;
    const now = Math.hypot(event.clientX - other.x, event.clientY - other.y) || 1;
    zoom(now / before, (event.clientX + other.x) / 2, (event.clientY + other.y) / 2);
  }

  for (const kind of ["pointerup", "pointercancel"]) {
    window.addEventListener(kind, (event) => {
      fingers.delete(/** @type {PointerEvent} */ (event).pointerId);
      chart.classList.remove("dragged");
    });
  }
  byId("zoom-in").addEventListener("click", () => zoom(1.5));
  byId("zoom-out").addEventListener("click", () => zoom(1 / 1.5));
  byId("zoom-all").addEventListener("click", () => {
    view = { x: 0, y: 0, scale: 1 };
    show();
  });
  return { near, dragged: () => moved >= DRAG };
}
