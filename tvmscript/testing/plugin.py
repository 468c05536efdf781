"""The pytest plugin: `pytest --tvmscript-roundtrip`, `pytest --tvmscript-update`, and the fixture `roundtrip`.

Without the options nothing but this file is loaded.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable
from typing import Any

import pytest

_OPTION = "--tvmscript-roundtrip"
_UPDATE = "--tvmscript-update"
#: what pytest-xdist calls what a worker hands over at its end
_EDITS = "tvmscript_edits"


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the options."""
    group = parser.getgroup("tvmscript")
    group.addoption(
        _UPDATE,
        action="store_true",
        help="write what came out into the calls of tvmscript.testing.expect that expect something else",
    )
    group.addoption(
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
    if config.getoption(_UPDATE):
        golden: Any = importlib.import_module("tvmscript.testing.golden")
        golden.UPDATES.is_on = True


@pytest.hookimpl(trylast=True)
def pytest_sessionfinish(session: pytest.Session) -> None:
    """Write the expectations into the tests; the workers of pytest-xdist hand theirs over."""
    config: Any = session.config
    if not config.getoption(_UPDATE):
        return
    golden: Any = importlib.import_module("tvmscript.testing.golden")
    if hasattr(config, "workeroutput"):
        config.workeroutput[_EDITS] = [vars(edit) for edit in golden.UPDATES.edits]
        return
    try:
        told = [f"updated {name}" for name in golden.write_edits(golden.UPDATES.edits)]
    except golden.CannotUpdate as error:
        told = [str(error)]
        session.exitstatus = pytest.ExitCode.TESTS_FAILED
    print("\n" + "\n".join(told))


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node: Any, error: object) -> None:
    """A worker of pytest-xdist has ended: what its tests came out with is written with that of the others."""
    golden: Any = importlib.import_module("tvmscript.testing.golden")
    given = getattr(node, "workeroutput", {}).get(_EDITS, ())
    golden.UPDATES.edits += [golden.Edit(**edit) for edit in given]


@pytest.fixture
def roundtrip() -> Callable[..., None]:
    """`tvmscript.testing.roundtrip`: raises unless a program's text reads back to the same program."""
    check: Callable[..., None] = importlib.import_module("tvmscript.testing.round_trip").roundtrip
    return check
