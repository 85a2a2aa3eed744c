/**
 * The state of a game as the fold of its frames: the same function as `fold` in negotiation/events.py.
 * A test runs both over the same logs and compares.
 */

/** @typedef {{seq: number, type?: string, data?: any}} Frame */
/**
 * @typedef {object} Snapshot
 * @property {any} game
 * @property {any} own
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
  const { own, ...shown } = data;
  if ((type === "game_started" || type === "turn_closed") && own !== undefined) state.own = own;
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
      state.awaiting_reply = false;
      break;
    case "turn_graded":
      state.coach = { ...shown, history: [...(state.coach?.history ?? []), headlineOf(shown)] };
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
 * A past grading without the density of its posterior, which only the latest turn draws.
 * @param {any} graded
 */
function headlineOf(graded) {
  const { mean, ci95 } = graded.posterior;
  return { ...graded, posterior: { mean, ci95 } };
}
