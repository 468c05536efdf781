"""`Change`: kind, location on both sides, and reason of one difference."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Kind = Literal["insert", "delete", "replace", "update", "move", "rename"]


@dataclass(frozen=True, slots=True)
class TextSpan:
    """A range of a program's printed text: lines and columns from 1, the end exclusive."""

    line: int
    column: int
    end_line: int
    end_column: int


@dataclass(frozen=True, slots=True, eq=False)
class Change:
    """One difference between two programs.

    - `insert`, `delete`: a statement, function, parameter, argument or annotation that only one side has; a wrapper
      without the statements that it wraps;
    - `replace`: an expression, `update`: a plain field such as a loop's kind or a dtype;
    - `move`: a statement or function at another position; changes inside it are separate;
    - `rename`: only a name. Names of variables, buffers and blocks are not structural.
    """

    kind: Kind
    #: readable reason
    reason: str
    #: access path from the root of each program, None where that side has no such part
    left_path: str | None
    right_path: str | None
    #: the parts: nodes or plain values; None in a diff read from JSON
    left: object = None
    right: object = None
    #: spans of the parts in the printed texts
    left_span: TextSpan | None = None
    right_span: TextSpan | None = None
    #: whether the change breaks structural equality
    structural: bool = True

    def __str__(self) -> str:
        path = self.right_path if self.left_path is None else self.left_path
        return f"{self.kind} at {path}: {self.reason}"
