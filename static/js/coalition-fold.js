/** What this page holds of a table for three, and what an update from the server adds to it. */

/** @typedef {{seq: number, type: string, data: any}} Frame */
/** @typedef {{frames: Frame[], status: string}} Update */
/** @typedef {{seen: number, open: boolean}} State */

/** @returns {State} */
export const emptyState = () => ({ seen: 0, open: true });

/**
 * Take an update in. Frames that were here before add nothing: an answer may repeat what another brought.
 * @param {State} state continued, not changed
 * @param {Update} update
 * @returns {{state: State, turns: any[], outcome: any}} the turns that are new, and the outcome where this brings the end
 */
export function take(state, { frames, status }) {
  const fresh = frames.filter((frame) => frame.seq > state.seen);
  return {
    state: { seen: fresh.at(-1)?.seq ?? state.seen, open: status === "live" },
    turns: fresh.filter((frame) => frame.type === "acted").map((frame) => frame.data),
    outcome: fresh.find((frame) => frame.type === "ended")?.data.outcome ?? null,
  };
}
