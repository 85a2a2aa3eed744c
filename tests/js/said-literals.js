/** Finds what a script would show or say without asking gettext: string literals that read like messages. */

import ts from "typescript";

/** Where a string is no message: names of classes, forms, places and events. */
const ATTRIBUTES = new Set(["class", "d", "viewBox", "transform", "style", "id", "role", "type", "method", "behavior", "block", "rootMargin", "cursor"]);
const CALLS = new Set([
  "querySelector",
  "querySelectorAll",
  "closest",
  "matches",
  "byId",
  "getElementById",
  "addEventListener",
  "matchMedia",
  "gettext",
  "ngettext",
  "Error",
  "RegExp",
  "import",
  "setProperty",
  "removeProperty",
  "add",
  "remove",
  "toggle",
  "contains",
]);
const CLASS_CALLS = new Set(["add", "remove", "toggle", "contains"]);

const SELECTOR = /[[\]]/;
const TRANSFORM = /\b(translate|scale|rotate|skew)[XY]?\(/;
const KEYS = new Set(["Enter", "Escape", "ArrowRight", "ArrowLeft", "ArrowUp", "ArrowDown", "Home", "End", "Tab"]);

/** A message has a word that begins a sentence, or several words; `data-state` and `button quiet` are none. */
export function readsLikeAMessage(/** @type {string} */ text) {
  const words = text.trim();
  if (!/\p{L}{2}/u.test(words) || SELECTOR.test(words) || KEYS.has(words)) return false;
  return /^[\p{Lu}“][\p{Ll}’]/u.test(words) || /\s/.test(text);
}

/**
 * @param {string} source of one module
 * @param {string} name
 * @returns {{line: number, text: string}[]}
 */
export function literals(source, name = "module.js") {
  const file = ts.createSourceFile(name, source, ts.ScriptTarget.Latest, true, ts.ScriptKind.JS);
  /** @type {{line: number, text: string}[]} */
  const found = [];
  /** @param {ts.Node} node @param {string[]} said */
  const note = (node, said) => found.push({ line: file.getLineAndCharacterOfPosition(node.getStart(file)).line + 1, text: said.join("…") });
  /** @param {ts.Node} node */
  const walk = (node) => {
    if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) return;
    if (ts.isCallExpression(node) || ts.isNewExpression(node)) {
      const called = node.expression.getText(file).split(".").at(-1) ?? "";
      if (called === "gettext" || called === "ngettext") for (const filling of (node.arguments ?? []).slice(called === "gettext" ? 1 : 3)) within(filling);
      const onList = node.expression.getText(file).includes("classList");
      if (CALLS.has(called) && (!CLASS_CALLS.has(called) || onList)) {
        for (const argument of node.arguments ?? []) if (!text(argument)) walk(argument);
        return;
      }
    }
    if (ts.isPropertyAssignment(node) && ATTRIBUTES.has(node.name.getText(file).replaceAll('"', ""))) return;
    if (ts.isBinaryExpression(node) && node.left.getText(file).endsWith(".className")) return;
    const said = text(node);
    if (said !== null) {
      if (said.some(readsLikeAMessage) && !said.some((part) => TRANSFORM.test(part))) note(node, said);
      if (ts.isTemplateExpression(node)) for (const span of node.templateSpans) walk(span.expression);
      return;
    }
    ts.forEachChild(node, (child) => {
      if (!(ts.isPropertyAssignment(node) && child === node.name)) walk(child);
    });
  };
  /** What fills a message is heard with it: no word of that may be a literal either. @param {ts.Node} node */
  const within = (node) => {
    if (ts.isCallExpression(node)) return;
    if (ts.isStringLiteral(node) && /\p{L}{2}/u.test(node.text) && !ts.isElementAccessExpression(node.parent) && !isCompared(node)) note(node, [node.text]);
    ts.forEachChild(node, within);
  };
  walk(file);
  return found;
}

/** @param {ts.Node} node */
const isCompared = (node) => ts.isBinaryExpression(node.parent) && node.parent.operatorToken.getText().includes("==");

/** The parts of a literal that are words. @param {ts.Node} node @returns {string[] | null} */
function text(node) {
  if (ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node)) return [node.text];
  if (ts.isTemplateExpression(node)) return [node.head.text, ...node.templateSpans.map((span) => span.literal.text)];
  return null;
}
