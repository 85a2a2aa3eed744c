/** What if: ask for a fan of futures from the phase on the map, watch it grow, stop it, read it. */

import { mark } from "./board-press.js";
import { POWERS, phaseWords, powerName } from "./board-words.js";
import { byId, el, svg } from "./dom.js";

const LOOK_EVERY = 400;
const BOX = { width: 360, height: 150, left: 26, right: 12, top: 10, bottom: 22 };

/**
 * @param {string} url
 * @param {() => {number: number, orders: string[] | null}} question the phase on the map, and orders to try there
 */
export function createForks(url, question) {
  const box = byId("forks");
  const error = byId("fork-error");
  const token = /** @type {HTMLInputElement} */ (document.querySelector("#take-up [name=csrfmiddlewaretoken]")).value;
  /** @type {Map<string, any>} */
  const forks = new Map();

  /** @param {string} path @param {any} [body] */
  async function call(path, body) {
    const options =
      body === undefined ? {} : { method: "POST", headers: { "X-CSRFToken": token, "Content-Type": "application/json" }, body: JSON.stringify(body) };
    const response = await fetch(path, options);
    const answer = await response.json().catch(() => ({ message: "The server did not answer. Try again." }));
    return { ok: response.ok, answer };
  }

  async function ask() {
    const { ok, answer } = await call(url, question());
    error.hidden = ok;
    if (!ok) {
      error.textContent = answer.message;
      return;
    }
    forks.set(answer.id, answer);
    render();
    follow(answer.id);
  }

  /** @param {string} id */
  async function follow(id) {
    while (forks.get(id)?.status === "running") {
      await new Promise((done) => setTimeout(done, LOOK_EVERY));
      const { ok, answer } = await call(`${url}${id}/`);
      if (!ok) return;
      forks.set(id, answer);
      render();
    }
  }

  /** @param {string} id */
  async function stop(id) {
    const { ok, answer } = await call(`${url}${id}/cancel/`, {});
    if (ok) forks.set(id, answer);
    render();
  }

  function render() {
    box.replaceChildren(...[...forks.values()].reverse().map(card));
  }

  /** @param {any} fork */
  function card(fork) {
    const head = el(
      "div",
      { class: "fork-head" },
      el("strong", {}, `From ${phaseWords(fork.phase)}`),
      el("span", { class: "faint" }, fork.orders ? "with other orders" : ""),
    );
    if (fork.status === "running") {
      const button = el("button", { type: "button", class: "button quiet" }, "Stop");
      button.addEventListener("click", () => stop(fork.id));
      return el(
        "article",
        { class: "fork" },
        head,
        el("progress", { max: fork.rollouts, value: fork.done, "aria-label": "Progress" }),
        el("p", { class: "faint" }, `${fork.done} of ${fork.rollouts} played`),
        button,
      );
    }
    if (fork.status !== "done")
      return el(
        "article",
        { class: "fork" },
        head,
        el("p", { class: "faint" }, fork.status === "cancelled" ? "Stopped." : "This did not work out. Ask again."),
      );
    return el("article", { class: "fork", "data-testid": "fan" }, head, fan(fork), words(fork), others(fork));
  }

  /** @param {any} fork */
  function words(fork) {
    const mine = fork.result.powers[fork.power];
    const end = mine.levels.at(-1);
    return el(
      "p",
      {},
      `${powerName(fork.power)} holds ${mine.now} now. After ${fork.years} years: ${end[2]} in the middle, ${end[1]} to ${end[3]} in half of ${fork.result.rollouts} games, ${end[0]} to ${end[4]} in nine of ten.`,
    );
  }

  /** @param {any} fork */
  function others(fork) {
    const rows = POWERS.filter((power) => power !== fork.power).map((power) => {
      const row = fork.result.powers[power];
      return el("li", {}, mark(power), `${row.now} → ${row.mean.at(-1).toFixed(1)}`, el("span", { class: "visually-hidden" }, ` centres, ${powerName(power)}`));
    });
    return el("ul", { class: "fan-others", "aria-label": "Centres of the others, now and on average at the end" }, ...rows);
  }

  call(url).then(({ ok, answer }) => {
    if (!ok) return;
    for (const fork of answer.forks.reverse()) forks.set(fork.id, fork);
    render();
    for (const id of forks.keys()) follow(id);
  });
  byId("fork-ask").addEventListener("click", ask);
}

/** Centres of one power over the years: the middle, half of all games, nine of ten. @param {any} fork */
function fan(fork) {
  const row = fork.result.powers[fork.power];
  const levels = [Array(5).fill(row.now), ...row.levels];
  const top = Math.max(6, ...levels.map((level) => level[4])) + 1;
  const x = (/** @type {number} */ i) => BOX.left + ((BOX.width - BOX.left - BOX.right) * i) / (levels.length - 1);
  const y = (/** @type {number} */ value) => BOX.height - BOX.bottom - ((BOX.height - BOX.top - BOX.bottom) * value) / top;
  const band = (/** @type {number} */ low, /** @type {number} */ high) =>
    `M${levels.map((level, i) => `${x(i)} ${y(level[high])}`).join("L")}L${levels
      .map((level, i) => `${x(i)} ${y(level[low])}`)
      .reverse()
      .join("L")}z`;
  const ticks = Array.from({ length: Math.floor(top / 4) + 1 }, (_, i) => i * 4);
  return svg(
    "svg",
    { class: `fan pw-${fork.power}`, viewBox: `0 0 ${BOX.width} ${BOX.height}`, role: "img", "aria-label": "Centres by year, as a fan; the figures are below" },
    ...ticks.flatMap((value) => [
      svg("path", { class: "axis", d: `M${BOX.left} ${y(value)}H${BOX.width - BOX.right}` }),
      svg("text", { x: BOX.left - 6, y: y(value) + 4, "text-anchor": "end" }, String(value)),
    ]),
    svg("path", { class: "wide-band", d: band(0, 4) }),
    svg("path", { class: "half-band", d: band(1, 3) }),
    svg("path", { class: "middle", d: `M${levels.map((level, i) => `${x(i)} ${y(level[2])}`).join("L")}` }),
    ...levels.map((_, i) =>
      svg(
        "text",
        { x: x(i), y: BOX.height - 6, "text-anchor": i ? (i === levels.length - 1 ? "end" : "middle") : "start" },
        i ? String(fork.result.years[i - 1]) : "now",
      ),
    ),
  );
}
