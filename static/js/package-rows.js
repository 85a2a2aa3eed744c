/** One row for each issue: its options as a group of radio buttons, each with what it is worth to the player. */

import { el } from "./dom.js";
import { signed } from "./package.js";
import { gettext } from "./words.js";

/**
 * @param {HTMLElement} root
 * @param {import("./money.js").Money} money
 * @param {import("./package.js").Scale} scale
 * @param {(issue: string, option: string) => void} onChoose
 */
export function createIssueRows(root, money, scale, onChoose) {
  /** @type {{issue: string, option: string, input: HTMLInputElement, mark: HTMLElement}[]} */
  const choices = [];

  /** @param {import("./package.js").Issue} issue @param {{id: string, label: string}} option */
  function choice(issue, option) {
    const value = signed(scale.optionValue(issue, option.id), money);
    const input = el("input", { type: "radio", name: `terms-${issue.id}`, value: option.id, "data-testid": `term-${issue.id}-${option.id}` });
    const mark = el("span", { class: "theirs" }, "theirs");
    input.addEventListener("change", () => onChoose(issue.id, option.id));
    choices.push({ issue: issue.id, option: option.id, input, mark });
    return el(
      "label",
      { class: "option" },
      input,
      el(
        "span",
        { class: "option-face" },
        el("span", { class: "option-label" }, option.label),
        el(
          "span",
          { class: "option-value" },
          el("span", { class: "visually-hidden" }, ", "),
          value,
          el("span", { class: "visually-hidden" }, gettext(" to you")),
        ),
        mark,
      ),
    );
  }

  root.replaceChildren(
    ...money.issues.map((issue) =>
      el(
        "fieldset",
        { class: "issue" },
        el("legend", {}, issue.title),
        el("div", { class: "options" }, ...issue.options.map((option) => choice(issue, option))),
      ),
    ),
  );
  // Enter in a radio button would send the whole move.
  root.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && !event.ctrlKey && !event.metaKey) event.preventDefault();
  });

  return {
    /**
     * @param {import("./package.js").Terms} terms chosen
     * @param {import("./package.js").Terms | null} theirs in the other side's package
     */
    draw(terms, theirs) {
      for (const { issue, option, input, mark } of choices) {
        input.checked = terms[issue] === option;
        mark.hidden = theirs?.[issue] !== option;
      }
    },
    focus: () => choices.find(({ input }) => input.checked)?.input.focus(),
  };
}
