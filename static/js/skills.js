/** Progress and practice: the figures of the one, the ruler, the keys and the band of the other. */

import { startFigures } from "./figures.js";
import { startPractice } from "./skills-practice.js";
import { startTheme } from "./toggle.js";

const FIGURE_HEIGHT = 300;

startTheme();
startFigures({ height: FIGURE_HEIGHT });
startPractice();
document.documentElement.dataset.ready = "true";
