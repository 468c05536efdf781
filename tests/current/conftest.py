"""What the tests of this folder share."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.current.client import PYTHON, CurrentTVM


@pytest.fixture(scope="session")
def current() -> Iterator[CurrentTVM]:
    """Real TVM 0.27; the tests are skipped where it is not installed."""
    if not PYTHON.exists():
        pytest.skip(f"no apache-tvm 0.27: {PYTHON} is not there (TVMSCRIPT_TVM27 says where it is)")
    with CurrentTVM() as tvm:
        yield tvm
