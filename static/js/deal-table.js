/** The rep's table: one snapshot, folded from the log; every part of the page shows a piece of it. */

import { arriveAt } from "./arrival.js";
import { createAvatar } from "./avatar.js";
import { createBelief } from "./belief.js";
import { startBriefing } from "./briefing.js";
import { createCards } from "./cards.js";
import { createChosen } from "./chosen.js";
import { createComposer } from "./composer.js";
import { createConnection } from "./connection.js";
import { openHelp, startDialogs } from "./dialogs.js";
import { byId, embedded } from "./dom.js";
import { createEnds } from "./ends.js";
import { createEventBanner } from "./events-banner.js";
import { createFacts } from "./facts.js";
import { showFinish } from "./finish.js";
import { answers, fold } from "./fold.js";
import { startFrame } from "./frame.js";
import { startHintAsking } from "./hint-ask.js";
import { startKeyboard } from "./keyboard.js";
import { createLearned } from "./learned.js";
import { limitLine } from "./limit.js";
import { createNotes, isHint } from "./notes.js";
import { createScale } from "./package.js";
import { createPlan } from "./plan.js";
import { createRuler } from "./ruler.js";
import { offersOf } from "./ruler-figures.js";
import { createSheets } from "./sheets.js";
import { openLine } from "./socket.js";
import { createStand } from "./stand.js";
import { createTabs } from "./tabs.js";
import { createTension } from "./tension.js";
import { createTranscript } from "./transcript.js";
import { showWatched } from "./watched.js";
import { gettext } from "./words.js";

/**
 * Start the table of the page.
 * @param {typeof import("./package-builder.js").createPackageBuilder | null} createBuilder of packages; null where only the price is open
 */
