/** The data room: the theme button, the figures of a dataset's card. */

import { startFigures } from "./figures.js";
import { startTheme } from "./toggle.js";

const FIGURE_HEIGHT = 280;

startTheme();
startFigures(FIGURE_HEIGHT);
document.documentElement.dataset.ready = "true";
