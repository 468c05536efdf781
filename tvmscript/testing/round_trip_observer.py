"""Check the round trip of every program that the parser reads or a pass returns."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager

from tvmscript.parser.entry import OBSERVERS
from tvmscript.parser.programs import Program
from tvmscript.testing.round_trip import check_round_trip
from tvmscript.testing.verify import verify_passes


@contextmanager
def round_trips_checked() -> Generator[None, None, None]:
    """Inside of the context, every well-formed program that is read must read back, and what every pass makes of it."""
    with verify_passes("roundtrip"), OBSERVERS.observing(_read):
        yield


def _read(program: Program) -> None:
    check_round_trip(program, "the program that was read")
