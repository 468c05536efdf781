"""Test whether a primitive can be applied: `sch.can.split(loop, [2, None])`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tvmscript.ir.core import closest
from tvmscript.ir.schedule.errors import ScheduleError
from tvmscript.ir.schedule.instruction import InstructionKind
from tvmscript.ir.schedule.recorder import Recorder


class Answer:
    """Whether the primitive can be applied; if not, `error` is the error that it would raise."""

    __slots__ = ("error",)

    def __init__(self, error: ScheduleError | None) -> None:
        self.error = error

    def __bool__(self) -> bool:
        return self.error is None

    def __repr__(self) -> str:
        return "yes" if self.error is None else f"no: {self.error.text}"


class Can:
    """Every primitive of a schedule as a test with the same arguments; nothing is changed or recorded."""

    def __init__(self, schedule: Recorder) -> None:
        self._schedule = schedule

    def __dir__(self) -> list[str]:
        return sorted(kind.method for kind in InstructionKind.registry.values())

    def __getattr__(self, name: str) -> Callable[..., Answer]:
        if name not in dir(self):
            hint = closest(name, dir(self)) or "see grammar_docs/schedule.md"
            raise AttributeError(f"there is no primitive {name}; {hint}")
        method: Callable[..., Any] = getattr(self._schedule, name)

        def test(*args: object, **kwargs: Any) -> Answer:
            return Answer(self._schedule.attempt(name, lambda: method(*args, **kwargs)))

        return test
