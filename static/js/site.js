/** On every page: the theme button; on some: the set-up form and the manager's watch buttons. */

import { startSetup } from "./setup.js";
import { startTheme } from "./toggle.js";
import { startWatchButtons } from "./links.js";

startTheme();
startSetup();
startWatchButtons();