export function startDealTable(createBuilder) {
  const start = embedded("bootstrap");
  /** @type {import("./money.js").Money} */
  const money = start.scenario;
  /** @type {import("./fold.js").Snapshot} */
  let state = start.snapshot;
  const seat = state.game.seat;
  const opponent = start.persona.name;
  const scale = createScale(money, state.own.values, seat);
  const titles = Object.fromEntries(start.cards.map((/** @type {any} */ card) => [card.id, card.title]));

  const tension = createTension();
  const avatar = createAvatar(opponent);
  const sheets = createSheets();
  const tabs = createTabs();
  const learned = start.case ? createLearned(start.game_id, start.case, say) : null;
  const facts = start.case ? createFacts(start.case, say) : null;
  const plan = document.getElementById("pane-plan") ? createPlan(start.game_id, money, drawRuler) : null;
  /** What the move that is being written would be worth. @type {number | null} */
  let draft = null;
  const notes = createNotes(start.game_id);
  const ruler = createRuler(byId("ruler"), money);
  const transcript = createTranscript({
    money,
    opponent,
    player: gettext("You"),
    cards: titles,
    they: gettext("They’d"),
    speaks: avatar.speaks,
    wordless: start.wordless,
  });
  const banner = createEventBanner((seq) => transcript.conceal(seq));
  const belief = createBelief(money, seat, drawRuler);
  const chosen = createChosen(money, () => state.own.walk_away);
  const cards = createCards(start.cards, chosen.show);
  const challenge = byId("challenge");
  const stand = createStand(money, scale);
  const briefing = startBriefing(state, money, scale, () => composer.focusWords());
  const line = openLine({
    url: start.ws_url,
    since: () => state.last_seq,
    onFrame: (frame) => take(frame),
    onDraft: (draft) => answers(state, draft) && transcript.draft(draft.text),
    onState: createConnection(),
  });
  const composer = createComposer({
    gameId: start.game_id,
    money,
    createBuilder,
    send: line.send,
    snapshot: () => state,
    scale,
    sheet: start.case,
    onDraft(worth) {
      draft = worth;
      drawRuler();
    },
    extras: () => ({
      card: cards.chosen,
      claim: chosen.claim,
      belief: belief.value(),
      challenge: challenge.getAttribute("aria-pressed") === "true" ? true : null,
      event_estimate: banner.value(),
    }),
    onAccept: () => void ends.take(),
    onLeave: () => void ends.leave(),
    onSent: () => {
      cards.choose(null);
      challenge.setAttribute("aria-pressed", "false");
      sheets.close();
    },
  });

  const ends = createEnds({ money, scale, opponent, snapshot: () => state, send: line.send, complain: (message) => composer.complain(message, null) });
  /** The guide of a first deal, fetched only where there is one. @type {{update(): void} | null} */
  let guide = null;
  if (document.documentElement.dataset.guide) {
    void import("./guide.js").then(({ createGuide }) => {
      guide = createGuide({
        start,
        money,
        first: byId("avatar").dataset.first ?? opponent,
        snapshot: () => state,
        say: composer.sayInstead,
        offer: composer.offer,
        card: cards.choose,
        send: composer.submit,
        accept: () => void ends.take(),
        walkAway: () => void ends.leave(),
        believe: belief.set,
      });
      guide.update();
    });
  }

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
    if (frame.type === "whispered") transcript.add(noteLine(state.whispers.at(-1)), true);
    if (frame.type === "player_moved") briefing.fold();
    if (frame.type === "opponent_moved") avatar.answers(state.transcript.at(-1), state.transcript.slice(0, -1));
    show();
  }

  /** @param {any} news */
  const newsLine = (news) => ({ seq: news.seq, kind: "news", who: gettext("News"), note: news.text });
  /** @param {any} note */
  const noteLine = (note) => ({
    seq: note.seq,
    kind: "whisper",
    who: isHint(note) ? gettext("A hint") : gettext("Note from {author}", { author: note.author }),
    note: note.text,
  });

  /** Show the whole of the present state. */
  function show() {
    const { table, outcome } = state;
    const waits = state.awaiting_reply && !outcome;
    transcript.thinking(waits);
    avatar.thinking(waits);
    composer.refresh();
    composer.showClaim(outcome ? null : table, opponent);
    if (table) {
      tension.update(table.tension, table.tension_band);
      avatar.mood(table.tension_band, table.tension);
      cards.update(table, state.transcript);
      banner.update(state.news.at(-1), table.pending_estimate, state.news.at(-1)?.turn < table.turn);
      composer.showTable(table);
      stand.update(state);
    }
    learned?.update(state.transcript);
    if (state.sheet) facts?.update(state.sheet);
    drawRuler();
    notes.update(state.whispers, table?.turn ?? 0);
    showWatched(state.watchers);
    if (outcome) showFinish(state, money, start.game_id, opponent);
    guide?.update();
  }

  function drawRuler() {
    ruler.update({
      seat,
      limit: state.own?.walk_away ?? null,
      yours: offersOf(state.transcript, "player", scale.worth),
      theirs: offersOf(state.transcript, "opponent", scale.worth),
      estimate: belief.band(),
      draft: state.outcome ? null : draft,
      target: plan?.target(),
      price: state.outcome?.deal ? scale.worth({ price: state.outcome.price, terms: state.outcome.agreed }) : null,
      packages: money.issues.length > 0,
    });
  }

  /** @param {"cards" | "facts" | "plan"} pane */
  function showHand(pane) {
    tabs.show(pane);
    sheets.show("cards", () => /** @type {HTMLElement | null} */ (byId(`pane-${pane}`).querySelector("button, input"))?.focus());
  }

  byId("help-button").addEventListener("click", openHelp);
  challenge.addEventListener("click", () => {
    challenge.setAttribute("aria-pressed", String(challenge.getAttribute("aria-pressed") !== "true"));
  });
  startHintAsking({
    assisted: () => state.assisted !== null,
    over: () => state.outcome !== null,
    say: (text) => composer.complain(text, null),
  });
  startFrame();
  startDialogs();
  // On a phone the bar's buttons are a popover, which has done its work once one was pressed.
  byId("bar-menu").addEventListener("click", () => byId("bar-menu").hidePopover());
  const keys = {
    "/": composer.focusWords,
    o: composer.focusOffer,
    a: () => void ends.take(),
    w: () => void ends.leave(),
    b: () => sheets.show("her", belief.focus),
    c: () => showHand("cards"),
    ...(start.case ? { f: () => showHand("facts"), m: () => sheets.show("her", learned?.focus) } : {}),
    ...(plan ? { g: () => showHand("plan") } : {}),
    n: notes.open,
    ...(money.issues.length > 0 ? { p: () => sheets.show("package") } : {}),
    j: () => transcript.step(1),
    k: () => transcript.step(-1),
    "?": openHelp,
  };
  startKeyboard(keys, byId("transcript"));

  const past = [...state.transcript, ...state.news.map(newsLine), ...state.limits.map((moved) => limitLine(moved, money)), ...state.whispers.map(noteLine)];
  for (const entry of past.sort((a, b) => a.seq - b.seq)) transcript.add(entry, false);
  belief.set(state.transcript.findLast((move) => move.side === "player" && move.belief)?.belief ?? null);
  show();
  history.scrollRestoration = "manual";
  transcript.toEnd();
  if (!document.documentElement.dataset.guide) arriveAt(byId("transcript"));
  document.documentElement.dataset.ready = "true";
}
