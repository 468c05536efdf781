"""Type variables of 0.27: `n = TypeVar("n")`."""

from __future__ import annotations

from tvmscript.ir.core import Span
from tvmscript.parser.builtins.argument_checks import text


class TypeVariable:
    """`n = TypeVar("n")` before functions: each function that uses it has an int64 size of this name."""

    __slots__ = ("name",)

    def __init__(self, name: str, span: Span | None = None) -> None:
        self.name = text("TypeVar", name)
