/** The two moves that end the talks: taking their offer, and walking away. Both ask first. */

import { confirm } from "./dialogs.js";
import { byId } from "./dom.js";
import { formatMoney } from "./money.js";
import { fromLimit, labelOf } from "./package.js";
import { gettext } from "./words.js";

/**
 * @param {object} options
 * @param {import("./money.js").Money} options.money
 * @param {import("./package.js").Scale} options.scale
 * @param {string} options.opponent
 * @param {() => import("./fold.js").Snapshot} options.snapshot
 * @param {(type: string, data: any) => Promise<import("./socket.js").Answer>} options.send
 * @param {(message: string) => void} options.complain
 * @param {boolean} [options.counted] whether the debrief counts the player's share of what there was
 */
export function createEnds({ money, scale, opponent, snapshot, send, complain, counted = true }) {
  async function take() {
    const state = snapshot();
    const { seat } = state.game;
    const standing = state.table?.standing_offer ?? null;
    if (standing === null || state.awaiting_reply || state.outcome) return;
    const terms = state.table.standing_terms;
    const worth = scale.worth({ price: standing, terms });
    const surplus = scale.surplus(worth, state.own.walk_away);
    const sweetened = state.transcript.some((move) => move.card === "sweetener");
    const words = gettext("{lead} {surplus} as it is now{before}. This closes the deal{counted}.", {
      lead: surplus < 0 ? gettext("Careful: that is") : gettext("That is"),
      surplus: fromLimit(surplus, money, surplus < 0),
      before: sweetened ? gettext(", before sweeteners") : "",
      counted: counted
        ? gettext("; the debrief measures your share from your limit at the start{beside}", { beside: sweetened ? gettext(", with sweeteners") : "" })
        : "",
    });
    /** @type {[string, string][]} */
    const list = money.issues.map((issue) => [issue.title, labelOf(issue, terms[issue.id])]);
    if (list.length > 0) list.push([seat === "seller" ? gettext("Worth to you") : gettext("Costs you, all told"), formatMoney(Math.round(worth), money)]);
    const yes = await confirm({
      title: gettext("Accept {opponent}’s offer?", { opponent }),
      figure: formatMoney(standing, money),
      list,
      words,
      go: gettext("Accept and close"),
      danger: surplus < 0,
    });
    if (yes) await finishWith("accept", { offer: standing, terms });
  }

  async function leave() {
    const state = snapshot();
    if (state.awaiting_reply || state.outcome) return;
    const yes = await confirm({
      title: gettext("Walk away?"),
      words: gettext("The talks end here without a deal. You cannot come back to this table."),
      go: gettext("Walk away"),
      danger: true,
    });
    if (yes) await finishWith("walk_away", {});
  }

  /** @param {string} type @param {any} data */
  async function finishWith(type, data) {
    const answer = await send(type, data);
    if (answer.type === "error") complain(answer.data.message);
  }

  byId("accept").addEventListener("click", () => void take());
  byId("walk-away").addEventListener("click", () => void leave());
  return { take, leave };
}
