"""A pytest plugin, ``-p tests.unskipped``: whatever would skip fails.

For a suite that is run because what it needs is there; without this a missing package would look like success.
"""

from __future__ import annotations

from collections.abc import Generator

import pytest


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report(
    collector: pytest.Collector,
) -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
    """A module that skips itself while it is read."""
    report = yield
    if report.skipped:
        _fail(report)
    return report


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """A test, its marks or its fixtures that skip."""
    report = yield
    if report.skipped and not hasattr(report, "wasxfail"):
        _fail(report)
    return report


def _fail(report: pytest.CollectReport | pytest.TestReport) -> None:
    reason = report.longrepr[2] if isinstance(report.longrepr, tuple) else report.longreprtext
    report.outcome = "failed"
    report.longrepr = f"Nothing may skip here. {reason}"
