"""Reviews of which only the form is asked about: what pages, progress and practice make of one."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from coaching.analysis.review import judging, report, values
from tests.effort import few

FEWER, FEWER_MORE = 16, 32
"""Opponents that each move of a quick review meets, and those that the best few meet besides."""
WHOLE, WHOLE_MORE = values.SAMPLES, values.MORE_SAMPLES


def look_briefly(patch: pytest.MonkeyPatch) -> None:
    """In the quick profile moves meet few opponents, and ties are left standing: the tests of the analysis prove what the
    rest is good for."""
    for module in (judging, report, values):
        patch.setattr(module, "SAMPLES", few(FEWER, WHOLE))
        patch.setattr(module, "MORE_SAMPLES", few(FEWER_MORE, WHOLE_MORE))
    patch.setattr(judging, "MORE_DRAWS", few(0, judging.MORE_DRAWS))


@pytest.fixture(scope="module", autouse=True)
def brief_reviews() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        look_briefly(patch)
        yield
