"""Fixtures of the tests of the package's upper half."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tvmscript.ir.transform import context
from tvmscript.parser import entry


@pytest.fixture
def unobserved() -> Iterator[None]:
    """Nobody looks at programs and passes: for tests that break the printer, also under `--tvmscript-roundtrip`."""
    passes, programs = list(context.GLOBAL_INSTRUMENTS), list(entry.OBSERVERS)
    context.GLOBAL_INSTRUMENTS.clear()
    entry.OBSERVERS.clear()
    yield
    context.GLOBAL_INSTRUMENTS[:] = passes
    entry.OBSERVERS[:] = programs
