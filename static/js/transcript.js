/**
 * The conversation. A live reply appears word by word within half a second, or as a model says it; assistive
 * technology hears the whole message once, through the one polite live region.
 */

import { byId, el, reducedMotion } from "./dom.js";
import { BEAT, stated } from "./expression.js";
import { formatMoney } from "./money.js";
import { inARow, labelsOf, letter, packagesOf, sameTerms } from "./package.js";
import { gettext } from "./words.js";

const REVEAL_MS = 480;
const WORD_MS = 28;
const TAKEN_MS = 900;
const SPOKEN_WORD_MS = 110;
const SPEAKS_MS = 2600;
const DRAFT_SPEAKS_MS = 420;
const STAND_IN = gettext("The house strategist spoke here, in the model’s place.");

/**
 * @typedef {object} TranscriptOptions
 * @property {import("./money.js").Money} money
 * @property {string} opponent its name
 * @property {string} player how the player is called on this page
 * @property {Record<string, string>} cards titles by id
 * @property {string} they "They’d" or "Dana’d": who would rather have one of the packages
 * @property {(ms: number, after?: number) => void} [speaks] told for how long the opponent speaks, from so many ms on
 * @property {boolean} [wordless] whether the words of this deal were deleted: which of its moves had any, nobody can tell then
 */

/** @param {TranscriptOptions} options */
export function createTranscript(options) {
  const root = byId("transcript");
  const live = byId("live");
  const lines = el("ol", { class: "lines" });
  const typing = el("p", { class: "typing", "aria-hidden": "true" }, el("span"), el("span"), el("span"));
  typing.hidden = true;
  if (options.wordless)
    lines.append(lineOf({ note: gettext("The words of this deal were deleted; what was offered and agreed stays."), kind: "gone", seq: 0 }, options, false));
  root.append(lines, typing);
  keepAtEnd(root, lines);
  const draft = createDraftLine(lines, options.opponent);
  let waiting = false;
  /** @type {Set<number>} */
  const shown = new Set();
  /** @type {{offer: number | null, terms?: any}} */
  let theirLast = { offer: null };

  /** @param {any} entry @param {boolean} fresh */
  function add(entry, fresh) {
    if (shown.has(entry.seq)) return;
    shown.add(entry.seq);
    const held = entry.side === "opponent" && entry.offer === theirLast.offer && sameTerms(entry.terms, theirLast.terms);
    if (entry.side === "opponent") theirLast = entry;
    if (entry.preferred !== null && entry.preferred !== undefined) markPreferred(entry);
    const line = lineOf(entry, options, held);
    const heard = entry.side === "opponent" && draft.speaking;
    if (entry.side === "opponent") draft.clear();
    lines.append(line);
    const words = /** @type {HTMLElement | null} */ (line.querySelector(".words"));
    if (fresh && words && entry.side === "opponent" && !heard) {
      // Who states a limit or a deadline takes a breath after the first word.
      const pause = stated(entry) ? BEAT * 1000 : 0;
      reveal(words, entry.text, pause, () => scroll());
      options.speaks?.(spokenFor(entry.text), pause);
    }
    if (fresh) {
      // What comes with a turn is heard after its words, not in their place.
      if (entry.note === undefined) live.replaceChildren();
      live.append(el("span", {}, `${spoken(entry, options)} `));
      scroll();
    }
  }

  /** Their answer to packages side by side, where the packages stand. @param {any} answer */
  function markPreferred({ turn, preferred }) {
    const laid = lines.querySelector(`.line.you[data-turn="${turn}"] .laid:nth-child(${preferred + 1})`);
    laid?.classList.add("preferred");
    laid?.append(el("span", { class: "rather" }, gettext("{they} rather have this", { they: options.they })));
  }

  /** The last line that is shown: what has no box can't be scrolled to. */
  function newest() {
    const shown = lines.querySelectorAll(":scope > :not([hidden])");
    return shown[shown.length - 1];
  }

  function scroll(/** @type {ScrollBehavior} */ behavior = reducedMotion() ? "auto" : "smooth") {
    if (root.scrollHeight > root.clientHeight + 1) root.scrollTo({ top: root.scrollHeight, behavior });
    else newest()?.scrollIntoView({ block: "end", behavior });
  }

  function showTyping() {
    const on = waiting && !draft.speaking;
    if (typing.hidden === !on) return;
    typing.hidden = !on;
    if (on) scroll();
  }

  return {
    add,
    /** Headlines stand here but for the one that the banner shows. @param {number | null} seq of that one */
    conceal(seq) {
      for (const line of /** @type {NodeListOf<HTMLElement>} */ (lines.querySelectorAll(".line.news"))) line.hidden = line.dataset.seq === String(seq);
    },
    /** At once, for a page that has just come. */
    toEnd: () => scroll("auto"),
    /** @param {boolean} on */
    thinking(on) {
      waiting = on;
      if (!on) draft.clear();
      showTyping();
    },
    /** A reply as far as it has been said; empty when it is taken back. @param {string} text */
    draft(text) {
      draft.say(text);
      if (text) options.speaks?.(DRAFT_SPEAKS_MS);
      showTyping();
      scroll("auto");
    },
    /** Step through the lines from the keyboard. @param {1 | -1} direction */
    step(direction) {
      const all = /** @type {HTMLElement[]} */ ([...lines.querySelectorAll(":scope > .line:not(.draft, [hidden])")]);
      if (all.length === 0) return;
      const at = all.indexOf(/** @type {HTMLElement} */ (document.activeElement));
      const next = at === -1 ? (direction === 1 ? 0 : all.length - 1) : Math.min(all.length - 1, Math.max(0, at + direction));
      all[next].focus();
    },
  };
}

