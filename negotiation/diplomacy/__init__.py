"""The Diplomacy table in the browser: a map to click on, press beside it, and a ledger of who kept their word."""
