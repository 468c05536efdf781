"""Operators over dtypes, ranks, extents and symbolic sizes: a sample here, all of them behind the marker fuzz."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.ir.topi.sweep import FILES, check, load

#: the same on every Python
pytestmark = pytest.mark.long

CASES = [(path, name) for path in FILES for name in load(path)]
#: a number that no number of dtypes or of shapes divides
SAMPLE = CASES[::101]


def _name(item: Path | str) -> str:
    return item.stem if isinstance(item, Path) else item


@pytest.mark.parametrize(("path", "name"), SAMPLE, ids=_name)
def test_some(path: Path, name: str) -> None:
    check(load(path)[name])


@pytest.mark.fuzz
@pytest.mark.parametrize("path", FILES, ids=_name)
def test_all(path: Path) -> None:
    failures: dict[str, Any] = {}
    for name, case in load(path).items():
        try:
            check(case)
        except Exception as error:  # noqa: BLE001  # all failures are reported together
            failures[name] = error
    assert failures == {}
