/** Where one is when a page has come: at what it is about, so that Tab goes on from there. Whoever is somewhere already stays. */

/** @param {HTMLElement} place that can have the focus */
export function arriveAt(place) {
  if (document.activeElement !== document.body || document.getElementById(location.hash.slice(1))) return;
  // Nobody went there by hand: no ring until a key says where one is.
  place.dataset.arrived = "true";
  const forget = () => delete place.dataset.arrived;
  place.addEventListener("blur", forget, { once: true });
  place.addEventListener("keydown", forget, { once: true });
  place.focus({ preventScroll: true });
}
