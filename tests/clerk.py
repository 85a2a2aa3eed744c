"""A process of an installation that runs the Python it is handed, a JSON string to a line, and answers in JSON.

``python -m tests.clerk``, in the environment of the installation; ``Stack.tell`` talks to it.
"""

from __future__ import annotations

import io
import json
import sys
import traceback
from contextlib import redirect_stdout

import django
import pytest


def main() -> None:
    django.setup()
    from tests.reviewing import look_briefly

    look_briefly(pytest.MonkeyPatch())
    for line in sys.stdin:
        printed, error = io.StringIO(), None
        try:
            with redirect_stdout(printed):
                exec(compile(json.loads(line), "<told>", "exec"), {})  # noqa: S102 (a test's own words)
        except Exception:  # noqa: BLE001 (whatever went wrong, the test that asked is told)
            error = traceback.format_exc()
        print(json.dumps({"printed": printed.getvalue(), "error": error}), flush=True)  # noqa: T201


if __name__ == "__main__":
    main()
