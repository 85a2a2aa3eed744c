/** What is being written, kept in the session so that no error, reload or cut line loses a word. */

/** @typedef {{text: string, offer: string, packages: import("./package-builder.js").Kept | null}} Draft */

/** @param {string} gameId */
export function createDraft(gameId) {
  const key = `parlay-draft-${gameId}`;
  return {
    /** @returns {Draft} */
    load() {
      try {
        return { text: "", offer: "", packages: null, ...JSON.parse(sessionStorage.getItem(key) ?? "{}") };
      } catch {
        return { text: "", offer: "", packages: null };
      }
    },
    /** @param {Draft} draft */
    save(draft) {
      try {
        if (draft.text || draft.offer || draft.packages) sessionStorage.setItem(key, JSON.stringify(draft));
        else sessionStorage.removeItem(key);
      } catch {
        // Storage can be forbidden or full: the words are still in the field.
      }
    },
  };
}
