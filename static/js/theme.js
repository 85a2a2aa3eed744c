// Loaded before the first paint, as a classic script: choose the theme so that no page flashes.
(function () {
  var stored = null;
  try {
    stored = localStorage.getItem("parlay-theme");
  } catch (error) {
    stored = null; // storage can be forbidden; the system's preference then decides
  }
  var system = matchMedia("(prefers-color-scheme: light)").matches ? "light" : "dark";
  document.documentElement.dataset.theme = stored === "light" || stored === "dark" ? stored : system;
})();
