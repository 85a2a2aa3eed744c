/** Waits for the worker's review, and says how far it is, once a change. */

import { byId } from "./dom.js";
import { gettext } from "./words.js";

const FIRST_LOOK_MS = 400;
const SLOWEST_LOOK_MS = 5000;

/**
 * @param {HTMLElement} root with `data-url` to look at and `data-again` to ask once more
 * @param {(review: any) => void} onDone
 */
export function awaitReview(root, onDone) {
  const again = /** @type {HTMLButtonElement} */ (byId("review-again"));
  let pause = FIRST_LOOK_MS;

  async function look() {
    try {
      const response = await fetch(root.dataset.url ?? "", { headers: { Accept: "application/json" }, redirect: "error" });
      if (!response.ok) throw new Error(String(response.status));
      const state = await response.json();
      if (state.status === "done") {
        onDone(state.review);
        return;
      }
      if (tell(state)) return;
    } catch {
      byId("review-state").textContent = gettext("Out of touch with the server. Trying again.");
    }
    pause = Math.min(SLOWEST_LOOK_MS, pause * 1.5);
    setTimeout(() => void look(), pause);
  }

  /** Say how far it is; true when there is nothing to wait for. @param {{status: string, done: number, total: number}} state */
  function tell({ status, done, total }) {
    const over = status === "none" || status === "failed";
    const progress = /** @type {HTMLProgressElement} */ (byId("review-progress"));
    progress.hidden = over;
    again.hidden = status !== "failed";
    if (status === "running") {
      progress.max = Math.max(1, total);
      progress.value = done;
    } else progress.removeAttribute("value");
    const words = {
      none: gettext("There is nothing to review: this deal has no moves, or its words were deleted."),
      failed: gettext("The review did not come through."),
      running: gettext("Reviewing move {done} of {total}", { done: Math.min(done + 1, total), total }),
    }[status];
    const next = words ?? gettext("The review will begin in a moment");
    if (byId("review-state").textContent !== next) byId("review-state").textContent = next;
    return over;
  }

  again.addEventListener("click", async () => {
    again.hidden = true;
    await send(root.dataset.again ?? "", {}).catch(() => {});
    pause = FIRST_LOOK_MS;
    void look();
  });
  void look();
}

/**
 * Send a form's fields by script.
 * @param {string} url @param {Record<string, string>} fields
 */
export async function send(url, fields) {
  const token = /** @type {HTMLInputElement | null} */ (document.querySelector("[name=csrfmiddlewaretoken]"))?.value ?? "";
  const response = await fetch(url, {
    method: "POST",
    headers: { "X-CSRFToken": token, "Content-Type": "application/x-www-form-urlencoded", Accept: "application/json" },
    body: new URLSearchParams(fields),
  });
  const answer = await response.json().catch(() => ({}));
  if (!response.ok) throw new Error(answer.message ?? gettext("That did not work. Try again in a moment."));
  return answer;
}
