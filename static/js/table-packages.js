/** The rep's table of a deal with terms. */

import { startDealTable } from "./deal-table.js";
import { createPackageBuilder } from "./package-builder.js";

startDealTable(createPackageBuilder);
