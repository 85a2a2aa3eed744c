/** Plotly in the clothes of the house: roles of the figures mapped to the theme's custom properties. */

/** Custom property and line form by role; form as well as colour tells lines apart. */
const ROLES = /** @type {Record<string, {colour: string, dash?: string, symbol?: string}>} */ ({
  own: { colour: "--brass", symbol: "circle" },
  theirs: { colour: "--them", symbol: "square" },
  "own-limit": { colour: "--brass", dash: "dot" },
  "their-limit": { colour: "--them", dash: "dashdot" },
  agreed: { colour: "--sage", symbol: "diamond" },
  reference: { colour: "--ink-faint", dash: "dash" },
  tension: { colour: "--scarlet", symbol: "circle" },
  zone: { colour: "--gold", dash: "dash" },
  outcome: { colour: "--ink-faint" },
  frontier: { colour: "--ink-soft" },
  solution: { colour: "--ink" },
});

const TERMS = ["--brass", "--them", "--scarlet", "--amber", "--sage", "--ink-faint", "--gold"];

/** A custom property as a colour that Plotly can read; in forced colours it may name one of the system's. @param {string} name */
function colour(name) {
  const probe = document.createElement("span");
  probe.style.setProperty("forced-color-adjust", "none");
  probe.style.setProperty("color", `var(${name})`);
  document.body.append(probe);
  const found = getComputedStyle(probe).color;
  probe.remove();
  return found;
}

/**
 * @param {any[]} data
 * @returns {any[]}
 */
export function dressData(data) {
  let bars = 0;
  return data.map((trace) => {
    if (trace.meta?.role === "signed") {
      const signs = trace.x.map((/** @type {number} */ value) => colour(value < 0 ? "--scarlet" : "--sage"));
      return { ...trace, marker: { color: signs } };
    }
    const role = ROLES[trace.meta?.role];
    const shade = colour(role?.colour ?? TERMS[bars++ % TERMS.length]);
    const line = { ...trace.line, color: shade, width: 2.5, ...(role?.dash ? { dash: role.dash } : {}) };
    const marker = { size: 9, ...(role?.symbol ? { symbol: role.symbol } : {}), ...trace.marker, color: shade };
    return trace.type === "bar" ? { ...trace, marker: { color: shade } } : { ...trace, line, marker };
  });
}

/**
 * @param {any} layout
 * @param {number} width of the figure, as it will be drawn
 */
export function dressLayout(layout, width) {
  const axis = { gridcolor: colour("--line"), zerolinecolor: colour("--line-firm"), linecolor: colour("--line"), automargin: true };
  return {
    showlegend: true,
    bargap: 0.35,
    height: 340,
    ...layout,
    xaxis: { ...axis, ...layout.xaxis },
    yaxis: { ...axis, ...layout.yaxis },
    paper_bgcolor: "rgba(0,0,0,0)",
    plot_bgcolor: "rgba(0,0,0,0)",
    font: { family: getComputedStyle(document.documentElement).getPropertyValue("--sans"), size: width < 480 ? 12 : 14, color: colour("--ink-soft") },
    legend: { orientation: "h", x: 0, y: 1.02, yanchor: "bottom" },
    hoverlabel: { bgcolor: colour("--raised"), bordercolor: colour("--line-firm"), font: { color: colour("--ink") } },
    margin: { l: 8, r: 8, t: 24, b: 8 },
    width,
  };
}
