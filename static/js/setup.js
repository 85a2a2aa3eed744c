/** The set-up form: shows what belongs to the choices made; against a persona what a difficulty means, and how strong it makes them. */

export function startSetup() {
  const form = /** @type {HTMLFormElement | null} */ (document.querySelector("[data-setup]"));
  if (!form) return;
  const range = /** @type {HTMLInputElement | null} */ (form.elements.namedItem("difficulty"));
  const words = /** @type {HTMLOutputElement | null} */ (form.querySelector("#difficulty-words"));
  const levels = [.../** @type {NodeListOf<HTMLElement>} */ (form.querySelectorAll("#difficulty-levels [data-up-to]"))];

  const show = () => {
    const chosen = new FormData(form);
    for (const part of /** @type {NodeListOf<HTMLElement>} */ (form.querySelectorAll("[data-for]"))) {
      const [field, value] = (part.dataset.for ?? "").split(" ");
      part.hidden = chosen.get(field) !== value;
    }
    if (!range || !words) return;
    const level = levels.find((each) => Number(range.value) <= Number(each.dataset.upTo));
    words.value = level?.textContent ?? "";
    for (const rating of /** @type {NodeListOf<HTMLElement>} */ (form.querySelectorAll("[data-ratings]"))) {
      rating.textContent = ratingAt(Number(range.value), rating.dataset.ratings ?? "");
    }
  };
  form.addEventListener("input", show);
  form.addEventListener("submit", () => {
    const button = /** @type {HTMLButtonElement | null} */ (form.querySelector("[type=submit]"));
    button?.setAttribute("aria-disabled", "true");
  });
  show();
}

/**
 * The rating at a difficulty, between the two measured ones around it.
 * @param {number} difficulty
 * @param {string} measured "0.0:1421 0.25:1444 ...", ascending
 */
function ratingAt(difficulty, measured) {
  const points = measured
    .trim()
    .split(/\s+/)
    .map((pair) => pair.split(":").map(Number));
  const above = points.findIndex(([at]) => at >= difficulty);
  const [highAt, high] = points[above];
  const [lowAt, low] = points[Math.max(0, above - 1)];
  const share = highAt === lowAt ? 1 : (difficulty - lowAt) / (highAt - lowAt);
  return Math.round(low + share * (high - low)).toLocaleString("en-US");
}
