"""One change: what kind, where on both sides, why in words."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

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
    """A place where two programs differ.

    - `insert`, `delete`: a statement, function, parameter, argument, annotation that one side has alone; of a statement
      around others, the statement itself (`wraps` tells how many it was put around or taken from);
    - `replace`: an expression, `update`: a plain field such as a loop's kind or a dtype;
    - `move`: a statement or function at another place; changes in it are changes of their own;
    - `rename`: a name alone; of variables, buffers and blocks it is no structural difference.
    """

    kind: Kind
    #: the reason in words
    reason: str
    #: Python access from the root of each program, None where that side has nothing
    left_path: str | None
    right_path: str | None
    #: the parts: nodes or plain values; None too in a diff that was read from JSON
    left: Any = None
    right: Any = None
    #: where the parts stand in the printed texts
    left_span: TextSpan | None = None
    right_span: TextSpan | None = None
    #: whether programs that differ in this alone are not structurally equal
    structural: bool = True

    def __str__(self) -> str:
        path = self.right_path if self.left_path is None else self.left_path
        return f"{self.kind} at {path}: {self.reason}"
