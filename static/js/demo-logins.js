/** On the sign-in page of a demo: a demo login fills the form and sends it. */

const DEMO_PASSWORD = "parlay-demo";

export function startDemoLogins() {
  const form = /** @type {HTMLFormElement | null} */ (document.getElementById("login-form"));
  if (!form) return;
  for (const button of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("[data-demo-login]"))) {
    button.addEventListener("click", () => {
      const email = /** @type {HTMLInputElement} */ (form.elements.namedItem("login"));
      const password = /** @type {HTMLInputElement} */ (form.elements.namedItem("password"));
      email.value = button.dataset.demoLogin ?? "";
      password.value = DEMO_PASSWORD;
      form.requestSubmit();
    });
  }
}
