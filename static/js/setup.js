/** The set-up form: shows the roles of the chosen scenario; against a persona what a difficulty means, and how strong it makes them. */

const LEVELS = [
  [0.2, "They give ground easily. A place to learn the table."],
  [0.4, "They bargain, with patience for mistakes."],
  [0.6, "A fair fight."],
  [0.8, "They read you well and give little away."],
  [1.01, "They take all that you let them take."],
];

export function startSetup() {
  const form = /** @type {HTMLFormElement | null} */ (document.querySelector("[data-setup]"));
  if (!form) return;
  const range = /** @type {HTMLInputElement | null} */ (form.elements.namedItem("difficulty"));
  const words = /** @type {HTMLOutputElement | null} */ (form.querySelector("#difficulty-words"));

  const show = () => {
    const scenario = new FormData(form).get("scenario");
    for (const role of /** @type {NodeListOf<HTMLElement>} */ (form.querySelectorAll("[data-for-scenario]"))) {
      role.hidden = role.dataset.forScenario !== scenario;
    }
    if (!range || !words) return;
    const level = LEVELS.find(([limit]) => Number(range.value) <= Number(limit));
    words.value = String(level?.[1] ?? "");
    for (const rating of /** @type {NodeListOf<HTMLElement>} */ (form.querySelectorAll("[data-ratings]"))) {
      rating.textContent = `, rated ${ratingAt(Number(range.value), rating.dataset.ratings ?? "")}`;
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
