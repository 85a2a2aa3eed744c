/** Dates in one form on every page, always with their zone: 25 Nov 2026, 08:10 UTC. The same form as the server's. */

/**
 * @param {Date} moment
 * @param {string} [zone] by default that of the machine
 */
export function written(moment, zone) {
  const parts = new Intl.DateTimeFormat("en-US", {
    day: "numeric",
    month: "short",
    year: "numeric",
    hour: "2-digit",
    minute: "2-digit",
    hourCycle: "h23",
    timeZone: zone,
    timeZoneName: "short",
  }).formatToParts(moment);
  const part = (/** @type {string} */ type) => parts.find((each) => each.type === type)?.value ?? "";
  return `${part("day")} ${part("month")} ${part("year")}, ${part("hour")}:${part("minute")} ${part("timeZoneName")}`;
}
