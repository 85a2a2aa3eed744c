/** The rep's table where only the price is open: what builds packages is not fetched. */

import { startDealTable } from "./deal-table.js";

startDealTable(null);
