"""Checks after every pass: `verify_passes("roundtrip")`, or TVMSCRIPT_VERIFY=roundtrip in the environment."""

from __future__ import annotations

from collections.abc import Callable, Generator
from contextlib import ExitStack, contextmanager
from typing import TypeAlias

from tvmscript.ir.core.errors import TVMScriptError
from tvmscript.ir.core.module import IRModule
from tvmscript.ir.relax.verify import verify as verify_graphs
from tvmscript.ir.tir.verify import verify as verify_kernels
from tvmscript.ir.transform.base import OBSERVERS, Pass
from tvmscript.testing.errors import IllFormedAfterPass, RoundTripError, UnknownCheck
from tvmscript.testing.round_trip import check_round_trip

Observer: TypeAlias = Callable[[Pass, IRModule, IRModule], None]


def round_trip_after(each: Pass, before: IRModule, after: IRModule) -> None:
    """What the pass made of a well-formed program reads back. Raises a `RoundTripError` that names the pass."""
    if after is before:
        return
    try:
        check_round_trip(after, f"what the pass {each.name} made")
    except RoundTripError:
        if is_well_formed(before):
            raise


def verify(program: IRModule) -> None:
    """Raise what is wrong with the functions of a module, those of both levels."""
    verify_kernels(program)
    verify_graphs(program)


def is_well_formed(program: IRModule) -> bool:
    """Whether a program breaks no rule. Nothing is promised for one that does, say, for one that binds a name twice."""
    try:
        verify(program)
    except TVMScriptError:
        return False
    return True


def well_formed_after(each: Pass, before: IRModule, after: IRModule) -> None:
    """What the pass made of a well-formed program is well formed. Raises `IllFormedAfterPass`."""
    if after is before:
        return
    try:
        verify(after)
    except TVMScriptError as error:
        if not is_well_formed(before):
            return
        raise IllFormedAfterPass(name=each.name, reason=error.text, span=error.span, notes=error.notes) from error


#: name -> what is called after every pass
CHECKS: dict[str, Observer] = {
    "roundtrip": round_trip_after,
    "wellformed": well_formed_after,
}


@contextmanager
def verify_passes(*names: str) -> Generator[None, None, None]:
    """Make these checks (`CHECKS`) after every pass that runs inside of the context. Raises `UnknownCheck`."""
    with ExitStack() as checks:
        for observer in [_check(name) for name in names]:
            checks.enter_context(OBSERVERS.observing(observer))
        yield


def install(names: str) -> list[Observer]:
    """Make the checks whose names stand in a text, separated by commas, from now on. Raises `UnknownCheck`."""
    checks = [_check(name.strip()) for name in names.split(",") if name.strip()]
    OBSERVERS.extend(checks)
    return checks


def _check(name: str) -> Observer:
    if name not in CHECKS:
        raise UnknownCheck(name=repr(name), hint=f"the checks are {', '.join(CHECKS)}")
    return CHECKS[name]
