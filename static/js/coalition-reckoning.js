/** What a proposal at a table for three comes to for oneself, and who may be told of it. */

/** @typedef {import("./coalition-triangle.js").Seat} Seat */
/** @typedef {{members: Seat[], pays: Partial<Record<Seat, number | null>>}} Draft a proposal as far as it has been typed */

/** Two buyers without the seller build a depot of their own. @param {Seat[]} members */
export const isDepot = (members) => members.length === 2 && !members.includes("seller");

/**
 * What the other buyer pays of a depot when one pays this; null where that can't be.
 * @param {number | null} paid
 * @param {number} cost of the depot
 */
export const restOfDepot = (paid, cost) => (paid !== null && paid >= 0 && paid <= cost ? cost - paid : null);

/**
 * What a draft leaves to a seat: what the arrangement is worth to it, and what it gets or pays. Null until all is typed.
 * @param {Draft} draft
 * @param {Seat} seat
 * @param {{members: Seat[], arrangement: string}[]} coalitions
 * @param {Record<string, number>} own the worth of each arrangement to the seat
 */
export function leftTo(draft, seat, coalitions, own) {
  const figures = Object.values(draft.pays);
  if (!figures.every((value) => value !== null && Number.isFinite(value))) return null;
  const arrangement = coalitions.find((one) => one.members.join() === draft.members.join())?.arrangement ?? "";
  const flow = seat === "seller" ? figures.reduce((/** @type {number} */ sum, value) => sum + Number(value), 0) : -Number(draft.pays[seat]);
  return own[arrangement] + flow;
}

/**
 * Whether a word may go to one seat alone: it has to be there, and a private deal is between two.
 * @param {Seat} seat
 * @param {Seat[]} members of what is proposed along with it; none where it is just talk
 * @param {Seat[]} present
 */
export const mayHearAlone = (seat, members, present) => present.includes(seat) && (members.length === 0 || (members.length === 2 && members.includes(seat)));
