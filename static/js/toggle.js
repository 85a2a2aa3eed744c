/** The theme button. The choice is remembered; theme.js applies it before the first paint of every page. */

export function startTheme() {
  const root = document.documentElement;
  for (const button of document.querySelectorAll("[data-theme-toggle]")) {
    button.addEventListener("click", () => {
      const theme = root.dataset.theme === "light" ? "dark" : "light";
      root.dataset.theme = theme;
      try {
        localStorage.setItem("parlay-theme", theme);
      } catch {
        // Storage can be forbidden: the choice then lasts for this page.
      }
      window.dispatchEvent(new Event("themechange"));
    });
  }
}
