/**
 * The package builder: the terms that go with the price in the offer field, and up to two more packages beside it.
 * Packages side by side are always worth the same to the player: whichever is changed, the prices follow.
 */

import { byId } from "./dom.js";
import { formatMoney } from "./money.js";
import { fromLimit, labelsOf, letter, sameTerms, worthInWords } from "./package.js";
import { drawCards } from "./package-cards.js";
import { createIssueRows } from "./package-rows.js";
import { gettext } from "./words.js";

const MOST = 3;

/** @typedef {{price: number | null, terms: import("./package.js").Terms}} Draft a package whose price may be missing */
/** @typedef {{packages: Draft[], active: number, locked: boolean}} Kept */

/**
 * @typedef {object} BuilderOptions
 * @property {import("./money.js").Money} money
 * @property {import("./package.js").Scale} scale
 * @property {"seller" | "buyer"} seat
 * @property {() => number} limit the player's
 * @property {(price: number | null) => void} setPrice writes the offer field
 * @property {() => void} onChange
 */

/** @param {BuilderOptions} options */
export function createPackageBuilder(options) {
  const { money, scale } = options;
  const { issues } = money;
  const keep = /** @type {HTMLInputElement} */ (byId("keep-value"));
  const add = /** @type {HTMLButtonElement} */ (byId("add-package"));
  const match = /** @type {HTMLButtonElement} */ (byId("match-terms"));
  const rows = createIssueRows(byId("package-issues"), money, scale, choose);
  const first = Object.fromEntries(issues.map((issue) => [issue.id, issue.options[0].id]));
  /** @type {Draft[]} */
  let packages = [{ price: null, terms: first }];
  let active = 0;
  /** What the packages are to be worth; null while there is no price. @type {number | null} */
  let target = null;
  /** @type {import("./package.js").Terms | null} */
  let theirs = null;
  let touched = false;

  const now = () => packages[active];
  /** @param {Draft} draft */
  const worthOf = ({ price, terms }) => (price === null ? null : scale.worth({ price, terms }));

  /** The price follows so that the package is worth the target. @param {Draft} draft */
  function solve(draft) {
    draft.price = target === null ? null : scale.priceFor(target, draft.terms);
  }

  /** @param {import("./package.js").Terms} terms */
  function setTerms(terms) {
    touched = true;
    now().terms = terms;
    if (target !== null && (keep.checked || packages.length > 1)) {
      solve(now());
      options.setPrice(now().price);
    } else {
      target = worthOf(now());
    }
    draw();
    options.onChange();
  }

  /** @param {string} issue @param {string} option */
  function choose(issue, option) {
    setTerms({ ...now().terms, [issue]: option });
  }

  /** @param {number} index */
  function activate(index) {
    active = index;
    options.setPrice(now().price);
    draw();
    options.onChange();
  }

  /** @param {number} index */
  function remove(index) {
    packages.splice(index, 1);
    activate(Math.min(active > index ? active - 1 : active, packages.length - 1));
    rows.focus();
  }

  function addPackage() {
    if (target === null || packages.length >= MOST) return;
    touched = true;
    packages.push({ price: now().price, terms: { ...now().terms } });
    activate(packages.length - 1);
    rows.focus();
  }

  function draw() {
    rows.draw(now().terms, theirs);
    const several = packages.length > 1;
    drawCards(byId("package-cards"), packages, active, { money, onPick: activate, onRemove: remove });
    if (several) keep.checked = true;
    keep.disabled = several;
    add.disabled = target === null || packages.length >= MOST;
    add.title = target === null ? gettext("Put a price down first") : "";
    match.disabled = !theirs || sameTerms(theirs, now().terms);
    byId("package-summary").textContent = labelsOf(issues, now().terms).join(" · ");
    drawWorth();
  }

  function drawWorth() {
    const worth = worthOf(now());
    const figure = byId("worth-figure");
    const surplus = worth === null ? 0 : scale.surplus(worth, options.limit());
    const words = worth === null ? gettext("Terms bind only with a price") : fromLimit(surplus, money);
    figure.textContent = worth === null ? "–" : formatMoney(Math.round(worth), money);
    byId("worth-surplus").textContent = words;
    byId("worth").dataset.state = worth === null ? "open" : surplus < 0 ? "beyond" : "within";
    const price = now().price;
    byId("package-total").textContent = price === null ? words : `${formatMoney(price, money)} ${worthInWords(worth ?? 0, money, options.seat)}: ${words}.`;
  }

  /** The terms that the words of this message set. @type {import("./package.js").Terms} */
  let spoken = {};

  keep.addEventListener("change", draw);
  add.addEventListener("click", addPackage);
  match.addEventListener("click", () => {
    if (theirs) setTerms({ ...theirs });
    rows.focus();
  });
  byId("worth-label").textContent = options.seat === "seller" ? gettext("Worth to you") : gettext("Costs you, all told");
  draw();

  return {
    focus: rows.focus,
    /** What the package is worth, null without a price. */
    worth: () => worthOf(now()),
    /** Terms that the words name; each is taken over once, so that a change by hand stands. @param {import("./package.js").Terms} terms */
    named(terms) {
      const fresh = Object.fromEntries(Object.entries(terms).filter(([issue, option]) => spoken[issue] !== option));
      spoken = { ...spoken, ...terms };
      if (packages.length > 1 || sameTerms({ ...now().terms, ...fresh }, now().terms)) return;
      touched = true;
      now().terms = { ...now().terms, ...fresh };
      target = worthOf(now());
      draw();
    },
    /** The figure in the offer field changed. @param {number | null} price */
    priced(price) {
      if (now().price === price) return;
      now().price = price;
      target = worthOf(now());
      for (const other of packages) if (other !== now()) solve(other);
      draw();
    },
    /** @param {any} table the latest closed turn */
    update(table) {
      theirs = table.standing_offer === null ? null : table.standing_terms;
      if (!touched) {
        packages = [{ price: now().price, terms: { ...first, ...table.own_terms } }];
        target = worthOf(now());
      }
      draw();
    },
    /** What goes with a move: nothing while there is no price. */
    bound() {
      const [offer, ...beside] = packages;
      return offer.price === null ? { offer: null } : { offer: offer.price, terms: offer.terms, alternatives: beside };
    },
    /** What keeps the packages from being sent, in words. */
    problem() {
      const twin = packages.findIndex((one, i) => packages.slice(0, i).some((other) => sameTerms(one.terms, other.terms)));
      return twin > 0 ? gettext("Package {twin} has the terms of another one. Change a term, or take it away.", { twin: letter(twin) }) : null;
    },
    /** What the player said should bind. @param {number | null} price @param {import("./package.js").Terms} terms */
    take(price, terms) {
      active = 0;
      packages[0] = { price, terms };
      target = worthOf(packages[0]);
      options.setPrice(price);
      draw();
    },
    /** The move went out. Without a price nothing was bound, so what is being built stays. */
    sent() {
      spoken = {};
      if (packages[0].price === null) return;
      packages = [{ price: null, terms: packages[0].terms }];
      active = 0;
      target = null;
      touched = false;
      keep.checked = false;
      draw();
    },
    /** @returns {Kept | null} what is being built, for the draft */
    get kept() {
      return touched ? { packages, active, locked: keep.checked } : null;
    },
    /** @param {Kept | null} kept */
    restore(kept) {
      const known = kept?.packages.every(({ terms }) => issues.every((issue) => issue.options.some((option) => option.id === terms[issue.id])));
      if (!kept || !known) return;
      ({ packages, active } = kept);
      keep.checked = kept.locked;
      target = worthOf(now());
      touched = true;
      draw();
    },
  };
}
