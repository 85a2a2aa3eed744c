/** Progress and practice: the figures of the one, the ruler, the keys and the band of the other. */

import { startPlots } from "./skills-plots.js";
import { startPractice } from "./skills-practice.js";
import { startTheme } from "./toggle.js";

startTheme();
startPlots();
startPractice();
document.documentElement.dataset.ready = "true";
