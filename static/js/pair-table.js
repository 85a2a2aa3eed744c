/** The table of two people: the page of a deal, without what works on a persona alone. */

import { createBelief } from "./belief.js";
import { startBriefing } from "./briefing.js";
import { createComposer } from "./composer.js";
import { createConnection } from "./connection.js";
import { openHelp, startDialogs } from "./dialogs.js";
import { byId, el, embedded } from "./dom.js";
import { createEnds } from "./ends.js";
import { createEventBanner } from "./events-banner.js";
import { createFacts } from "./facts.js";
import { ending } from "./finish.js";
import { fold } from "./fold.js";
import { startKeyboard } from "./keyboard.js";
import { createLearned } from "./learned.js";
import { limitLine } from "./limit.js";
import { written } from "./moments.js";
import { formatMoney } from "./money.js";
import { createScale, labelsOf } from "./package.js";
import { createPackageBuilder } from "./package-builder.js";
import { createRuler } from "./ruler.js";
import { offersOf } from "./ruler-figures.js";
import { createSheets } from "./sheets.js";
import { openLine } from "./socket.js";
import { createStand } from "./stand.js";
import { createTension } from "./tension.js";
import { createTranscript } from "./transcript.js";

/** Nothing goes with a move here but what is believed of the other side. */
const NO_EXTRAS = { card: null, claim: null, challenge: null, event_estimate: null };

export function startTable() {
  const start = embedded("bootstrap");
  /** @type {import("./money.js").Money} */
  const money = start.scenario;
  /** @type {import("./fold.js").Snapshot} */
  let state = start.snapshot;
  const seat = state.game.seat;
  const opponent = start.persona.name;
  const scale = createScale(money, state.own.values, seat);
  /** What the move that is being written would be worth. @type {number | null} */
  let draft = null;

  const tension = createTension();
  const sheets = createSheets();
  const learned = start.case ? createLearned(start.game_id, start.case, say) : null;
  const facts = start.case ? createFacts(start.case, say) : null;
  const ruler = createRuler(byId("ruler"), money);
  const transcript = createTranscript({ money, opponent, player: "You", cards: {}, they: "They’d" });
  const banner = createEventBanner((seq) => transcript.conceal(seq));
  const belief = createBelief(money, seat, drawRuler);
  const stand = createStand(money, scale);
  const briefing = startBriefing(state, money, scale, () => composer.focusWords());
  const line = openLine({ url: start.ws_url, since: () => state.last_seq, onFrame: take, onState: createConnection() });
  const composer = createComposer({
    gameId: start.game_id,
    money,
    createBuilder: money.issues.length > 0 ? createPackageBuilder : null,
    send: line.send,
    snapshot: () => state,
    scale,
    sheet: start.case,
    onDraft(worth) {
      draft = worth;
      drawRuler();
    },
    extras: () => ({ ...NO_EXTRAS, belief: belief.value(), after: state.table.move }),
    onAccept: () => void ends.take(),
    onLeave: () => void ends.leave(),
    onSent: () => sheets.close(),
  });
  const ends = createEnds({
    money,
    scale,
    opponent,
    snapshot: () => state,
    send: line.send,
    complain: (message) => composer.complain(message, null),
    counted: false,
  });

  /** Put words into the field. @param {string} words */
  function say(words) {
    sheets.close();
    composer.say(words);
  }

  /** @param {import("./fold.js").Frame} frame */
  function take(frame) {
    state = fold([frame], state);
    if (frame.type === "player_moved" || frame.type === "opponent_moved") transcript.add(state.transcript.at(-1), true);
    if (frame.type === "news") transcript.add(newsLine(state.news.at(-1)), true);
    if (frame.type === "turn_closed" && state.limits.at(-1)?.seq === frame.seq) transcript.add(limitLine(state.limits.at(-1), money), true);
    if (frame.type === "player_moved") briefing.fold();
    show();
  }

  /** @param {any} news */
  const newsLine = (news) => ({ seq: news.seq, kind: "news", who: "News", note: news.text });

  function show() {
    const { table, outcome } = state;
    composer.refresh();
    if (table) {
      tension.update(table.tension, table.tension_band);
      byId("avatar").dataset.band = table.tension_band;
      banner.update(state.news.at(-1), table.pending_estimate, state.news.at(-1)?.turn < table.turn);
      composer.showTable(table);
      stand.update(state);
      byId("pair-turn").textContent = outcome ? "" : whoseTurn(table);
    }
    learned?.update(state.transcript);
    if (state.sheet) facts?.update(state.sheet);
    drawRuler();
    if (outcome) showFinish(outcome);
  }

  /** @param {any} table */
  function whoseTurn(table) {
    const by = written(new Date(table.move_by));
    return state.awaiting_reply ? `${opponent} is to move, until ${by}. You can write meanwhile.` : `Your move, until ${by}.`;
  }

  function drawRuler() {
    ruler.update({
      seat,
      limit: state.own?.walk_away ?? null,
      yours: offersOf(state.transcript, "player", scale.worth),
      theirs: offersOf(state.transcript, "opponent", scale.worth),
      estimate: belief.band(),
      draft: state.outcome ? null : draft,
      price: state.outcome?.deal ? scale.worth({ price: state.outcome.price, terms: state.outcome.agreed }) : null,
      packages: money.issues.length > 0,
    });
  }

  /** @param {any} outcome */
  function showFinish(outcome) {
    const root = byId("finish");
    if (!root.hidden) return;
    byId("composer").hidden = true;
    byId("hand").inert = true;
    const link = el("a", { class: "button primary large", href: `/pairs/${start.game_id}/debrief/`, "data-testid": "to-debrief" }, "Look back");
    root.replaceChildren(
      el(
        "div",
        {},
        el("h2", {}, outcome.deal ? "Closed at " : "No deal", outcome.deal && el("span", { class: "figure" }, formatMoney(outcome.price, money))),
        outcome.deal && money.issues.length > 0 && el("p", { class: "finish-terms" }, labelsOf(money.issues, outcome.agreed).join(" · ")),
        el("p", { class: "soft" }, ended(outcome)),
      ),
      link,
    );
    root.hidden = false;
    link.focus({ preventScroll: true });
  }

  /** @param {any} outcome */
  function ended(outcome) {
    if (outcome.reason === "opponent_left") return `${opponent} did not come back in time. It counts for nothing.`;
    if (outcome.reason === "player_left") return "Your time for the move was up. It counts for nothing.";
    return ending(outcome, opponent);
  }

  byId("help-button").addEventListener("click", openHelp);
  startDialogs();
  const keys = {
    "/": composer.focusWords,
    o: composer.focusOffer,
    a: () => void ends.take(),
    w: () => void ends.leave(),
    b: () => sheets.show("her", belief.focus),
    ...(start.case ? { f: () => sheets.show("cards"), m: () => sheets.show("her", learned?.focus) } : {}),
    ...(money.issues.length > 0 ? { p: () => sheets.show("package") } : {}),
    j: () => transcript.step(1),
    k: () => transcript.step(-1),
    "?": openHelp,
  };
  startKeyboard(keys, byId("transcript"));

  const past = [...state.transcript, ...state.news.map(newsLine), ...state.limits.map((moved) => limitLine(moved, money))];
  for (const entry of past.sort((a, b) => a.seq - b.seq)) transcript.add(entry, false);
  belief.set(state.transcript.findLast((move) => move.side === "player" && move.belief)?.belief ?? null);
  show();
  history.scrollRestoration = "manual";
  transcript.toEnd();
  document.documentElement.dataset.ready = "true";
}
