/** What is being written, kept in the session so that no error, reload or cut line loses a word. */

/** @typedef {{text: string, offer: string}} Draft */

/** @param {string} gameId */
export function createDraft(gameId) {
  const key = `parlay-draft-${gameId}`;
  return {
    /** @returns {Draft} */
    load() {
      try {
        return { text: "", offer: "", ...JSON.parse(sessionStorage.getItem(key) ?? "{}") };
      } catch {
        return { text: "", offer: "" };
      }
    },
    /** @param {Draft} draft */
    save(draft) {
      try {
        if (draft.text || draft.offer) sessionStorage.setItem(key, JSON.stringify(draft));
        else sessionStorage.removeItem(key);
      } catch {
        // Storage can be forbidden or full: the words are still in the field.
      }
    },
  };
}
