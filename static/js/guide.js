/**
 * The guide of a first deal: one control at a time on the table of every deal, one short voice above it. Leaving it leaves
 * the same deal at the whole table.
 */

import { arriveAt } from "./arrival.js";
import { byId, el } from "./dom.js";
import { beliefOf, endVoice, gaveForNothing, nextStep, STEPS, stepOf, stepWords, surplusOf, voiceOf } from "./guide-steps.js";
import { formatMoney } from "./money.js";
import { gettext } from "./words.js";

const ASKED = ["timeline", "pain", "alternative", "authority"];
const MOST_CHIPS = 3;
const WHAT_STANDS = gettext("What would have to change for you to come further?");

/**
 * @typedef {object} GuideOptions
 * @property {any} start what the page began with
 * @property {import("./money.js").Money} money
 * @property {string} first the first name of who sits across
 * @property {() => any} snapshot
 * @property {(words: string) => void} say puts words into the field
 * @property {(price: number | null) => void} offer puts a price into the field
 * @property {(id: string | null) => void} card chooses a card
 * @property {() => void} send
 * @property {() => void} accept
 * @property {() => void} walkAway
 * @property {(belief: any) => void} believe
 */

/** @param {GuideOptions} options */
export function createGuide(options) {
  const root = byId("guide");
  const { money, first } = options;
  const html = document.documentElement;
  const passedKey = `parlay-guide-read-${options.start.game_id}`;
  let shown = "";
  let ready = false;

  const passed = () => {
    try {
      return sessionStorage.getItem(passedKey) === "yes";
    } catch {
      return false;
    }
  };
  function pass() {
    try {
      sessionStorage.setItem(passedKey, "yes");
    } catch {
      // Where nothing can be kept, the next move carries it.
    }
  }

  /** Show what comes next, where anything has changed. */
  function update() {
    if (!html.dataset.guide) return;
    const state = options.snapshot();
    if (state.awaiting_reply && !state.outcome) return;
    const step = state.outcome ? "end" : stepOf(state, passed());
    const mark = `${step} ${state.last_seq}`;
    if (mark === shown) return;
    shown = mark;
    html.dataset.guide = step;
    delete html.dataset.words;
    const voice = step === "end" ? endVoice(state, money) : voiceOf(step, state, money, first);
    byId("guide-title").textContent = voice.heading;
    byId("guide-words").textContent = voice.words;
    byId("guide-do").replaceChildren(...controls(step, state));
    showPips(step);
    // A reader hears the next step once; on arrival the page speaks for itself.
    if (ready) byId("guide-live").textContent = `${voice.heading} ${voice.words}`;
    const lost = document.activeElement === document.body || document.activeElement?.getClientRects().length === 0;
    if (ready && lost) byId("guide-title").focus({ preventScroll: true });
    if (!ready) arriveAt(byId("guide-title"));
    ready = true;
  }

  /** Where a card or two ways stand in place of the field, the field is one press away. */
  function inWords() {
    html.dataset.words = "on";
    byId("utterance").focus({ preventScroll: true });
  }

  /** @param {string} step */
  function showPips(step) {
    const now = step === "end" ? STEPS.length : STEPS.indexOf(/** @type {any} */ (step));
    for (const [at, pip] of [...byId("pips").children].entries()) {
      pip.classList.toggle("done", at < now);
      if (at === now) pip.setAttribute("aria-current", "step");
      else pip.removeAttribute("aria-current");
    }
  }

  /** @param {string} step @param {any} state @returns {Node[]} */
  function controls(step, state) {
    switch (step) {
      case "ask":
        return [questions()];
      case "card":
        return [oneCard(state)];
      case "read":
        return [band(state)];
      case "close":
        return [ways(state)];
      default:
        return [];
    }
  }

  function questions() {
    const asked = options.start.case?.questions ?? {};
    const chips = ASKED.filter((topic) => asked[topic])
      .slice(0, MOST_CHIPS)
      .map((topic) => button("chip", asked[topic], () => options.say(asked[topic])));
    return el("div", { class: "chips", role: "group", "aria-label": gettext("Questions to ask") }, ...chips);
  }

  /** The one card, as a card. @param {any} state */
  function oneCard(state) {
    const card = options.start.cards.find((/** @type {any} */ each) => each.id === "silence");
    const play = button("primary", gettext("Play {title}", { title: card.title }), () => {
      options.card(card.id);
      options.send();
    });
    const credit = gettext("A card costs credit, how much your word counts: you have {credibility_points}, {title} takes {cost}.", {
      credibility_points: state.table.credibility_points,
      title: card.title,
      cost: card.cost,
    });
    return el(
      "div",
      { class: "play" },
      el(
        "div",
        { class: "pcard", "aria-hidden": "true" },
        el("b", { class: "figure pc-cost" }, String(card.cost)),
        el("span", { class: "pc-title" }, card.title),
        el("span", { class: "pc-does" }, card.does),
      ),
      el(
        "div",
        { class: "play-words" },
        el("p", { class: "soft" }, credit),
        el("div", { class: "go" }, play, button("quiet", gettext("Answer in words"), inWords)),
      ),
    );
  }

  /** Two ends of one band. @param {any} state */
  function band(state) {
    const standing = state.table.standing_offer ?? state.own.walk_away;
    const own = state.table.own_offer ?? standing;
    const [from, to] = [Math.min(standing, own, state.own.walk_away), Math.max(standing, own)];
    const air = Math.max(money.step * 10, (to - from) * 0.5);
    const round = (/** @type {number} */ value) => Math.round(value / money.step) * money.step;
    const range = (/** @type {string} */ label, /** @type {number} */ value) =>
      el("input", { type: "range", min: round(from - air), max: round(to + air), step: money.step, value: round(value), "aria-label": label });
    const middle = (standing + own) / 2;
    const low = range(gettext("{first} stops at least at", { first }), (standing + middle) / 2);
    const high = range(gettext("{first} stops at most at", { first }), (own + middle) / 2);
    const says = el("p", { class: "band-says" });
    const rail = el("i", {});
    const ends = () => ({ at: Math.min(Number(low.value), Number(high.value)), upTo: Math.max(Number(low.value), Number(high.value)) });
    const share = (/** @type {number} */ value) => (100 * (value - Number(low.min))) / (Number(low.max) - Number(low.min));
    const show = () => {
      const { at, upTo } = ends();
      says.replaceChildren(
        gettext("I think it is between "),
        el("b", { class: "figure" }, formatMoney(at, money)),
        gettext(" and "),
        el("b", { class: "figure" }, formatMoney(upTo, money)),
      );
      for (const [input, value] of /** @type {[HTMLInputElement, string][]} */ ([
        [low, low.value],
        [high, high.value],
      ]))
        input.setAttribute("aria-valuetext", formatMoney(Number(value), money));
      rail.style.left = `${share(at)}%`;
      rail.style.right = `${100 - share(upTo)}%`;
      options.believe(beliefOf(at, upTo));
    };
    low.addEventListener("input", show);
    high.addEventListener("input", show);
    const on = () => {
      pass();
      update();
      byId("guide-title").focus({ preventScroll: true });
    };
    const mine = button("primary", gettext("That is my read"), () => {
      const { at, upTo } = ends();
      options.believe(beliefOf(at, upTo));
      on();
    });
    const none = button("quiet", gettext("No idea yet"), () => {
      options.believe(null);
      on();
    });
    queueMicrotask(show);
    return el(
      "div",
      { class: "band" },
      says,
      el("div", { class: "two-range" }, el("span", { class: "rail" }, rail), low, high),
      el("div", { class: "go" }, mine, none),
    );
  }

  /** Sure, or a little more. @param {any} state */
  function ways(state) {
    const surplus = surplusOf(state);
    const next = nextStep(state, money);
    const taken = [];
    if (gaveForNothing(state)) {
      const asked = button("way", "", () => {
        inWords();
        options.say(WHAT_STANDS);
      });
      asked.append(el("span", { class: "way-h" }, gettext("Ask")), el("q", {}, WHAT_STANDS));
      taken.push(asked);
    }
    if (surplus !== null && surplus >= 0)
      taken.push(way(gettext("Accept"), state.table.standing_offer, surplus, gettext("Ends the deal now."), options.accept));
    if (next !== null) {
      const gain = Math.abs(next - state.own.walk_away);
      taken.push(
        way(gettext("One more step"), next, gain, gettext("{first} may say no.", { first }), () => {
          inWords();
          options.offer(next);
          options.say(stepWords(state, formatMoney(next, money)));
        }),
      );
    }
    return el(
      "div",
      {},
      el("div", { class: "two-ways" }, ...taken),
      el("div", { class: "go" }, button("quiet", gettext("In my own words"), inWords), button("quiet", gettext("Walk away"), options.walkAway)),
    );
  }

  /** @param {string} name @param {number} price @param {number} surplus @param {string} note @param {() => void} act */
  function way(name, price, surplus, note, act) {
    const gained = { surplus: formatMoney(surplus, money) };
    const beside =
      options.start.snapshot.game.seat === "seller" ? gettext("{surplus} above your walk-away", gained) : gettext("{surplus} below your walk-away", gained);
    const made = button("way", "", act);
    made.append(
      el("span", { class: "way-h" }, name),
      el("b", { class: "figure" }, formatMoney(price, money)),
      el("span", { class: "way-gain" }, beside),
      el("span", { class: "faint" }, note),
    );
    return made;
  }

  byId("guide-leave").addEventListener("click", () => {
    delete html.dataset.guide;
    const token = /** @type {HTMLInputElement | null} */ (document.querySelector("[name=csrfmiddlewaretoken]"))?.value ?? "";
    void fetch(root.dataset.leave ?? "", { method: "POST", keepalive: true, headers: { "X-CSRFToken": token } }).catch(() => {});
    for (const part of ["guide", "pips", "guide-leave"]) byId(part).remove();
    byId("utterance").focus({ preventScroll: true });
  });
  return { update };
}

/** @param {string} kind @param {string} words @param {() => void} act */
function button(kind, words, act) {
  const made = el("button", { type: "button", class: kind === "way" ? "way" : `button ${kind}` }, words);
  made.addEventListener("click", act);
  return made;
}
