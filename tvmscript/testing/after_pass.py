"""Base of instruments that compare programs before and after a pass."""

from __future__ import annotations

from abc import abstractmethod

from tvmscript.ir.core.module import IRModule
from tvmscript.ir.transform.context import PassInfo, PassInstrument


class AfterPass(PassInstrument):
    """Looks at what a pass made, where it made anything."""

    def __init__(self) -> None:
        #: what the passes got that have not ended
        self._before: list[IRModule] = []

    @abstractmethod
    def check(self, info: PassInfo, before: IRModule, after: IRModule) -> None:
        """Raise where something is wrong with what the pass made."""

    def run_before_pass(self, mod: IRModule, info: PassInfo) -> None:
        self._before.append(mod)

    def run_failed_pass(self, mod: IRModule, info: PassInfo, error: BaseException) -> None:
        self._before.pop()

    def run_after_pass(self, mod: IRModule, info: PassInfo) -> None:
        before = self._before[-1]
        if mod is not before:
            self.check(info, before, mod)
        # not earlier: where the check raises, the pass has failed
        self._before.pop()
