/** The Diplomacy table: the log comes in, state goes out to the map and the panels beside it. */

import { emptyState, take } from "./board-fold.js";
import { createForks } from "./board-forks.js";
import { showLedger, showResults } from "./board-ledger.js";
import { startLinks } from "./board-links.js";
import { createMap } from "./board-map.js";
import { createOrders } from "./board-orders.js";
import { createPress, mark } from "./board-press.js";
import { POWERS, phaseWords, placeOf, powerName, turnOf, useNames } from "./board-words.js";
import { createConnection } from "./connection.js";
import { byId, el, embedded } from "./dom.js";
import { startFrame } from "./frame.js";
import { openLine } from "./socket.js";
import { createTabs } from "./tabs.js";
import { namesOnly, showWatched } from "./watched.js";

const NARROW = 640;
const REASONS = /** @type {Record<string, string>} */ ({ years: "The years are over.", left: "You left the table.", won: "" });

startFrame();
const page = embedded("page");
const mapData = embedded("map-data");
useNames(mapData.names);
/** @type {string | null} */
const me = page.power;
const state = emptyState();
const replay = /** @type {HTMLInputElement} */ (byId("replay"));
// What came with the page; the line brings what is newer.
for (const frame of page.frames) take(state, frame, me);
/** The phase on the map; the last one is now. */
let view = state.past.length;
let late = false;

const tabs = createTabs();
const line = openLine({
  url: page.socket,
  since: () => state.seq,
  onFrame: (frame) => arrived([frame]),
  onState: createConnection(),
  onOptions: (options) => {
    orders.offer(options);
    showWatched(namesOnly(options.watchers));
  },
});
const send = line.send;
const map = createMap({ spots: mapData.spots, centres: mapData.centres }, (province) => {
  if (view === state.past.length && me) orders.click(province);
});
const orders = createOrders(`board-${page.socket}`, { changed: () => draw(), say: announce, send });
const press = createPress(me, { send, turn: () => turnOf(state.position.phase) });

/** @param {string} words for those who hear the page */
function announce(words) {
  byId("live").textContent = words;
}

/** @param {any[]} frames */
function arrived(frames) {
  const phases = state.past.length;
  const heard = state.messages.length;
  const wasOver = Boolean(state.ended);
  for (const frame of frames) take(state, frame, me);
  if (state.past.length > phases) onPlayed();
  else if (state.messages.length > heard) onHeard(heard);
  if (state.ended && !wasOver && page.role !== "reveal") return location.reload();
  if (state.mine !== null || state.past.length > phases) orders.settle(state.mine);
  else if (me) orders.settle(null);
  render();
}

/** A phase was played: it stays on the map with its arrows until the next orders are begun. */
function onPlayed() {
  view = state.past.length - 1;
  const phase = state.past[view].phase;
  const broken = [...state.promises.values()].filter((promise) => promise.judged === phase && promise.verdict === "BROKEN");
  announce(`${phaseWords(phase)} was played. ${broken.map((one) => `${powerName(one.by)} broke: ${one.summary}.`).join(" ")}`);
  if (broken.some((one) => one.to === me || one.by === me)) tabs.show("ledger");
}

/** @param {number} before */
function onHeard(before) {
  const fresh = state.messages.slice(before).filter((row) => row.by !== me);
  if (fresh.length) announce(fresh.map((row) => `${powerName(row.by)}: ${row.text}`).join(" "));
}

function render() {
  press.show(state);
  showLedger(state, me);
  renderStanding();
  renderEnding();
  replay.max = String(state.past.length);
  draw();
}

/** The map and what belongs to the phase on it. */
function draw() {
  const now = view >= state.past.length;
  const past = now ? undefined : state.past[view];
  replay.value = String(view);
  byId("phase").textContent = phaseWords(state.position.phase);
  byId("replay-word").textContent = past ? `${phaseWords(past.phase)}: what happened` : state.ended ? "The end" : `Now: ${phaseWords(state.position.phase)}`;
  byId("replay-now").hidden = now;
  byId("replay-now").textContent = state.ended ? "To the end" : `On to ${phaseWords(state.position.phase)}`;
  byId("replay-now").classList.toggle("primary", !now);
  const panel = byId("orders-panel");
  panel.hidden = !me || !now || Boolean(state.ended) || !orders.any();
  byId("commanded").hidden = panel.hidden || !orders.chosen();
  map.draw(past ? past.before : state.position, me, now ? orders.chosen() : "");
  map.light(now ? orders.lit() : []);
  map.arrows(past ? doneArrows(past) : plannedArrows());
  showResults(past ?? state.past.at(-1));
  const number = /** @type {HTMLInputElement | null} */ (document.getElementById("take-up-number"));
  if (number) number.value = String(view);
  byId("awaited").textContent = awaited();
}

