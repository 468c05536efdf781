"""Errors of schedules: the rule that is broken, and the places in the program where it is.

An error that several families raise is here; one of a single primitive stands in the file of the primitive.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal

from tvmscript.ir.core.errors import IRError
from tvmscript.ir.core.module import IRModule
from tvmscript.ir.core.node import Node

#: How much an error shows: the program with the places underlined; the message alone; that there is an error.
RenderLevel = Literal["detail", "fast", "none"]


class ScheduleError(IRError):
    """Base of errors of primitives; nothing has changed when one is raised.

    `at` are the statements it is about, underlined in the text of the program; `legal` says what would work.
    """

    def __init__(self, *, at: Sequence[Node] = (), legal: str | None = None, **facts: Any) -> None:
        super().__init__(hint=facts.pop("hint", legal), **facts)
        self.at = tuple(at)
        #: the primitive that refused, and the program then; filled in when the error leaves the primitive
        self.primitive: str | None = None
        self.module: IRModule | None = None
        self.level: RenderLevel = "detail"

    def render_alone(self) -> str:
        """The message, below it the program with the places underlined."""
        if self.level == "none":
            return f"error[{self.code}]: {self.primitive or 'the schedule'} cannot be applied"
        text = super().render_alone()
        if self.primitive is not None:
            text = f"{self.primitive}: {text}"
        if self.level == "fast" or self.module is None:
            return text
        return f"{text}\n\n{self.module.script(obj_to_underline=list(self.at), underline_heads=True)}"


class NotSingleResult(ScheduleError):
    """There is no block of this name, or there are several; `legal` lists the names that there are."""

    code = "TS4101"
    message = "{count} blocks are named {name} in {function}"


class UnknownRandomVariable(ScheduleError):
    """A block, a loop or a number of another schedule, or one that is gone: its loop was split, its block inlined."""

    code = "TS4102"
    message = "{what} is not there (any more)"
    advice = "get_block, get_loops and get_child_blocks give what is there now"


class NotSchedulable(ScheduleError):
    """The function cannot be scheduled: its body has to be one block (which a text leaves out: `T.block("root")`)."""

    code = "TS4103"
    message = "the body of {function} is not a block"
    advice = "functions that went through lowering cannot be scheduled"


class RootBlockError(ScheduleError):
    """The primitive does not work on the outermost block of a function: there is nothing around it."""

    code = "TS4104"
    message = "{primitive} does not work on the root block"
    advice = "get_block gives the blocks in it by their names, get_child_blocks all of them"


class NonSingleChildBlockError(ScheduleError):
    """The loop or block has to have one block in it, neither none nor several."""

    code = "TS4159"
    message = "{count} blocks are in {place}; it has to be one"


def listed(names: Mapping[str, Any] | Sequence[str], at_most: int = 12) -> str:
    """Names as a list in a sentence, the first ones of many."""
    names = list(names)
    return ", ".join(names[:at_most]) + (f", ... ({len(names)} in all)" if len(names) > at_most else "")
