// Loaded before the first paint, as a classic script: choose the theme so that no page flashes.
(() => {
  const system = matchMedia("(prefers-color-scheme: light)");
  function chosen() {
    try {
      const stored = localStorage.getItem("parlay-theme");
      return stored === "light" || stored === "dark" ? stored : null;
    } catch {
      return null; // storage can be forbidden; the system's preference then decides
    }
  }
  function apply() {
    document.documentElement.dataset.theme = chosen() || (system.matches ? "light" : "dark");
  }
  apply();
  system.addEventListener("change", apply);
})();
