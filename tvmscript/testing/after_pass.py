"""Base of instruments that compare programs before and after a pass."""

from __future__ import annotations

from abc import abstractmethod

from tvmscript.ir.core import IRModule
from tvmscript.ir.transform.context import PassInfo, PassInstrument


class AfterPass(PassInstrument):
    """Check the result of each pass that changes the program."""

    def __init__(self) -> None:
        #: the inputs of running passes
        self._before: list[IRModule] = []

    @abstractmethod
    def check(self, info: PassInfo, before: IRModule, after: IRModule) -> None:
        """Raise if the result of the pass is wrong."""

    def run_before_pass(self, mod: IRModule, info: PassInfo) -> None:
        self._before.append(mod)

    def run_failed_pass(self, mod: IRModule, info: PassInfo, error: BaseException) -> None:
        self._before.pop()

    def run_after_pass(self, mod: IRModule, info: PassInfo) -> None:
        before = self._before[-1]
        if mod is not before:
            self.check(info, before, mod)
        # not earlier: if the check raises, `run_failed_pass` pops
        self._before.pop()
