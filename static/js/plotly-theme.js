/** Plotly in the clothes of the house: roles of the figures mapped to the theme's custom properties. */

/** Custom property and line form by role; form as well as colour tells lines apart. */
const ROLES = /** @type {Record<string, {colour: string, dash?: string, symbol?: string}>} */ ({
  own: { colour: "--brass", symbol: "circle" },
  theirs: { colour: "--them", symbol: "square" },
  "own-limit": { colour: "--brass", dash: "dot" },
  "their-limit": { colour: "--them", dash: "dot" },
  agreed: { colour: "--sage", symbol: "diamond" },
  reference: { colour: "--ink-faint", dash: "dash" },
  tension: { colour: "--scarlet", symbol: "circle" },
  zone: { colour: "--gold", dash: "dash" },
});

const TERMS = ["--brass", "--them", "--scarlet", "--amber", "--sage", "--ink-faint", "--gold"];

/** @param {string} name */
const property = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

/**
 * @param {any[]} data
 * @returns {any[]}
 */
export function dressData(data) {
  let bars = 0;
  return data.map((trace) => {
    const role = ROLES[trace.meta?.role];
    const colour = property(role?.colour ?? TERMS[bars++ % TERMS.length]);
    const line = { ...trace.line, color: colour, width: 2, ...(role?.dash ? { dash: role.dash } : {}) };
    const marker = { size: 8, ...trace.marker, color: colour, ...(role?.symbol ? { symbol: role.symbol } : {}) };
    return trace.type === "bar" ? { ...trace, marker: { color: colour } } : { ...trace, line, marker };
  });
}

/** @param {any} layout */
export function dressLayout(layout) {
  const ink = property("--ink-soft");
  const axis = { gridcolor: property("--line"), zerolinecolor: property("--line-firm"), linecolor: property("--line"), automargin: true };
  return {
    ...layout,
    xaxis: { ...axis, ...layout.xaxis },
    yaxis: { ...axis, ...layout.yaxis },
    paper_bgcolor: "rgba(0,0,0,0)",
    plot_bgcolor: "rgba(0,0,0,0)",
    font: { family: property("--sans"), size: 13, color: ink },
    legend: { orientation: "h", x: 0, y: 1.02, yanchor: "bottom" },
    hoverlabel: { bgcolor: property("--raised"), bordercolor: property("--line-firm"), font: { color: property("--ink") } },
    margin: { l: 8, r: 8, t: 24, b: 8 },
    height: 380,
    showlegend: true,
  };
}
