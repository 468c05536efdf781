"""Fixtures of the tests of the package's upper half."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tvmscript.ir.transform import base
from tvmscript.parser import entry


@pytest.fixture
def unobserved() -> Iterator[None]:
    """Nobody looks at programs and passes: for tests that break the printer, also under `--tvmscript-roundtrip`."""
    passes, programs = list(base.OBSERVERS), list(entry.OBSERVERS)
    base.OBSERVERS.clear()
    entry.OBSERVERS.clear()
    yield
    base.OBSERVERS[:] = passes
    entry.OBSERVERS[:] = programs
