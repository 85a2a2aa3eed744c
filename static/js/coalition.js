/** The pages of a deal for three: its table, for who plays and who watches, and its debrief. */

import { startTable } from "./coalition-table.js";
import { addCore, addProposals, addTheory, drawTriangle } from "./coalition-triangle.js";
import { startWatch } from "./coalition-watch.js";
import { byId, embedded } from "./dom.js";
import { startFrame } from "./frame.js";

/** The same triangle with the truth drawn in. */
function startDebrief() {
  const { seats, seat, debrief } = embedded("bootstrap");
  const board = drawTriangle(seats, seat);
  const { shapley, nucleolus, payoffs, agreement } = debrief.outcome;
  addCore(board, debrief.core);
  addProposals(
    board,
    debrief.proposals.map((/** @type {any} */ row) => ({
      by: row.by,
      gains: row.payoffs,
      standing: false,
      words: `${seats[row.by].short}, round ${row.round}`,
    })),
  );
  addTheory(board, { shapley, nucleolus, payoffs: agreement ? payoffs : null });
  byId("triangle").replaceChildren(board);
  document.documentElement.dataset.ready = "true";
}

startFrame();
if (!document.querySelector("[data-trio]")) startDebrief();
else if (embedded("bootstrap").seat) startTable();
else startWatch();
