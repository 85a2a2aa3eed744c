/**
 * The state of a game as the fold of its frames: the same function as `fold` in negotiation/events.py.
 * A test runs both over the same logs and compares.
 */

/** @typedef {{seq: number, type?: string, data?: any}} Frame */
/**
 * @typedef {object} Snapshot
 * @property {any} game
 * @property {any} own
 * @property {any} sheet the player's side of the case behind the deal
 * @property {any[]} transcript
 * @property {any[]} news
 * @property {any[]} limits each turn that moved the player's own limit, with the reasons
 * @property {any} table
 * @property {any} coach
 * @property {any[]} accounts
 * @property {any[]} whispers
 * @property {any[]} watchers
 * @property {any} outcome
 * @property {string | null} assisted
 * @property {boolean} awaiting_reply
 * @property {number} last_seq
 */

/** @returns {Snapshot} */
export function emptySnapshot() {
  return {
    game: null,
    own: null,
    sheet: null,
    transcript: [],
    news: [],
    limits: [],
    table: null,
    coach: null,
    accounts: [],
    whispers: [],
    watchers: [],
    outcome: null,
    assisted: null,
    awaiting_reply: false,
    last_seq: 0,
  };
}

/**
 * Fold frames, oldest first; the given snapshot is continued, not changed. Frames already held are skipped.
 * @param {Iterable<Frame>} frames
 * @param {Snapshot} [snapshot]
 * @returns {Snapshot}
 */
export function fold(frames, snapshot = emptySnapshot()) {
  const state = {
    ...snapshot,
    transcript: [...snapshot.transcript],
    news: [...snapshot.news],
    limits: [...(snapshot.limits ?? [])],
    accounts: [...snapshot.accounts],
    whispers: [...snapshot.whispers],
    watchers: [...snapshot.watchers],
  };
  for (const frame of frames) {
    if (frame.seq <= state.last_seq) continue;
    state.last_seq = frame.seq;
    if (frame.type) apply(state, frame.seq, frame.type, frame.data);
  }
  return state;
}

/**
 * @param {Snapshot} state
 * @param {number} seq
 * @param {string} type
 * @param {any} data
 */
function apply(state, seq, type, data) {
  const { own, sheet, ...shown } = data;
  if (type === "game_started" || type === "turn_closed") {
    state.own = own ?? state.own;
    state.sheet = sheet ?? state.sheet ?? null;
  }
  switch (type) {
    case "game_started":
      state.game = shown;
      break;
    case "player_moved":
      state.transcript.push({ seq, side: "player", ...shown });
      state.awaiting_reply = true;
      break;
    case "opponent_moved":
      state.transcript.push({ seq, side: "opponent", ...shown });
      break;
    case "answer_explained":
      state.accounts.push({ seq, ...shown });
      break;
    case "news":
      state.news.push({ seq, ...shown });
      break;
    case "turn_closed":
      state.table = shown;
      if (shown.limit_moves?.length > 0) state.limits.push({ seq, turn: shown.turn, moves: shown.limit_moves });
      state.awaiting_reply = shown.on_turn === false;
      break;
    case "turn_graded":
      state.coach = {
        ...shown,
        facts: asTheyAre(state.coach?.facts ?? [], shown.facts ?? []),
        history: [...(state.coach?.history ?? []), headlineOf(shown)],
      };
      break;
    case "whispered":
      state.whispers.push({ seq, ...shown });
      break;
    case "watched":
      state.watchers.push({ seq, ...shown });
      break;
    case "assisted":
      state.assisted = shown.reason;
      break;
    case "game_ended":
      state.outcome = shown.outcome;
      state.awaiting_reply = false;
      break;
  }
}

/**
 * Whether a draft is of the reply that this state waits for: one that comes late is not shown.
 * @param {Snapshot} state
 * @param {{after: number}} draft
 */
export const answers = (state, { after }) => state.awaiting_reply && state.transcript.at(-1)?.seq === after;

/**
 * All facts of both sides, in their first order, each as it was last graded.
 * @param {any[]} facts
 * @param {any[]} changed
 */
function asTheyAre(facts, changed) {
  const latest = new Map([...facts, ...changed].map((fact) => [`${fact.seat} ${fact.id}`, fact]));
  return [...latest.values()];
}

/**
 * A past grading without what only the latest turn shows: the density of its posterior, and the case.
 * @param {any} graded
 */
function headlineOf({ facts, objections, ...graded }) {
  const { mean, ci95 } = graded.posterior;
  return { ...graded, posterior: { mean, ci95 } };
}
