"""Reviews of which only the form is asked about: what pages, progress and practice make of one."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from coaching.analysis.review import judging
from tests.effort import few


@pytest.fixture(scope="session", autouse=True)
def reviews_of_one_draw() -> Iterator[None]:
    """Ties are left standing in the quick profile: how they are broken is proved by the tests of the analysis."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(judging, "MORE_DRAWS", few(0, judging.MORE_DRAWS))
        yield
