"""The pytest plugin: `pytest --tvmscript-roundtrip`, and the fixture `roundtrip`.

Without the option nothing but this file is loaded.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable
from typing import Any

import pytest

_OPTION = "--tvmscript-roundtrip"


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the option."""
    parser.getgroup("tvmscript").addoption(
        _OPTION,
        action="store_true",
        help="check that every program which is read, and the result of every pass, prints as text that reads back",
    )


def pytest_configure(config: pytest.Config) -> None:
    """Make the checks for the whole run, where the option is given."""
    if config.getoption(_OPTION):
        checks: Any = importlib.import_module("tvmscript.testing.everywhere").round_trips_checked()
        checks.__enter__()
        config.add_cleanup(lambda: checks.__exit__(None, None, None))


@pytest.fixture
def roundtrip() -> Callable[..., None]:
    """`tvmscript.testing.roundtrip`: raises unless a program's text reads back to the same program."""
    check: Callable[..., None] = importlib.import_module("tvmscript.testing.round_trip").roundtrip
    return check