/** @param {import("./board-fold.js").Past} past */
function doneArrows(past) {
  return POWERS.flatMap((power) => (past.results[power] ?? []).map((row) => ({ power, order: row.order, results: row.results, look: "done" })));
}

/** Only one's own orders; a spectator sees everybody's plans. */
function plannedArrows() {
  if (me && !state.ended) return orders.texts().map((order) => ({ power: me, order, look: "mine" }));
  return Object.entries(state.plans).flatMap(([power, row]) => row.map((order) => ({ power, order, look: "done plan" })));
}

function awaited() {
  if (state.ended) return "";
  const people = POWERS.filter((power) => state.seats[power]?.person && power !== me);
  const missing = people.filter((power) => !state.given.has(power));
  if (state.mine === null || !missing.length) return people.length ? `At the table: ${people.map(powerName).join(", ")}.` : "";
  return `Waiting for ${missing.map(powerName).join(", ")}.`;
}

function renderStanding() {
  const rows = POWERS.map((power) => {
    const count = state.position.centers[power]?.length ?? 0;
    const alive = count || state.position.units[power]?.length;
    const seat = state.seats[power] ?? {};
    const who = power === me ? "you" : seat.person ? (page.seats[power].person ?? "a person") : (mapData.bots[seat.bot ?? ""] ?? "");
    return {
      power,
      count,
      node: el(
        "li",
        { class: alive ? "" : "gone", title: who },
        mark(power),
        el("span", {}, powerName(power)),
        el("strong", { class: "figure" }, String(count)),
        el("span", { class: "here visually-hidden" }, `, ${who}`),
      ),
    };
  });
  byId("standing").replaceChildren(...rows.sort((a, b) => b.count - a.count).map((row) => row.node));
}

function renderEnding() {
  const box = byId("ending");
  if (!state.ended) return;
  const winner = state.ended.winner;
  const counts = Object.entries(state.ended.centers).sort(([, a], [, b]) => Number(b) - Number(a));
  box.hidden = false;
  byId("ending-title").textContent = winner ? `${winner === me ? "You have" : `${powerName(winner)} has`} won` : (REASONS[state.ended.reason] ?? "It is over.");
  byId("ending-words").textContent =
    `${counts.map(([power, count]) => `${powerName(power)} ${count}`).join(", ")}. Everything is open now: every message, and what each was meant to be.`;
}

/** On a small screen the map opens near one's own units. @param {string} power */
function lookAt(power) {
  const places = (state.position.units[power] ?? []).map((unit) => mapData.spots[placeOf(unit)]);
  if (!places.length) return;
  const middle = [0, 1].map((axis) => places.reduce((sum, place) => sum + place[axis], 0) / places.length);
  map.lens.near(middle, 2);
}

/** @param {number} to */
function go(to) {
  view = Math.min(Math.max(0, to), state.past.length);
  orders.leave();
  announce(byId("replay-word").textContent ?? "");
}

/** Counts down; at nought the server is asked to look, and bots order for whoever is missing. */
function tick() {
  const clock = byId("clock");
  clock.hidden = !state.deadline;
  if (!state.deadline) return;
  const left = Math.round((new Date(state.deadline).getTime() - Date.now()) / 1000);
  const shown = Math.max(0, left);
  clock.textContent =
    shown >= 3600 ? `${Math.floor(shown / 3600)} h ${Math.floor((shown % 3600) / 60)} min` : `${Math.floor(shown / 60)}:${String(shown % 60).padStart(2, "0")}`;
  clock.classList.toggle("late", left < 20);
  if (left < 0 && !late && me) send("due", {});
  late = left < 0;
}

replay.addEventListener("input", () => go(Number(replay.value)));
byId("replay-back").addEventListener("click", () => go(view - 1));
byId("replay-on").addEventListener("click", () => go(view + 1));
byId("replay-now").addEventListener("click", () => go(state.past.length));
setInterval(tick, 1000);
if (me) {
  createForks(page.urls.forks, () => ({ number: view, orders: view === state.past.length && !state.ended ? orders.whole() : null }));
  startLinks(page);
  showWatched(namesOnly(page.watchers));
}
if (me) {
  orders.offer(page.options);
  orders.settle(state.mine);
}
if (innerWidth < NARROW && me) lookAt(me);
render();
tick();
document.documentElement.dataset.ready = "true";
