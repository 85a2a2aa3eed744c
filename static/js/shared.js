/** A shared deal: its offers on the ruler, with the truth where that was shared. */

import { byId, embedded } from "./dom.js";
import { showLocalTimes } from "./room.js";
import { createRuler } from "./ruler.js";
import { startTheme } from "./toggle.js";

const drawn = embedded("drawn");
startTheme();
showLocalTimes(document);
createRuler(byId("ruler"), embedded("scenario")).update({ limit: null, estimate: null, ...drawn });
document.documentElement.dataset.ready = "true";
