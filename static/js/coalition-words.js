/** What a table for three says of itself: who, what, for how much. */

import { SEATS } from "./coalition-triangle.js";
import { formatMoney } from "./money.js";

/** @typedef {import("./coalition-triangle.js").Seat} Seat */
/** @typedef {{members: Seat[], pays: Partial<Record<Seat, number>>}} Proposal */

/** @param {any} start what the page starts from */
export function createWords(start) {
  /** @param {number} value */
  const figure = (value) => (value < 0 ? `−${formatMoney(-value, start.scenario)}` : formatMoney(value, start.scenario));
  /** @param {Seat} seat */
  const name = (seat) => (seat === start.seat ? "You" : start.seats[seat].short);
  /** The same in the middle of a sentence. @param {Seat} seat */
  const object = (seat) => (seat === start.seat ? "you" : start.seats[seat].short);
  /** @param {Proposal} proposal */
  const pays = (proposal) =>
    SEATS.filter((seat) => proposal.pays[seat] !== undefined)
      .map((seat, i) => `${seat !== start.seat ? `${name(seat)} pays` : i ? "you pay" : "You pay"} ${figure(proposal.pays[seat] ?? 0)}`)
      .join(", ");

  /** @param {Seat[]} members */
  function deal(members) {
    if (members.length === 3) return "All three share the store";
    const buyer = members.filter((member) => member !== "seller");
    const one = buyer[0];
    if (buyer.length === 1) return `${name(one)} ${one === start.seat ? "take" : "takes"} the whole store`;
    if (!buyer.includes(start.seat)) return "The two buyers take the depot";
    return `You and ${start.seats[buyer.find((member) => member !== start.seat) ?? one].short} take the depot`;
  }

  return { figure, name, object, pays, deal };
}

/** @typedef {ReturnType<typeof createWords>} Words */
