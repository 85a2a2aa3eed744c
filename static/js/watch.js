/** The spectator's page: the same log through other eyes. A coach sees both sides and may pass a note. */

import { startComments } from "./comments.js";
import { createConnection } from "./connection.js";
import { byId, embedded } from "./dom.js";
import { ending } from "./finish.js";
import { answers, fold } from "./fold.js";
import { startFrame } from "./frame.js";
import { createHints } from "./hints.js";
import { formatMoney } from "./money.js";
import { createScale, labelsOf } from "./package.js";
import { createRuler } from "./ruler.js";
import { offersOf, remaining } from "./ruler-figures.js";
import { openLine } from "./socket.js";
import { showRemaining } from "./stand.js";
import { createTranscript } from "./transcript.js";
import { showFacts } from "./truth-facts.js";
import { showTruths } from "./truths.js";
import { startSay } from "./watch-say.js";
import { explain } from "./why.js";
import { gettext } from "./words.js";

const start = embedded("bootstrap");
/** @type {import("./money.js").Money} */
const money = start.scenario;
/** @type {import("./fold.js").Snapshot} */
let state = start.snapshot;
const coach = start.role === "coach";
const opponent = start.persona.name;
const player = state.game.player_name || gettext("The rep");
const titles = Object.fromEntries(start.cards.map((/** @type {any} */ card) => [card.id, card.title]));

const ruler = createRuler(byId("ruler"), money);
const transcript = createTranscript({
  money,
  opponent,
  player,
  cards: titles,
  they: gettext("{first} would", { first: opponent.split(" ")[0] }),
  wordless: start.wordless,
});
const discussion = /** @type {HTMLElement | null} */ (document.querySelector("[data-discussion]"));
const comments = discussion && startComments(discussion);
const line = openLine({
  url: start.ws_url,
  since: () => state.last_seq,
  onFrame: (frame) => take(frame),
  onDraft: (draft) => answers(state, draft) && transcript.draft(draft.text),
  onState: createConnection(),
  onHints: (data) => hints?.update(data),
});

const say = document.getElementById("whisper")
  ? startSay({ player: player.split(" ")[0], turn: () => state.table?.turn ?? 0, send: line.send, comment: comments?.write ?? null })
  : null;
const hints = coach ? createHints(money, (text) => say?.prefill(text)) : null;

/** @param {import("./fold.js").Frame} frame */
function take(frame) {
  state = fold([frame], state);
  const fresh = frame.seq > start.head;
  if (frame.type === "player_moved" || frame.type === "opponent_moved") transcript.add(state.transcript.at(-1), fresh);
  if (frame.type === "news") transcript.add(newsLine(state.news.at(-1)), fresh);
  if (frame.type === "whispered") transcript.add(noteLine(state.whispers.at(-1)), fresh);
  if (frame.type === "answer_explained") explain(byId("transcript"), state.accounts.at(-1), money);
  if (frame.seq === start.head) transcript.toEnd();
  show();
}

/** @param {any} news */
const newsLine = (news) => ({ seq: news.seq, kind: "news", who: gettext("News"), note: news.text });
/** @param {any} note */
const noteLine = (note) => ({
  seq: note.seq,
  kind: "whisper",
  who: gettext("Note to {player} from {author}", { player, author: note.author }),
  note: note.text,
});

function show() {
  const { table, outcome } = state;
  transcript.thinking(state.awaiting_reply && !outcome);
  if (table) showNumbers(table);
  if (coach) showTruths(state, money);
  if (coach && start.case && state.coach) showFacts(state, money, start.case);
  hints?.stale(state.awaiting_reply);
  say?.passed(state.whispers.length);
  if (table) say?.reach(table.turn + Number(state.awaiting_reply));
  drawRuler();
  if (outcome) showEnd(outcome);
}

