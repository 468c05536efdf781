"""Asking whether a primitive would work, before it is done: `sch.can.split(loop, [2, None])`."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from tvmscript.ir.core.suggestions import closest
from tvmscript.ir.schedule.errors import ScheduleError
from tvmscript.ir.schedule.instruction import InstructionKind

if TYPE_CHECKING:
    from tvmscript.ir.schedule.recorder import Recorder


class Answer:
    """True if the primitive works; otherwise false, and `error` is what it would raise."""

    __slots__ = ("error",)

    def __init__(self, error: ScheduleError | None) -> None:
        self.error = error

    def __bool__(self) -> bool:
        return self.error is None

    def __repr__(self) -> str:
        return "yes" if self.error is None else f"no: {self.error.text}"


class Can:
    """Every primitive of a schedule as a question with the same arguments; nothing is changed or recorded."""

    def __init__(self, schedule: Recorder) -> None:
        self._schedule = schedule

    def __dir__(self) -> list[str]:
        return sorted(kind.method for kind in InstructionKind.registry.values())

    def __getattr__(self, name: str) -> Callable[..., Answer]:
        if name not in dir(self):
            hint = closest(name, dir(self)) or "see grammar_docs/schedule.md"
            raise AttributeError(f"there is no primitive {name}; {hint}")
        method: Callable[..., Any] = getattr(self._schedule, name)

        def ask(*args: Any, **kwargs: Any) -> Answer:
            return Answer(self._schedule.attempt(name, lambda: method(*args, **kwargs)))

        return ask
