"""Checks after every pass: `verify_passes("roundtrip")`, or TVMSCRIPT_VERIFY=roundtrip in the environment.

Each is also an instrument for one pass context: `PassContext(instruments=instruments("wellformed, values"))`.
"""

from __future__ import annotations

from collections.abc import Callable, Generator
from contextlib import contextmanager

from tvmscript.ir.core import IRModule, TVMScriptError
from tvmscript.ir.relax.verify import verify as verify_graphs
from tvmscript.ir.tir.verify import verify as verify_kernels
from tvmscript.ir.transform.context import PassInfo, instrument_everywhere
from tvmscript.testing.after_pass import AfterPass
from tvmscript.testing.errors import IllFormedAfterPass, RoundTripError, UnknownCheck
from tvmscript.testing.round_trip import check_round_trip


class RoundTrips(AfterPass):
    """Check that the output of a pass on a well-formed program reads back. Raises `RoundTripError`, naming the pass."""

    def check(self, info: PassInfo, before: IRModule, after: IRModule) -> None:
        try:
            check_round_trip(after, f"what the pass {info.name} made")
        except RoundTripError:
            if is_well_formed(before):
                raise


class WellFormed(AfterPass):
    """Check that the output of a pass on a well-formed program is well-formed. Raises `IllFormedAfterPass`."""

    def check(self, info: PassInfo, before: IRModule, after: IRModule) -> None:
        try:
            verify(after)
        except TVMScriptError as error:
            if not is_well_formed(before):
                return
            raise IllFormedAfterPass(name=info.name, reason=error.text, span=error.span, notes=error.notes) from error


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


def _values() -> AfterPass:
    """The one check that needs NumPy."""
    from tvmscript.testing.same_values import SameValues

    return SameValues()


#: name -> makes what looks at programs after every pass
CHECKS: dict[str, Callable[[], AfterPass]] = {"roundtrip": RoundTrips, "wellformed": WellFormed, "values": _values}


@contextmanager
def verify_passes(*names: str) -> Generator[None, None, None]:
    """Make these checks (`CHECKS`) after every pass that runs inside of the context. Raises `UnknownCheck`."""
    with instrument_everywhere(*[_check(name) for name in names]):
        yield


def instruments(names: str) -> list[AfterPass]:
    """The checks whose names stand in a text, separated by commas. Raises `UnknownCheck`."""
    return [_check(name.strip()) for name in names.split(",") if name.strip()]


def _check(name: str) -> AfterPass:
    if name not in CHECKS:
        raise UnknownCheck(name=repr(name), hint=f"the checks are {', '.join(CHECKS)}")
    return CHECKS[name]()
