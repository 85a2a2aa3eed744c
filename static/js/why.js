/** Why the opponent answered as it did, beneath its line: for a coach's eyes, from the account in the log. */

import { el } from "./dom.js";
import { formatMoney } from "./money.js";
import { gettext, ngettext } from "./words.js";

/**
 * @typedef {object} Account
 * @property {number} turn
 * @property {"strategic" | "narrated" | "negotiator"} kind
 * @property {string} model
 * @property {boolean} stand_in
 * @property {string} why
 * @property {number} attempts
 * @property {{check: string, why: string, done: string}[]} interventions
 * @property {Record<string, any> | null} decided
 * @property {number} seconds
 * @property {number | null} first_token
 * @property {number} tokens
 */

/**
 * Put the account under the line of its turn. Safe to call again.
 * @param {HTMLElement} transcript
 * @param {Account} account
 * @param {import("./money.js").Money} money
 */
export function explain(transcript, account, money) {
  const line = transcript.querySelector(`.line.them[data-turn="${account.turn}"]:not(.draft)`);
  if (!line || line.querySelector(".why")) return;
  const { interventions: stepped } = account;
  const guard = stepped.length > 0 && el("span", { class: "tag" }, ngettext("Guard stepped in", "Guard stepped in {count} times", stepped.length));
  line.append(
    el(
      "details",
      { class: "why", "data-testid": "why-answer" },
      el("summary", {}, gettext("Why this answer "), guard),
      el("dl", { class: "why-facts" }, ...facts(account, money).map(([term, text]) => el("div", {}, el("dt", {}, term), el("dd", {}, text)))),
      guard && el("ol", { class: "why-guard" }, ...stepped.map(intervention)),
    ),
  );
}

/** @param {{check: string, why: string, done: string}} step */
const intervention = ({ check, why, done }) => el("li", {}, el("strong", {}, `${capital(check)}: `), `${sentence(why)} ${capital(done)}.`);

/** @param {Account} account @param {import("./money.js").Money} money @returns {[string, string][]} */
function facts(account, money) {
  /** @type {[string, string][]} */
  const found = [[gettext("Answered by"), answeredBy(account)]];
  if (account.stand_in && account.why) found.push([gettext("Because"), sentence(account.why)]);
  const decided = Object.entries(account.decided ?? {}).filter(([, value]) => value !== null && value !== false && value !== "");
  if (decided.length > 0) found.push([gettext("Decided"), decided.map(([name, value]) => `${words(name)} ${show(name, value, money)}`).join(", ")]);
  if (account.first_token !== null) found.push([gettext("First words"), seconds(account.first_token)]);
  if (account.seconds > 0)
    found.push([gettext("Whole answer"), `${seconds(account.seconds)}${account.tokens > 0 ? gettext(", {tokens} tokens", { tokens: account.tokens }) : ""}`]);
  if (account.attempts > 1) found.push([gettext("Asked"), gettext("{attempts} times", { attempts: account.attempts })]);
  return found;
}

/** @param {Account} account */
function answeredBy({ kind, model, stand_in: standIn }) {
  if (standIn) return gettext("The house strategist, in place of {model}", { model: model || gettext("the model") });
  if (kind === "narrated") return gettext("The strategist decided; {model} found the words", { model });
  if (kind === "negotiator") return gettext("{model}, a trained model, decided and spoke", { model });
  return gettext("The house strategist");
}

const MONEY = new Set(["offer", "claim", "price"]);
/** @param {string} name @param {any} value @param {import("./money.js").Money} money */
function show(name, value, money) {
  if (typeof value === "number" && MONEY.has(name)) return formatMoney(value, money);
  if (Array.isArray(value)) return value.join(gettext(" and "));
  return typeof value === "object" ? Object.values(value).join(", ") : words(String(value));
}

/** @param {string} name */
const words = (name) => name.replaceAll("_", " ");
/** @param {string} text */
const capital = (text) => words(text).charAt(0).toUpperCase() + words(text).slice(1);
/** @param {string} text */
const sentence = (text) => `${capital(text).replace(/[.\s]+$/, "")}.`;
/** @param {number} count */
const seconds = (count) => (count < 1 ? gettext("{count} ms", { count: Math.round(count * 1000) }) : `${count.toFixed(1)} s`);
