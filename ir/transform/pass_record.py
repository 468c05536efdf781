"""What the passes did, as a tree: which ran, inside of which, what they got and made, how long they took."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass, field

from tvmscript.ir.core.module import IRModule
from tvmscript.ir.transform.context import PassInfo, PassInstrument


@dataclass
class Ran:
    """A pass that ran."""

    info: PassInfo
    before: IRModule
    #: what it made; None where it failed, and while it runs
    after: IRModule | None = None
    #: with the passes inside of it
    seconds: float = 0.0
    #: the passes that ran inside of it
    inside: list[Ran] = field(default_factory=list["Ran"])
    #: what it, or a pass inside of it, raised
    error: BaseException | None = None

    @property
    def changed(self) -> bool:
        """Whether it made another module."""
        return self.after is not None and self.after is not self.before

    @property
    def own_seconds(self) -> float:
        """The time that passes inside of it did not take."""
        return self.seconds - sum(each.seconds for each in self.inside)


class PassRecord(PassInstrument):
    """Keeps what the passes did; put it last among instruments, so that what those do is not measured.

    Iterating gives `(depth, ran)` in the order in which the passes began.
    """

    def __init__(self) -> None:
        #: the passes that nobody ran but the user
        self.passes: list[Ran] = []
        self._open: list[Ran] = []
        self._since: list[float] = []

    def run_before_pass(self, mod: IRModule, info: PassInfo) -> None:
        ran = Ran(info, mod)
        (self._open[-1].inside if self._open else self.passes).append(ran)
        self._open.append(ran)
        self._since.append(time.perf_counter())

    def run_after_pass(self, mod: IRModule, info: PassInfo) -> None:
        self._end().after = mod

    def run_failed_pass(self, mod: IRModule, info: PassInfo, error: BaseException) -> None:
        self._end().error = error

    def _end(self) -> Ran:
        ran = self._open.pop()
        ran.seconds = time.perf_counter() - self._since.pop()
        return ran

    @property
    def seconds(self) -> float:
        """The time of all passes."""
        return sum(each.seconds for each in self.passes)

    def clear(self) -> None:
        """Forget what ran."""
        self.passes = []

    def __iter__(self) -> Iterator[tuple[int, Ran]]:
        yield from _walk(self.passes, 0)

    def __len__(self) -> int:
        return sum(1 for _ in self)


def _walk(passes: list[Ran], depth: int) -> Iterator[tuple[int, Ran]]:
    for each in passes:
        yield depth, each
        yield from _walk(each.inside, depth + 1)
