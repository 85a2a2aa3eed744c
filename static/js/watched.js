/** Who has seen the truth of a game that is on, told to all who play it: at the deal table and on the board. */

import { gettext } from "./words.js";

/** @param {{by: string, maker?: string}} view "" for somebody who was not signed in */
export function nameOf({ by, maker }) {
  if (by) return by;
  return maker ? gettext("somebody by a link that {maker} made", { maker }) : gettext("somebody who was not signed in");
}

/**
 * Say it on the page's banner, each name once; nothing while nobody looked.
 * @param {{by: string, maker?: string}[]} views
 */
export function showWatched(views) {
  const banner = document.getElementById("watched");
  const words = wordsOf(views);
  if (!banner || !words || banner.textContent === words) return;
  banner.textContent = words;
  banner.hidden = false;
}

/** The board tells names alone. @param {string[]} names */
export const namesOnly = (names) => names.map((by) => ({ by }));

/** @param {{by: string, maker?: string}[]} views */
export function wordsOf(views) {
  const names = [...new Set(views.map(nameOf))];
  return names.length ? gettext("Opened with a link that shows everything: {names}. This game counts as played with help.", { names: names.join(", ") }) : "";
}
