/** The state of a game on the board: the fold of the frames that this page was sent. */

/**
 * @typedef {{phase: string, units: Record<string, string[]>, centers: Record<string, string[]>, retreats?: Record<string, Record<string, string[]>>}} Position
 * @typedef {{order: string, results: string[]}} Result
 * @typedef {{phase: string, before: Position, after: Position, results: Record<string, Result[]>}} Past
 * @typedef {object} State
 * @property {number} seq
 * @property {Position} position
 * @property {Record<string, {person?: boolean, bot?: string}>} seats
 * @property {any[]} messages
 * @property {Map<string, any>} promises
 * @property {Past[]} past
 * @property {Set<string>} given powers whose orders are in
 * @property {string[] | null} mine
 * @property {Record<string, string[]>} plans what spectators know of orders to come
 * @property {string | null} deadline
 * @property {any} ended
 */

/** @returns {State} */
export function emptyState() {
  return {
    seq: 0,
    position: { phase: "S1901M", units: {}, centers: {} },
    seats: {},
    messages: [],
    promises: new Map(),
    past: [],
    given: new Set(),
    mine: null,
    plans: {},
    deadline: null,
    ended: null,
  };
}

/**
 * Take one frame in. One that is held already is passed over.
 * @param {State} state @param {any} frame @param {string | null} power whose page this is
 */
export function take(state, frame, power) {
  if (frame.seq <= state.seq) return;
  state.seq = frame.seq;
  if (frame.type) TAKERS[frame.type]?.(state, frame.data, frame.seq, power);
}

/** @type {Record<string, (state: State, data: any, seq: number, power: string | null) => void>} */
const TAKERS = {
  opened(state, data) {
    Object.assign(state, { position: data.position, seats: data.seats, deadline: data.deadline });
  },
  joined(state, data) {
    state.seats[data.power] = { ...state.seats[data.power], person: true };
  },
  covered(state, data) {
    state.seats[data.power] = { ...state.seats[data.power], person: false };
  },
  said(state, data, seq) {
    state.messages.push({ ...data, seq });
    for (const promise of data.promises) {
      const tag = promise.by === data.by ? data.tag : null;
      state.promises.set(promise.id, { ...promise, tag, verdict: "OPEN", said: data.phase });
    }
  },
  ordered(state, data, _seq, power) {
    state.given.add(data.power);
    if (data.orders && data.power === power) state.mine = data.orders;
    if (data.orders && !power) state.plans = { ...state.plans, [data.power]: data.orders };
  },
  withdrawn(state, data, _seq, power) {
    state.given.delete(data.power);
    if (data.power === power) state.mine = null;
  },
  planned(state, data) {
    state.plans = { ...state.plans, ...data.orders };
  },
  played(state, data) {
    state.past.push({ phase: data.phase, before: state.position, after: data.position, results: data.results });
    for (const row of data.verdicts) {
      const promise = state.promises.get(row.id);
      if (promise) Object.assign(promise, { verdict: row.verdict, judged: data.phase });
    }
    Object.assign(state, { position: data.position, given: new Set(), mine: null, plans: {}, deadline: data.deadline });
  },
  ended(state, data) {
    Object.assign(state, { ended: data, deadline: null });
  },
};
