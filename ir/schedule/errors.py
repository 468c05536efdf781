"""Errors of schedules: the violated rule, its operands, and the statements to underline.

Errors of a single primitive are in the file of the primitive.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal

from tvmscript.ir.core import IRError, IRModule, Node

#: What an error shows: message and program with the statements underlined; the message; that a primitive failed.
RenderLevel = Literal["detail", "fast", "none"]


class ScheduleError(IRError):
    """Base of the errors of primitives. The program is unchanged when one is raised.

    `at` are the statements to underline; `legal` is a hint about arguments that work.
    """

    message = "{text}"

    def __init__(
        self, text: str | None = None, *, at: Sequence[Node] = (), legal: str | None = None, **facts: Any
    ) -> None:
        if text is not None:
            facts["text"] = text
        super().__init__(hint=facts.pop("hint", legal), **facts)
        self.at = tuple(at)
        #: the primitive and the program; set when the error leaves the primitive
        self.primitive: str | None = None
        self.module: IRModule | None = None
        self.level: RenderLevel = "detail"

    def render_alone(self) -> str:
        """Return the message and the program with the statements underlined."""
        if type(self) is ScheduleError:
            return str(self.facts.get("text", ""))
        if self.level == "none":
            return f"error[{self.code}]: {self.primitive or 'the schedule'} cannot be applied"
        text = super().render_alone()
        if self.primitive is not None:
            text = f"{self.primitive}: {text}"
        if self.level == "fast" or self.module is None:
            return text
        return f"{text}\n\n{self.module.script(obj_to_underline=list(self.at), underline_heads=True)}"


class WrongArguments(IRError, TypeError, code="TS4198"):
    """A primitive is called with too many, too few or unknown arguments, or with one of a wrong type."""

    message = "{primitive}: {problem}"


class NotSingleResult(ScheduleError, code="TS4101"):
    """No block has this name, or several have it."""

    message = "{problem} in function {function}"


class UnknownRandomVariable(ScheduleError, ValueError, code="TS4102"):
    """A random variable of another schedule, or of a loop or block that no longer exists: the loop was split or fused,
    the block inlined.
    """

    message = "{what} is not a {kind} of the current program"
    advice = "get the current loops and blocks by get_block, get_loops or get_child_blocks"


class NoSchedule(IRError, ReferenceError, code="TS4203"):
    """A reference to a loop or block is used after the end of its schedule. Its statement and those around it are
    still there.
    """

    message = "the schedule of this loop or block is gone"
    advice = "keep the schedule, or its state, as long as its references"


class NotSchedulable(ScheduleError, code="TS4103"):
    """Only functions whose body is a block can be scheduled. The parser adds the root block where the text has none."""

    message = "function {function} cannot be scheduled: its body is not a block"
    advice = "schedule functions before they are lowered"


class RootBlockError(ScheduleError, code="TS4104"):
    """The primitive needs a block inside of another one, not the root block of a function."""

    message = "{primitive} cannot be applied to the root block"
    advice = "choose a block inside of it: by name (get_block), or from get_child_blocks"


class NonSingleChildBlockError(ScheduleError, code="TS4159"):
    """The loop or block must contain exactly one block."""

    message = "{place} contains {count} blocks; exactly one is required"


def listed(names: Mapping[str, object] | Sequence[str], at_most: int = 12) -> str:
    """Join names by commas, at most `at_most` of them."""
    names = list(names)
    return ", ".join(names[:at_most]) + (f", ... ({len(names)} in all)" if len(names) > at_most else "")