/**
 * The line that is being said, at the end of the others; what is logged takes its place.
 * @param {HTMLElement} lines
 * @param {string} who
 */
function createDraftLine(lines, who) {
  const words = el("p", { class: "words", dir: "auto" });
  const back = el("p", { class: "taken-back" }, gettext("Takes that back."));
  const line = el("li", { class: "line them draft", "aria-hidden": "true", "data-testid": "draft-line" }, el("span", { class: "who" }, who), words, back);
  let timer = 0;
  let next = "";
  /** @param {string} text */
  const show = (text) => {
    words.textContent = text;
    line.classList.remove("taken");
    if (lines.lastElementChild !== line) lines.append(line);
  };
  return {
    /** Whether words stand there now. */
    get speaking() {
      return line.isConnected && !line.classList.contains("taken");
    },
    /** @param {string} text */
    say(text) {
      next = text;
      if (!text && !timer && line.isConnected) {
        line.classList.add("taken");
        // Long enough to be seen: what comes next may be here in the same blink.
        timer = window.setTimeout(() => {
          timer = 0;
          if (next) show(next);
        }, TAKEN_MS);
      }
      if (text && !timer) show(text);
    },
    clear() {
      clearTimeout(timer);
      timer = 0;
      line.remove();
    },
  };
}

/**
 * Whoever was reading the end stays there when a banner, a turned phone or a growing composer takes room away. Where more
 * lies above or below, the edge says so: a line fades there, and is not cut in half.
 * @param {HTMLElement} root
 * @param {HTMLElement} lines
 */
function keepAtEnd(root, lines) {
  let atEnd = true;
  let height = root.clientHeight;
  const edges = () => {
    root.toggleAttribute("data-above", root.scrollTop > 2);
    root.toggleAttribute("data-below", root.scrollHeight - root.scrollTop - root.clientHeight > 2);
  };
  root.addEventListener("scroll", () => {
    if (root.clientHeight === height) atEnd = root.scrollHeight - root.scrollTop - root.clientHeight < 48;
    edges();
  });
  const settle = () => {
    height = root.clientHeight;
    if (atEnd && lines.childElementCount > 0 && root.scrollHeight > height + 1) root.scrollTop = root.scrollHeight;
    edges();
  };
  const observer = new ResizeObserver(settle);
  observer.observe(root);
  observer.observe(lines);
}

/**
 * One entry as a list item.
 * @param {any} entry
 * @param {TranscriptOptions} options
 * @param {boolean} held the offer is the one that already stood
 */
function lineOf(entry, options, held) {
  if (entry.note !== undefined) {
    return el(
      "li",
      { class: `line aside ${entry.kind}`, tabindex: "-1", "data-seq": entry.seq },
      entry.who && el("span", { class: "who" }, entry.who),
      el("p", { class: "words" }, entry.note),
    );
  }
  const yours = entry.side === "player";
  const text = entry.text || quiet(entry, options.wordless);
  return el(
    "li",
    { class: `line ${yours ? "you" : "them"}`, tabindex: "-1", "data-turn": entry.turn, "data-testid": yours ? "player-line" : "opponent-line" },
    el("span", { class: "who" }, yours ? options.player : options.opponent),
    text && el("p", { class: entry.text ? "words" : "words unsaid", dir: "auto" }, text),
    sideBySide(entry, options),
    tags(entry, options, held),
    entry.stand_in && el("p", { class: "stand-in", "data-testid": "stand-in" }, STAND_IN),
  );
}

