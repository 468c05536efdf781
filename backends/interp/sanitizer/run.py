"""Run a kernel under the sanitizer."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from tvmscript.backends.interp.function import Program
from tvmscript.backends.interp.sanitizer.errors import AccessLimit, BankConflict, UncoalescedAccess
from tvmscript.backends.interp.sanitizer.observer import Sanitizer, describe
from tvmscript.backends.interp.sanitizer.shadow_memory import Site
from tvmscript.backends.interp.sanitizer.warp_requests import Traffic
from tvmscript.backends.runtime.errors import ExecutionError
from tvmscript.ir.core import IRModule

#: Ratio of cost to ideal from which on an access is noted; rows that are not multiples of 32 bytes are below.
_NOTABLE: Final = 1.5


@dataclass(frozen=True)
class SanitizerReport:
    """The findings of a run."""

    #: what is wrong
    errors: tuple[ExecutionError, ...]
    #: what is slow
    notes: tuple[ExecutionError, ...]
    #: the requests of warps by access
    traffic: dict[Site, Traffic]
    #: blocks of threads that were run
    blocks: int
    #: whether other blocks were left out
    is_partial: bool


def run_sanitized(
    module: IRModule, name: str, args: Sequence[object], *, all_blocks: bool = True, limit: int | None = None
) -> SanitizerReport:
    """Run a function of a module as it is, and report what is wrong with the order of its accesses.

    Without `all_blocks`, the first two and the last iteration of each axis of blocks are run. An error of the program,
    such as an access out of bounds, ends the run, and is among the findings; so does the number of accesses `limit`.
    """
    monitor = Sanitizer(all_blocks=all_blocks, limit=limit)
    function = Program(module, monitor).functions[name]
    errors: list[ExecutionError] = []
    stopped: list[AccessLimit] = []
    try:
        function(*args)
    except AccessLimit as error:
        stopped = [error]
    except ExecutionError as error:
        error.notes.append((None, f"in {describe(monitor.thread)}"))
        errors.append(error)
    return SanitizerReport(
        (*monitor.findings(), *errors),
        (*_cost_notes(monitor.traffic), *stopped),
        monitor.traffic,
        monitor.blocks,
        monitor.is_partial,
    )


def _cost_notes(traffic: dict[Site, Traffic]) -> list[ExecutionError]:
    """Return notes on accesses that cost more than they need."""
    notes: list[ExecutionError] = []
    for site, sums in traffic.items():
        if sums.ratio < _NOTABLE:
            continue
        kind = BankConflict if sums.is_shared else UncoalescedAccess
        notes.append(kind(buffer=sums.buffer, cost=sums.cost, requests=sums.requests, ideal=sums.ideal, span=site.span))
    return notes
