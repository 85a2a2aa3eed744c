/** Packages side by side while they are being built: one of them is edited, the others can be picked or taken away. */

import { el } from "./dom.js";
import { formatMoney } from "./money.js";
import { labelsOf, letter } from "./package.js";
import { gettext } from "./words.js";

/**
 * @param {HTMLElement} root
 * @param {import("./package-builder.js").Draft[]} packages
 * @param {number} active
 * @param {{money: import("./money.js").Money, onPick: (index: number) => void, onRemove: (index: number) => void}} options
 */
export function drawCards(root, packages, active, { money, onPick, onRemove }) {
  const focused = /** @type {HTMLElement | null} */ (document.activeElement)?.dataset.pick;
  root.hidden = packages.length < 2;
  root.replaceChildren(
    ...(root.hidden ? [] : packages).map(({ price, terms }, index) => {
      const pick = el(
        "button",
        { type: "button", class: "package-card", "aria-pressed": String(index === active), "data-pick": index, "data-testid": `package-${letter(index)}` },
        el("span", { class: "package-letter" }, letter(index)),
        el("span", { class: "figure" }, price === null ? gettext("No price") : formatMoney(price, money)),
        el("span", { class: "package-terms" }, labelsOf(money.issues, terms).join(" · ")),
      );
      const away = el("button", { type: "button", class: "package-away", "aria-label": gettext("Take package {index} away", { index: letter(index) }) }, "×");
      pick.addEventListener("click", () => onPick(index));
      away.addEventListener("click", () => onRemove(index));
      return el("div", { class: "package-slot" }, pick, away);
    }),
  );
  if (focused !== undefined) /** @type {HTMLElement | null} */ (root.querySelector(`[data-pick="${focused}"]`))?.focus();
}