/** What a move without words looks like. @param {any} entry @param {boolean} [wordless] the words of all moves are gone */
function quiet(entry, wordless = false) {
  if (entry.accept) return gettext("Accepts.");
  if (entry.walk_away) return gettext("Leaves the table.");
  const nothing = entry.side === "player" ? gettext("Silence.") : gettext("Says nothing.");
  return entry.card === "silence" || (entry.offer === null && !wordless) ? nothing : "";
}

/** Several packages, each on a card of its own. @param {any} entry @param {TranscriptOptions} options */
function sideBySide(entry, { money }) {
  const packages = packagesOf(entry);
  if (packages.length < 2) return null;
  const card = (/** @type {import("./package.js").Package} */ { price, terms }, /** @type {number} */ i) =>
    el(
      "li",
      { class: "laid" },
      el("span", { class: "package-letter" }, letter(i)),
      el("span", { class: "figure" }, formatMoney(price, money)),
      el("span", { class: "package-terms" }, labelsOf(money.issues, terms).join(" · ")),
    );
  return el("ol", { class: "side-by-side" }, ...packages.map(card));
}

/** @param {any} entry @param {TranscriptOptions} options @param {boolean} held */
function tags(entry, { money, cards }, held) {
  const found = [];
  const [offer, ...beside] = packagesOf(entry);
  if (offer && beside.length === 0 && !held) {
    found.push(
      el(
        "span",
        { class: "bound" },
        el("span", { class: "visually-hidden" }, gettext("Offer ")),
        el("span", { class: "figure" }, formatMoney(offer.price, money)),
      ),
    );
    const labels = labelsOf(money.issues, offer.terms);
    if (labels.length > 0) found.push(el("span", { class: "bound-terms" }, labels.join(" · ")));
  }
  if (entry.card) found.push(el("span", { class: "tag" }, cards[entry.card] ?? entry.card));
  if (entry.claim !== null && entry.claim !== undefined)
    found.push(el("span", { class: "tag" }, gettext("States a limit of {claim}", { claim: formatMoney(entry.claim, money) })));
  if (entry.challenge) found.push(el("span", { class: "tag" }, gettext("Calls the bluff")));
  if (entry.accept && entry.text) found.push(el("span", { class: "tag" }, gettext("Accepts")));
  if (entry.walk_away && entry.text) found.push(el("span", { class: "tag" }, gettext("Leaves the table")));
  return found.length > 0 && el("p", { class: "tags" }, ...found);
}

/** The whole message in one sentence. @param {any} entry @param {TranscriptOptions} options */
function spoken(entry, options) {
  if (entry.note !== undefined) return `${entry.who}: ${entry.note}`;
  const who = entry.side === "player" ? options.player : options.opponent;
  const offers = packagesOf(entry).map(({ price, terms }) =>
    gettext(" Offer {what}.", {
      what: [formatMoney(price, options.money), inARow(labelsOf(options.money.issues, terms))].filter(Boolean).join(gettext(" with ")),
    }),
  );
  return `${who}: ${entry.text || quiet(entry, options.wordless)}${offers.join("")}${entry.stand_in ? ` ${STAND_IN}` : ""}`;
}

/** How long it takes to say something, in ms; nobody is kept for long. @param {string} text */
const spokenFor = (text) => Math.min(SPEAKS_MS, text.split(/\s+/).length * SPOKEN_WORD_MS);

/**
 * Show the words one after another, all of them within half a second, after a pause on the first.
 * @param {HTMLElement} node
 * @param {string} text
 * @param {number} pause ms
 * @param {() => void} onStep
 */
function reveal(node, text, pause, onStep) {
  const words = text.match(/\S+\s*/g) ?? [];
  if (reducedMotion() || words.length < 2) return;
  const total = Math.min(REVEAL_MS, words.length * WORD_MS);
  const start = performance.now() + pause;
  node.textContent = words[0] ?? "";
  const tick = (/** @type {number} */ now) => {
    const count = Math.min(words.length, 1 + Math.floor(Math.max(0, (now - start) / total) * words.length));
    node.textContent = words.slice(0, count).join("");
    if (count < words.length) requestAnimationFrame(tick);
    else {
      node.textContent = text;
      onStep();
    }
  };
  requestAnimationFrame(tick);
  // A page in the background gets no frames; the words must be there when it is looked at again.
  setTimeout(() => (node.textContent = text), REVEAL_MS + pause + 20);
}
