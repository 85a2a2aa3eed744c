/** The deal move by move. */

import { embedded } from "./dom.js";
import { startFrame } from "./frame.js";
import { startReview } from "./review.js";

startFrame();
startReview(embedded("debrief"), embedded("scenario"));
document.documentElement.dataset.ready = "true";
