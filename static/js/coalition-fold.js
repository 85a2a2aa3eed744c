/** What this page holds of a table for three: the fold of the frames that it was sent. */

/** @typedef {import("./fold.js").Frame} Frame */
/** @typedef {{seen: number, news: any[], outcome: any}} State what is not drawn yet, and how it ended, if it did */

/** @returns {State} */
export const emptyState = () => ({ seen: 0, news: [], outcome: null });

/**
 * Take a frame in. One that is held already adds nothing: a line may repeat what it sent before it was cut.
 * @param {State} state continued, not changed
 * @param {Frame} frame
 * @returns {State}
 */
export function take(state, frame) {
  if (frame.seq <= state.seen) return state;
  return {
    seen: frame.seq,
    news: frame.type === "acted" ? [...state.news, frame.data] : state.news,
    outcome: frame.type === "ended" ? frame.data.outcome : state.outcome,
  };
}

/** The same with all of it drawn. @param {State} state @returns {State} */
export const drawn = (state) => ({ ...state, news: [] });
