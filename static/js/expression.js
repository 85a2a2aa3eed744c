/**
 * What a move across the table shows in a face. It follows from what the page was told of the move and of the moves
 * before it, which both sides heard: a stated limit brings the same beat whether it is true or not.
 */

import { gettext } from "./words.js";

/** @typedef {"calm" | "beat" | "steady" | "doubt" | "relief" | "flinch" | "open" | "offer" | "hold" | "challenge" | "accept" | "leave" | "think"} Expression */
/** @typedef {{name: Expression, seconds: number}} Step one expression and how long it is held */

/** All that is read of a move; each of them is said aloud or seen by everybody at the table. */
export const READS = ["accept", "walk_away", "challenge", "claim", "deadline_turns", "exposed", "raised", "told", "offer", "side"];

/** How far tension has to move for it to show. */
const EASED = -3;
const HURT = 5;

/** How long somebody looks away before stating a limit or a deadline: and longer, with another look, where the log holds another limit of theirs. */
export const BEAT = 0.75;
export const WAVERING_BEAT = 1.25;

/** Words for who can't see it. @type {Record<Expression, string>} */
export const SEEN = {
  calm: "",
  beat: gettext("looked away before saying it"),
  steady: gettext("looks straight at you"),
  doubt: gettext("doubts that"),
  relief: gettext("is relieved"),
  flinch: gettext("draws back"),
  open: gettext("opens up"),
  offer: gettext("leans in"),
  hold: gettext("sits back"),
  challenge: gettext("leans in"),
  accept: "nods",
  leave: gettext("has turned away"),
  think: "thinks",
};

/**
 * The course of a face through a move.
 * @param {any} move the other side's
 * @param {any[]} before all moves before it, of both sides
 * @returns {Step[]}
 */
export function faceOf(move, before) {
  if (move.walk_away) return [{ name: "leave", seconds: Number.POSITIVE_INFINITY }];
  if (move.accept) return [{ name: "accept", seconds: 2.4 }];
  if (stated(move)) {
    const steady = /** @type {Step} */ ({ name: "steady", seconds: 1.6 });
    if (!wavers(move, before)) return [{ name: "beat", seconds: BEAT }, steady];
    return [{ name: "beat", seconds: WAVERING_BEAT }, steady, { name: "beat", seconds: BEAT }];
  }
  if (move.exposed?.length > 0 || move.raised?.length > 0) return [{ name: "doubt", seconds: 2.6 }];
  if (move.challenge) return [{ name: "challenge", seconds: 2.4 }];
  if (move.told?.length > 0) return [{ name: "open", seconds: 2.4 }];
  const last = before.findLast((each) => each.side === "opponent");
  return [{ name: move.offer !== null && move.offer !== last?.offer ? "offer" : "hold", seconds: 2.2 }];
}

/** Whether a move states what it can't prove: a limit, or a deadline. @param {any} move */
export const stated = (move) => (move.claim ?? null) !== null || (move.deadline_turns ?? null) !== null;

/** Whether another limit was stated before: everybody heard both. @param {any} move @param {any[]} before */
const wavers = (move, before) =>
  (move.claim ?? null) !== null && before.some((each) => each.side === "opponent" && (each.claim ?? null) !== null && each.claim !== move.claim);

/**
 * What a change of tension shows.
 * @param {number} by in points of the meter
 * @returns {Step | null}
 */
export function feltAs(by) {
  if (by <= EASED) return { name: "relief", seconds: 2 };
  if (by >= HURT) return { name: "flinch", seconds: 0.7 };
  return null;
}
