/** On every page: the theme button; on some: the set-up form, demo logins, the manager's watch buttons and room, the model server, small games. */

import { startDemoLogins } from "./demo-logins.js";
import { startFrame } from "./frame.js";
import { startGames } from "./games.js";
import { startWatchButtons } from "./links.js";
import { startRoom } from "./room.js";
import { startServing } from "./serving.js";
import { startSetup } from "./setup.js";

startFrame();
startSetup();
startDemoLogins();
startWatchButtons();
startRoom();
startServing();
startGames();
