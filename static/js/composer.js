/**
 * Where a move is made: words, a binding offer, a card, a challenge. The words stay in the field until the
 * server has taken them; an error appears beside what caused it.
 */

import { clarify } from "./dialogs.js";
import { byId } from "./dom.js";
import { createDraft } from "./draft.js";
import { formatMoney } from "./money.js";
import { createOfferField } from "./offer-field.js";
import { createUnderstood } from "./understood.js";
import { gettext } from "./words.js";

const MAX_WORDS = 2000;
const NO_FIGURE = gettext("That is not a figure. Write it like 148,000 or 148k.");

/**
 * @typedef {object} ComposerOptions
 * @property {string} gameId
 * @property {import("./money.js").Money} money
 * @property {typeof import("./package-builder.js").createPackageBuilder | null} createBuilder of packages; null where only the price is open
 * @property {(type: string, data: any) => Promise<import("./socket.js").Answer>} send
 * @property {() => any} extras card, claim, belief, challenge and estimate that go with the move
 * @property {() => import("./fold.js").Snapshot} snapshot
 * @property {import("./package.js").Scale} scale what packages are worth to the player
 * @property {any} sheet the player's side of the case, or null
 * @property {() => void} onAccept the words turned out to be an acceptance
 * @property {() => void} onLeave the words turned out to be a farewell
 * @property {(worth: number | null) => void} onDraft what the move that is being written would be worth
 * @property {() => void} onSent
 */

