/** Progress and practice: the figures of the one, the ruler, the keys and the band of the other. */

import { startDrawings } from "./drawings.js";
import { startPractice } from "./skills-practice.js";
import { startTheme } from "./toggle.js";

startTheme();
startDrawings();
startPractice();
document.documentElement.dataset.ready = "true";
