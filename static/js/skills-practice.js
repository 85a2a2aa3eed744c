/** Practice in the page: the ruler, number keys for the choices, the band of a guess, waiting for cards. */

import { byId, embedded } from "./dom.js";
import { formatMoney } from "./money.js";
import { createRuler } from "./ruler.js";
import { density } from "./spark.js";

/** How often a page that waits for its cards looks again, and how often at most. */
const LOOK_AGAIN = 2500;
const LOOKS = 12;

/** Start whatever of practice this page has. */
export function startPractice() {
  startWaiting();
  startKeys();
  if (!document.getElementById("ruler-state")) return;
  const money = embedded("money");
  const ruler = createRuler(byId("ruler"), money);
  const state = { price: null, ...embedded("ruler-state") };
  ruler.update(state);
  startBand((band) => ruler.update({ ...state, estimate: band, estimateLabel: "Your band" }), money);
  startDensity(money);
}

/** Number keys press the choices, in their order. */
function startKeys() {
  const form = document.querySelector("[data-choices]");
  if (!form) return;
  const buttons = [...form.querySelectorAll("button")];
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.repeat) return;
    if (event.target instanceof Element && event.target.closest("input, textarea, select")) return;
    buttons[Number(event.key) - 1]?.click();
  });
}

/**
 * Two sliders that cannot pass each other, and the band between them.
 * @param {(band: {low: number, high: number}) => void} show
 * @param {import("./money.js").Money} money
 */
function startBand(show, money) {
  const form = document.querySelector("[data-band]");
  if (!form) return;
  const [low, high] = /** @type {HTMLInputElement[]} */ ([...form.querySelectorAll("input[type=range]")]);
  const update = (/** @type {HTMLInputElement} */ moved) => {
    if (Number(low.value) > Number(high.value)) (moved === low ? high : low).value = moved.value;
    for (const end of [low, high]) {
      const text = formatMoney(Number(end.value), money);
      end.setAttribute("aria-valuetext", text);
      const output = form.querySelector(`output[for="${end.id}"]`);
      if (output) output.textContent = text;
    }
    show({ low: Number(low.value), high: Number(high.value) });
  };
  for (const end of [low, high]) end.addEventListener("input", () => update(end));
  update(low);
}

/** What the observer believed, with the truth drawn in. @param {import("./money.js").Money} money */
function startDensity(money) {
  const root = document.getElementById("density");
  if (!root) return;
  const { posterior, truth } = embedded("answer");
  const draw = () => root.replaceChildren(density(posterior, truth, null, money, root.clientWidth));
  new ResizeObserver(draw).observe(root);
}

/** Cards that are being dealt are looked for now and then, for half a minute. */
function startWaiting() {
  if (!document.querySelector("[data-waiting]")) return;
  const looks = Number(sessionStorage.getItem(location.pathname) ?? 0);
  if (looks >= LOOKS) {
    sessionStorage.removeItem(location.pathname);
    return;
  }
  sessionStorage.setItem(location.pathname, String(looks + 1));
  setTimeout(() => location.reload(), LOOK_AGAIN);
}
