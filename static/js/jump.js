/** The way to the questions of a debrief: which one is on the screen now. */

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
}
