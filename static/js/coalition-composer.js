/** Your turn: what you propose, to whom you say it, in which words. What you would gain is reckoned as you type. */

import { isDepot, leftTo, mayHearAlone, restOfDepot } from "./coalition-reckoning.js";
import { byId, el } from "./dom.js";
import { formatMoney, parseMoney } from "./money.js";

/** @typedef {import("./coalition-triangle.js").Seat} Seat */

/**
 * @param {any} start
 * @param {import("./coalition-words.js").Words} words
 * @param {(turn: any) => void} take
 */
export function createComposer(start, words, take) {
  const form = /** @type {HTMLFormElement} */ (byId("turn"));
  const pays = byId("pays");
  const gain = byId("turn-gain");
  const error = byId("turn-error");
  const text = /** @type {HTMLTextAreaElement} */ (byId("words"));
  const send = /** @type {HTMLButtonElement} */ (byId("send"));
  const own = start.frames.find((/** @type {any} */ frame) => frame.type === "started").data.own;
  const { depot_cost: depotCost } = start.scenario;
  /** @type {Seat[]} */
  const others = Object.keys(start.seats)
    .filter((seat) => seat !== start.seat)
    .map((seat) => /** @type {Seat} */ (seat));
  /** @type {Seat[]} */
  let present = [start.seat, ...others];

  /** @returns {Seat[]} */
  const members = () =>
    /** @type {Seat[]} */ (
      String(new FormData(form).get("coalition") ?? "")
        .split("+")
        .filter(Boolean)
    );
  const addressee = () => String(new FormData(form).get("to") ?? "") || null;
  /** @returns {HTMLInputElement[]} */
  const fields = () => [...pays.querySelectorAll("input")];

  function drawPays() {
    const buyers = members().filter((seat) => seat !== "seller");
    pays.replaceChildren(
      ...buyers.map((seat) =>
        el(
          "div",
          { class: "field" },
          el("label", { for: `pay-${seat}` }, `${words.name(seat)} ${seat === start.seat ? "pay" : "pays"}`),
          el("input", {
            class: "input figure",
            id: `pay-${seat}`,
            type: "text",
            inputmode: "decimal",
            "data-seat": seat,
            "data-testid": `pay-${seat}`,
            placeholder: `${start.scenario.currency}…`,
            "aria-describedby": "turn-gain turn-error",
          }),
        ),
      ),
    );
    pays.hidden = buyers.length === 0;
  }

  /** In the depot what one does not pay, the other does. @param {HTMLInputElement} typed */
  function balance(typed) {
    const other = fields().find((field) => field !== typed);
    const rest = restOfDepot(parseMoney(typed.value), depotCost);
    if (isDepot(members()) && other && rest !== null) other.value = formatMoney(rest, start.scenario);
  }

  function proposal() {
    const chosen = members();
    if (!chosen.length) return null;
    return { members: chosen, pays: Object.fromEntries(fields().map((field) => [field.dataset.seat, parseMoney(field.value)])) };
  }

  function reckon() {
    const made = proposal();
    const left = made && leftTo(made, start.seat, start.coalitions, own);
    gain.hidden = left === null;
    if (left !== null) {
      gain.textContent = left < 0 ? `This costs you ${words.figure(-left)}.` : `This leaves you ${words.figure(left)}.`;
      gain.classList.toggle("none", left < 0);
    }
    send.textContent = made ? "Propose it" : "Say it";
  }

  /** A private word is for one; a private deal is between two. */
  function constrain() {
    const chosen = members();
    for (const input of form.querySelectorAll("input[name=to]")) {
      const { value } = /** @type {HTMLInputElement} */ (input);
      const barred = value !== "" && !mayHearAlone(/** @type {Seat} */ (value), chosen, present);
      /** @type {HTMLInputElement} */ (input).disabled = barred;
      if (barred && /** @type {HTMLInputElement} */ (input).checked) /** @type {HTMLInputElement} */ (form.querySelector("input[name=to]")).checked = true;
    }
    for (const input of form.querySelectorAll("input[name=coalition]")) {
      const seats = /** @type {Seat[]} */ (/** @type {HTMLInputElement} */ (input).value.split("+").filter(Boolean));
      /** @type {HTMLInputElement} */ (input).disabled = !seats.every((seat) => present.includes(seat));
    }
  }

  /** @param {string} message @param {string | null} [field] */
  function refuse(message, field) {
    error.textContent = message;
    error.hidden = message === "";
    for (const input of fields()) input.removeAttribute("aria-invalid");
    const wrong = field?.startsWith("pays.") ? document.getElementById(`pay-${field.slice(5)}`) : null;
    wrong?.setAttribute("aria-invalid", "true");
    wrong?.focus();
  }

  form.addEventListener("input", (event) => {
    const target = /** @type {HTMLInputElement} */ (event.target);
    if (target.name === "coalition") drawPays();
    if (target.dataset.seat) balance(target);
    constrain();
    reckon();
  });
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const made = proposal();
    const empty = made ? fields().find((field) => !Number.isFinite(parseMoney(field.value) ?? Number.NaN)) : undefined;
    if (empty) refuse("Say what each buyer pays.", `pays.${empty.dataset.seat}`);
    else take({ text: text.value, to: addressee(), proposal: made });
  });
  text.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) form.requestSubmit();
  });
  byId("leave").addEventListener("click", (event) => {
    event.preventDefault();
    take({ text: text.value, to: null, walk_away: true });
  });

  return {
    refuse,
    words: () => text.value,
    /** A turn was taken: begin the next with empty hands. */
    clear() {
      form.reset();
      drawPays();
      constrain();
      reckon();
      refuse("");
    },
    /** @param {boolean} busy */
    wait(busy) {
      form.setAttribute("aria-busy", String(busy));
      for (const button of form.querySelectorAll("button")) button.disabled = busy;
    },
    /** @param {Seat[]} seats who is still at the table */
    seat(seats) {
      present = seats;
      constrain();
    },
    hide() {
      form.hidden = true;
    },
  };
}
