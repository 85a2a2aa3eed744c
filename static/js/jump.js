/** The way to the questions of a debrief: which one is on the screen now, and a menu that closes behind a choice. */

export function startJump() {
  const links = /** @type {HTMLAnchorElement[]} */ ([...document.querySelectorAll(".jump a")]);
  const sections = links.map((link) => document.querySelector(link.hash)).filter((each) => each !== null);
  const seen = new Map();
  const watch = new IntersectionObserver(
    (entries) => {
      for (const entry of entries) seen.set(entry.target.id, entry.isIntersecting);
      const now = sections.find((section) => seen.get(section.id));
      for (const link of links) {
        if (now && link.hash === `#${now.id}`) link.setAttribute("aria-current", "true");
        else link.removeAttribute("aria-current");
      }
    },
    { rootMargin: "-15% 0px -60%" },
  );
  for (const section of sections) watch.observe(section);

  const menu = /** @type {HTMLDetailsElement | null} */ (document.querySelector(".more"));
  menu?.addEventListener("click", (event) => {
    if (/** @type {Element} */ (event.target).closest("a, button")) menu.open = false;
  });
  menu?.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || !menu.open) return;
    menu.open = false;
    menu.querySelector("summary")?.focus();
  });
  document.addEventListener("click", (event) => {
    if (menu?.open && !menu.contains(/** @type {Node} */ (event.target))) menu.open = false;
  });
}
