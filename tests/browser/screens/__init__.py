"""Every page and case as a picture, to be looked at beside the drawings: ``python -m tests.browser.screens FOLDER``."""
