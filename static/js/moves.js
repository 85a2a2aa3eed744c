/** The deal move by move. */

import { embedded } from "./dom.js";
import { startReview } from "./review.js";
import { startTheme } from "./toggle.js";

startTheme();
startReview(embedded("debrief"), embedded("scenario"));
document.documentElement.dataset.ready = "true";