/** @param {any} table */
function showNumbers(table) {
  for (const [id, value, none] of [
    ["their-offer", table.standing_offer, gettext("No offer yet")],
    ["your-offer", table.own_offer, gettext("Nothing yet")],
  ]) {
    byId(id).textContent = value === null ? none : formatMoney(value, money);
    byId(id).classList.toggle("none", value === null);
  }
  if (money.issues.length > 0) {
    showTerms("their-terms", table.standing_offer, table.standing_terms);
    showTerms("your-terms", table.own_offer, table.own_terms);
  }
  byId("turn-clock").textContent =
    table.turn === 0 ? gettext("Opening") : gettext("Turn {turn} of {horizon}", { turn: table.turn, horizon: state.game.horizon });
  byId("watch-tension").textContent = `${Math.round(table.tension)}, ${table.tension_band}`;
  showRemaining(leftOf(table));
}

/**
 * What is left of the room: who sees both limits, and that they don't meet, is not told that it is whole.
 * @param {any} table
 * @returns {import("./ruler-figures.js").Remaining}
 */
function leftOf(table) {
  const none = state.coach && state.coach.truth.zone <= 0;
  return none ? { level: "scarlet", words: gettext("none") } : remaining(table.zopa_width_pct_remaining, table.tension);
}

/** @param {string} id @param {number | null} price @param {import("./package.js").Terms} terms */
function showTerms(id, price, terms) {
  byId(id).hidden = price === null;
  byId(id).textContent = price === null ? "" : labelsOf(money.issues, terms).join(" · ");
}

function drawRuler() {
  const truth = state.coach?.truth;
  const belief = state.transcript.findLast((move) => move.side === "player" && move.belief)?.belief;
  const estimate = belief?.walk_away ?? null;
  const half = estimate === null ? 0 : estimate * (0.02 + 0.16 * (1 - belief.confidence));
  const { seat } = state.game;
  // Only a coach knows what packages are worth to the player; for everyone else the line is one of prices.
  const scale = createScale(money, state.own?.values, seat);
  const agreed = state.outcome?.deal ? { price: state.outcome.price, terms: state.outcome.agreed } : null;
  ruler.update({
    seat,
    limit: state.own?.walk_away ?? null,
    yours: offersOf(state.transcript, "player", scale.worth),
    theirs: offersOf(state.transcript, "opponent", scale.worth),
    estimate: estimate === null ? null : { low: estimate - half, high: estimate + half },
    estimateLabel: gettext("The rep’s estimate"),
    truth: truth ? zoneOf(truth, seat) : null,
    price: agreed && scale.worth(agreed),
    you: player,
    packages: coach && money.issues.length > 0,
  });
}

/**
 * The zone as what it is worth to the player: from the player's limit as far as there is money to share.
 * @param {any} truth
 * @param {"seller" | "buyer"} seat
 */
function zoneOf(truth, seat) {
  if (money.issues.length === 0) return { low: truth.zopa_low, high: truth.zopa_high, nash: truth.nash };
  const { walk_away: limit } = truth.player;
  return { low: seat === "seller" ? limit : limit - truth.zone, high: seat === "seller" ? limit + truth.zone : limit, nash: truth.nash };
}

/** @param {any} outcome */
function showEnd(outcome) {
  const root = byId("finish");
  const title = outcome.deal ? gettext("Closed at {price}", { price: formatMoney(outcome.price, money) }) : gettext("No deal");
  const heading = document.createElement("h2");
  heading.textContent = title;
  const words = document.createElement("p");
  words.className = "soft";
  const terms = outcome.deal ? labelsOf(money.issues, outcome.agreed).join(" · ") : "";
  words.textContent = [terms, ending(outcome, opponent, player)].filter(Boolean).join(". ");
  const told = document.createElement("div");
  told.append(heading, words);
  const on = byId("watched-on");
  on.hidden = false;
  root.replaceChildren(told, on);
  root.hidden = false;
  hints?.close();
  say?.over();
}

byId("player-name").textContent = player;
startFrame();
const past = [...state.transcript, ...state.news.map(newsLine), ...state.whispers.map(noteLine)];
for (const entry of past.sort((a, b) => a.seq - b.seq)) transcript.add(entry, false);
for (const account of state.accounts) explain(byId("transcript"), account, money);
show();
byId("transcript").scrollTo({ top: byId("transcript").scrollHeight });
document.documentElement.dataset.ready = "true";
