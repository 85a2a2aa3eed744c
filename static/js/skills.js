/** Progress and practice: the figures of the one, the ruler, the keys and the band of the other. */

import { startDrawings } from "./drawings.js";
import { startFrame } from "./frame.js";
import { startPractice } from "./skills-practice.js";

startFrame();
startDrawings();
startPractice();
document.documentElement.dataset.ready = "true";