/** @param {ComposerOptions} options */
export function createComposer(options) {
  const { money } = options;
  const form = /** @type {HTMLFormElement} */ (byId("composer"));
  const words = /** @type {HTMLTextAreaElement} */ (byId("utterance"));
  const send = /** @type {HTMLButtonElement} */ (byId("send"));
  const problem = byId("composer-error");
  const draft = createDraft(options.gameId);
  const offer = createOfferField(money, startOfSteps, () => {
    byHand = true;
    changed();
  });
  const understood = createUnderstood({ money, sheet: options.sheet, ask: preview, onRead: take });
  /** Whether the offer field was set, or emptied, by hand: the words then leave it alone. */
  let byHand = false;
  /** Where an error of this field is shown. @type {Record<string, HTMLElement>} */
  const fields = { text: words, offer: offer.input, claim: byId("stated-limit") };
  let sending = false;
  const builder =
    options.createBuilder === null
      ? null
      : options.createBuilder({
          money,
          scale: options.scale,
          seat: options.snapshot().game.seat,
          limit: () => options.snapshot().own.walk_away,
          setPrice(price) {
            byHand = true;
            offer.set(price);
          },
          onChange: changed,
        });

  const kept = draft.load();
  words.value = kept.text;
  offer.text = kept.offer;
  byHand = kept.offer !== "";
  builder?.restore(kept.packages);
  builder?.priced(figureIn());

  /** The figure in the offer field; null also where it can't be read. */
  function figureIn() {
    const figure = offer.value;
    return Number.isNaN(figure) ? null : figure;
  }

  function startOfSteps() {
    const { table, own } = options.snapshot();
    return table?.own_offer ?? table?.standing_offer ?? own?.walk_away ?? money.low;
  }

  function changed() {
    builder?.priced(figureIn());
    draft.save({ text: words.value, offer: offer.text, packages: builder?.kept ?? null });
    if (!problem.hidden) complain("", null);
    show();
  }

  /** Words were written, or taken away. */
  function written() {
    changed();
    understood.read(words.value);
  }

  /**
   * A clear offer in the words goes into the field, unless a figure was put there by hand; with the words it goes again.
   * @param {import("./understood.js").Reading | null} reading
   */
  function take(reading) {
    const proposed = reading?.kind === "offer" && reading.clear ? reading.offer : null;
    if (!byHand && proposed !== figureIn()) offer.set(proposed);
    if (reading && proposed !== null) builder?.named(reading.terms);
    changed();
  }

  /** What will be sent, as it stands. */
  function show() {
    const figure = figureIn();
    const binds = figure === null ? "" : formatMoney(figure, money);
    byId("send-words").textContent = sending ? gettext("Sending") : gettext("Send");
    byId("send-binds").textContent = binds && !sending ? gettext(", binds {binds}", { binds }) : "";
    byId("understood-offer").hidden = figure === null;
    byId("understood-price").textContent = binds;
    byId("understood").hidden = figure === null && byId("echo").hidden && words.value.trim() === "";
    options.onDraft(figure === null ? null : (builder?.worth() ?? figure));
  }

  /** @param {string} text */
  async function preview(text) {
    const answer = await options.send("preview", { text: text.slice(0, MAX_WORDS) });
    return answer.type === "reading" ? answer.data : null;
  }

  /** Show what is wrong, where it is wrong. @param {string} message @param {string | null | undefined} field */
  function complain(message, field) {
    problem.hidden = message === "";
    problem.textContent = message;
    for (const input of Object.values(fields)) input.removeAttribute("aria-invalid");
    const wrong = message && field ? fields[field] : undefined;
    wrong?.setAttribute("aria-invalid", "true");
    if (wrong && wrong !== words) wrong.focus();
  }

  /** @param {boolean} on */
  function busy(on) {
    sending = on;
    refresh();
  }

  function refresh() {
    const waits = sending || options.snapshot().awaiting_reply;
    send.setAttribute("aria-disabled", String(waits));
    show();
  }

  async function submit() {
    if (sending) return;
    if (options.snapshot().awaiting_reply) return complain(gettext("They are still answering. Your words are kept."), null);
    const figure = offer.value;
    if (Number.isNaN(figure)) return complain(NO_FIGURE, "offer");
    if (Number.isNaN(options.extras().claim)) return complain(NO_FIGURE, "claim");
    if (words.value.length > MAX_WORDS) {
      return complain(
        gettext("That is {length} characters. The table takes {MAX_WORDS}; shorten it a little.", { length: words.value.length, MAX_WORDS }),
        "text",
      );
    }
    const problem_ = builder?.problem();
    if (problem_) return complain(problem_, null);
    await act(builder?.bound() ?? { offer: figure }, false);
  }

  /** @param {{offer: number | null}} bound the offer with its terms @param {boolean} confirmed */
  async function act(bound, confirmed) {
    busy(true);
    complain("", null);
    const answer = await options.send("act", { text: words.value.trim(), ...bound, ...options.extras(), confirmed });
    busy(false);
    if (answer.type === "ack") return sent();
    if (answer.type === "error") return complain(answer.data.message, answer.data.field);
    if (answer.type !== "clarify") return;
    const choice = await clarify(answer.data, money, options.snapshot().table?.standing_offer ?? null);
    if (choice.kind === "accept") return options.onAccept();
    if (choice.kind === "leave") return options.onLeave();
    if (choice.kind === "bind") {
      offer.set(choice.offer);
      words.value = withFigure(words.value, answer.data, choice.offer);
      builder?.take(choice.offer, choice.terms ?? answer.data.field_terms);
      return act(builder?.bound() ?? { offer: choice.offer }, true);
    }
    words.focus();
  }

  function sent() {
    words.value = "";
    offer.set(null);
    byHand = false;
    builder?.sent();
    draft.save({ text: "", offer: "", packages: builder?.kept ?? null });
    understood.clear();
    show();
    words.style.removeProperty("height");
    options.onSent();
    words.focus({ preventScroll: true });
  }

  form.addEventListener("submit", (event) => {
    event.preventDefault();
    void submit();
  });
  form.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      void submit();
    } else if (event.key === "Enter" && event.target === offer.input) {
      event.preventDefault();
      void submit();
    }
  });
  words.addEventListener("input", () => {
    words.style.setProperty("height", "auto");
    words.style.setProperty("height", `${Math.min(words.scrollHeight + 2, 160)}px`);
    written();
  });
  fields.claim.addEventListener("input", changed);
  new ResizeObserver(() => document.documentElement.style.setProperty("--composer-height", `${form.offsetHeight}px`)).observe(form);
  if (kept.text) written();

  return {
    complain,
    refresh,
    /** @param {any} table */
    showTable: (table) => builder?.update(table),
    focusTerms: () => builder?.focus(),
    focusWords: () => words.focus(),
    /** Put words into the field, after what is written. @param {string} more */
    say(more) {
      words.value = [words.value.trim(), more].filter(Boolean).join(" ");
      words.dispatchEvent(new Event("input"));
      words.focus();
      words.setSelectionRange(words.value.length, words.value.length);
    },
    /** Put words into the field in place of what is written. @param {string} text */
    sayInstead(text) {
      words.value = text;
      words.dispatchEvent(new Event("input"));
      words.focus();
    },
    /** Put a price into the offer field, as if by hand. @param {number | null} price */
    offer(price) {
      byHand = true;
      offer.set(price);
      changed();
    },
    submit: () => void submit(),
    focusOffer: () => {
      offer.input.focus();
      offer.input.select();
    },
    /** @param {any} table @param {string} opponent */
    showClaim(table, opponent) {
      const open = table?.open_claim ?? null;
      byId("claim").hidden = open === null;
      if (open !== null)
        byId("claim-words").textContent = gettext("{opponent} states a limit of {open}. True, or a bluff?", { opponent, open: formatMoney(open, money) });
      else byId("challenge").setAttribute("aria-pressed", "false");
    },
  };
}

/**
 * The words with the figure that binds in the place of the one they name, where the field was meant: what was said and what
 * was bound are one then, and nobody is marked down for two figures.
 *
 * @param {string} text @param {any} asked the data of the question @param {number | null} bound
 */
function withFigure(text, asked, bound) {
  const { reason, reading, text_offer: said } = asked;
  const span = reading?.span;
  if (!["figure_differs", "unclear_figure"].includes(reason) || bound === null || said === null || bound === said || !span) return text;
  const lead = text.length - text.trimStart().length;
  const [start, stop] = [lead + span[0], lead + span[1]];
  const sign = /^\D*/.exec(text.slice(start, stop))?.[0] ?? "";
  return `${text.slice(0, start)}${sign}${bound.toLocaleString("en-US")}${text.slice(stop)}`;
}
