/** The champion's part of a debrief: fetched once the page is there, and again until the worker has played the deal. */

const FIRST_LOOK_MS = 1500;
const SLOWEST_LOOK_MS = 8000;

export function startChampion() {
  const root = document.getElementById("champion-part");
  if (!root) return;
  let pause = FIRST_LOOK_MS;
  const look = async () => {
    const answer = await fetch(root.dataset.part ?? "", { headers: { Accept: "text/html" }, redirect: "error" }).catch(() => null);
    if (answer?.ok) {
      root.replaceChildren(document.createRange().createContextualFragment(await answer.text()));
      const status = /** @type {HTMLElement | null} */ (root.firstElementChild)?.dataset.status;
      if (status !== "waiting" && status !== "running") return;
    }
    pause = Math.min(SLOWEST_LOOK_MS, pause * 1.5);
    setTimeout(() => void look(), pause);
  };
  void look();
}
