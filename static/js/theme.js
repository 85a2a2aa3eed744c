// Loaded before the first paint, as a classic script: choose the theme so that no page flashes.
(function () {
  var system = matchMedia("(prefers-color-scheme: light)");
  function chosen() {
    try {
      var stored = localStorage.getItem("parlay-theme");
      return stored === "light" || stored === "dark" ? stored : null;
    } catch (error) {
      return null; // storage can be forbidden; the system's preference then decides
    }
  }
  function apply() {
    document.documentElement.dataset.theme = chosen() || (system.matches ? "light" : "dark");
  }
  apply();
  system.addEventListener("change", apply);
})();
