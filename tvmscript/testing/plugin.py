"""The pytest plugin: options that check every program and pass of a run, and the oracles as fixtures.

`--tvmscript-roundtrip`, `--tvmscript-verify CHECKS`, `--tvmscript-update`, `--tvmscript-seed N`. Each function of
`tvmscript.testing.oracles` is a fixture of its name; `roundtrip` is `round_trips`. Without the options and fixtures,
only this module is loaded.
"""

from __future__ import annotations

import functools
import importlib
import inspect
import sys
from collections.abc import Callable
from typing import Any

import pytest

from tvmscript import tvm_names

#: the plugin of tests that were written for TVM
_TARGET_FIXTURES = "tvm.testing.plugin"
_OPTION = "--tvmscript-roundtrip"
_UPDATE = "--tvmscript-update"
_VERIFY = "--tvmscript-verify"
_SEED = "--tvmscript-seed"
#: what pytest-xdist calls what a worker hands over at its end
_EDITS = "tvmscript_edits"


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the options."""
    if tvm_names.is_active():  # before conftest.py names the plugin, which pytest would load by its file
        sys.modules[_TARGET_FIXTURES] = importlib.import_module("tvmscript.testing.target_fixtures")
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
    group.addoption(
        _VERIFY,
        metavar="CHECKS",
        default="",
        help="check what every pass makes: wellformed, roundtrip, values, or several of them with commas between",
    )
    group.addoption(_SEED, metavar="N", type=int, default=0, help="of the arguments that the oracles draw (default 0)")


def pytest_configure(config: pytest.Config) -> None:
    """Make the checks for the whole run, where the option is given."""
    fixtures = sys.modules.get(_TARGET_FIXTURES)
    if fixtures is not None and not config.pluginmanager.is_registered(fixtures):
        config.pluginmanager.register(fixtures, _TARGET_FIXTURES)
    if config.getoption(_OPTION):
        checks: Any = importlib.import_module("tvmscript.testing.round_trip_observer").round_trips_checked()
        checks.__enter__()
        config.add_cleanup(lambda: checks.__exit__(None, None, None))
    names = str(config.getoption(_VERIFY))
    if names:
        verify: Any = importlib.import_module("tvmscript.testing.verify")
        verified: Any = verify.verify_passes(*[name.strip() for name in names.split(",")])
        verified.__enter__()
        config.add_cleanup(lambda: verified.__exit__(None, None, None))
    if config.getoption(_UPDATE):
        golden: Any = importlib.import_module("tvmscript.testing.golden")
        golden.UPDATES.is_on = True


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Pair the values of fixtures that `tvmscript.testing.parameters` made together."""
    groups: dict[int, dict[str, Any]] = {}
    own_fixtures: dict[str, Any] = getattr(metafunc, "_arg2fixturedefs", {})
    for name in metafunc.fixturenames:
        definitions = own_fixtures.get(name)
        group = getattr(definitions[-1].func, "parameter_group", None) if definitions else None
        if group is not None:
            groups.setdefault(group.number, {})[name] = group
    for fixtures in groups.values():
        rows = list(zip(*[group.values for group in fixtures.values()], strict=True))
        ids = next(iter(fixtures.values())).ids
        metafunc.parametrize(list(fixtures), rows, ids=ids, indirect=True)


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
        lines = [f"updated {name}" for name in golden.write_edits(golden.UPDATES.edits)]
    except golden.CannotUpdate as error:
        lines = [str(error)]
        session.exitstatus = pytest.ExitCode.TESTS_FAILED
    print("\n" + "\n".join(lines))


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node: Any, error: object) -> None:
    """A worker of pytest-xdist has ended: what its tests came out with is written with that of the others."""
    golden: Any = importlib.import_module("tvmscript.testing.golden")
    edits = getattr(node, "workeroutput", {}).get(_EDITS, ())
    golden.UPDATES.edits += [golden.Edit(**edit) for edit in edits]


def _oracle(name: str, fixture: str = "") -> Any:
    """A fixture: an oracle that draws its arguments with the seed of the run, unless a test says another one."""

    def oracle(request: pytest.FixtureRequest) -> Callable[..., Any]:
        check: Callable[..., Any] = getattr(importlib.import_module("tvmscript.testing.oracles"), name)
        seed = request.config.getoption(_SEED)
        return functools.partial(check, seed=seed) if "seed" in inspect.signature(check).parameters else check

    oracle.__doc__ = f"`tvmscript.testing.oracles.{name}`."
    return pytest.fixture(name=fixture or name)(oracle)


round_trips = _oracle("round_trips")
roundtrip = _oracle("round_trips", "roundtrip")
well_formed = _oracle("well_formed")
same_values = _oracle("same_values")
pass_keeps = _oracle("pass_keeps")
steps_keep = _oracle("steps_keep")
backends_agree = _oracle("backends_agree")
idempotent = _oracle("idempotent")
commute = _oracle("commute")
input_unchanged = _oracle("input_unchanged")
deterministic = _oracle("deterministic")


@pytest.fixture
def agrees_with_tvm(request: pytest.FixtureRequest) -> Callable[..., None]:
    """`tvmscript.testing.oracles.agrees_with_tvm`; the test is skipped where there is no real TVM."""
    real_tvm: Any = importlib.import_module("tvmscript.testing.oracles.real_tvm")
    errors: Any = importlib.import_module("tvmscript.testing.oracles.errors")
    try:
        real_tvm.python_with_tvm()
    except errors.NoTVM as error:
        pytest.skip(f"{error.text}: {error.hint}")
    return functools.partial(real_tvm.agrees_with_tvm, seed=request.config.getoption(_SEED))
