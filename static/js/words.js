/**
 * The messages of the scripts, under gettext's own names, so that its tools find them: `makemessages -d djangojs`. The page brings the
 * catalog of its language; in English there is none, and a message stands for itself.
 */

/** @type {{language: string, catalog: Record<string, string | string[]>}} */
const brought = JSON.parse((typeof document === "undefined" ? null : document.getElementById("messages"))?.textContent ?? "null") ?? {
  language: "en",
  catalog: {},
};
const ORDER = ["zero", "one", "two", "few", "many", "other"];

/** @typedef {Record<string, string | number | null | undefined>} Values */

/**
 * @param {string} message in English, with {names} where values go
 * @param {Values} [values]
 */
export function gettext(message, values) {
  const found = brought.catalog[message];
  return filled(typeof found === "string" ? found : message, values);
}

/**
 * @param {string} one
 * @param {string} many
 * @param {number} count
 * @param {Values} [values] beside {count}
 * @param {typeof brought} [from]
 */
export function ngettext(one, many, count, values, from = brought) {
  const rules = new Intl.PluralRules(from.language);
  const forms = from.catalog[one];
  const order = ORDER.filter((form) => rules.resolvedOptions().pluralCategories.some((each) => each === form));
  const found = Array.isArray(forms) ? (forms[order.indexOf(rules.select(count))] ?? forms.at(-1) ?? many) : count === 1 ? one : many;
  return filled(found, { count, ...values });
}

/** @param {string} message @param {Values} [values] */
function filled(message, values) {
  return values ? message.replaceAll(/\{(\w+)\}/g, (whole, name) => (name in values ? String(values[name]) : whole)) : message;
}
