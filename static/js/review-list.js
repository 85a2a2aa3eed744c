/** The deal as a list of its moves, with their words, signs and costs; on a narrow screen a sheet. */

import { byId, el } from "./dom.js";
import { formatMoney } from "./money.js";
import { costs, isFault, roundMoney, verdictOf } from "./review-words.js";
import { gettext } from "./words.js";

/** @typedef {import("./review-words.js").ReviewedMove} ReviewedMove */

/**
 * @param {ReviewedMove[]} moves
 * @param {import("./review-panel.js").Setting} setting
 * @param {(place: number) => void} choose
 */
export function createMoveList(moves, setting, choose) {
  const sheet = byId("review-list");
  const opener = byId("list-open");
  const buttons = moves.map((move, at) => {
    const button = moveButton(move, setting);
    button.addEventListener("click", () => {
      choose(at);
      open(false);
    });
    return button;
  });
  byId("review-moves").replaceChildren(...buttons.map((button) => el("li", {}, button)));
  byId("review-opening").textContent = setting.talk.find((line) => line.side === "opponent" && line.turn === 0)?.text ?? "";

  /** @param {boolean} on */
  function open(on) {
    sheet.classList.toggle("open", on);
    opener.setAttribute("aria-expanded", String(on));
  }
  opener.addEventListener("click", () => {
    open(!sheet.classList.contains("open"));
    /** @type {HTMLElement | null} */ (sheet.querySelector("[aria-current]"))?.focus();
  });
  const shut = () => {
    open(false);
    opener.focus();
  };
  byId("list-close").addEventListener("click", shut);
  sheet.addEventListener("keydown", (event) => {
    if (event.key === "Escape" && sheet.classList.contains("open")) shut();
  });
  return {
    /** @param {number} place */
    show(place) {
      buttons.forEach((button, at) => {
        if (at !== place) button.removeAttribute("aria-current");
        else {
          button.setAttribute("aria-current", "true");
          button.scrollIntoView({ block: "nearest" });
        }
      });
    },
  };
}

/** @param {any} move @param {import("./review-panel.js").Setting} setting */
function moveButton(move, { money, talk, wordless }) {
  const verdict = verdictOf(move.label);
  const own = talk.find((line) => line.side === "player" && line.turn === move.turn);
  const reply = talk.find((line) => line.side === "opponent" && line.turn === move.turn);
  const offer = move.played.offer;
  const did = own?.accept ? gettext("Accepted") : own?.walk_away ? gettext("Walked away") : offer === null ? "" : formatMoney(offer, money);
  const answer = reply?.text || (reply?.offer ? formatMoney(reply.offer, money) : "");
  return el(
    "button",
    { class: `move ${move.label ?? "none"}`, type: "button" },
    el("span", { class: "move-turn" }, el("span", { class: "visually-hidden" }, gettext("Turn ")), String(move.turn)),
    el("span", { class: "move-what" }, own?.text || did || (wordless ? gettext("Words deleted") : gettext("Said nothing"))),
    el(
      "span",
      { class: `verdict-badge ${move.label ?? "none"}` },
      el("span", { class: "sign", "aria-hidden": "true" }, verdict.sign),
      el("span", { class: "visually-hidden" }, verdict.word),
    ),
    el("span", { class: "move-reply" }, answer),
    el("span", { class: "move-cost figure" }, isFault(move.label) && costs(move, money) ? `−${roundMoney(move.cost_money, money)}` : ""),
  );
}
