"""The list of small faults: each can still be put into the code as it is."""

from __future__ import annotations

import pytest

from bench.faults import ROOT, Fault, faults


@pytest.mark.parametrize("fault", faults(), ids=lambda fault: fault.what)
def test_the_line_of_each_fault_stands_once(fault: Fault) -> None:
    assert fault.old != fault.new
    assert (ROOT / fault.file).read_text(encoding="utf-8").count(fault.old) == 1
    assert all((ROOT / place).exists() for place in fault.near)
