"""Constraints between patterns, and the contexts that record them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from tvmscript.ir.relax.errors import BuilderMisuse

if TYPE_CHECKING:
    from tvmscript.ir.relax.dpl.pattern import DFPattern


@dataclass(frozen=True)
class Edge:
    """The value of `producer` is an argument of the value of `consumer`."""

    producer: DFPattern
    consumer: DFPattern
    #: position among the variables of the arguments, -1 for any
    index: int = -1
    #: whether no other value of the block uses the value of `producer`
    is_only_use: bool = False


class Constraints:
    """`with Constraints() as constraints:` records the edges of the patterns that are made inside."""

    _open: ClassVar[list[Constraints]] = []

    @staticmethod
    def current() -> Constraints | None:
        """Return the innermost open context, None outside of contexts."""
        return Constraints._open[-1] if Constraints._open else None

    @staticmethod
    def required(method: str) -> Constraints:
        """Return the innermost open context. Raises `BuilderMisuse`."""
        constraints = Constraints.current()
        if constraints is None:
            raise BuilderMisuse(method=method, where="is called outside of a PatternContext")
        return constraints

    def __init__(self, incremental: bool = False) -> None:
        outer = Constraints.required("PatternContext(incremental=True)") if incremental else None
        self.edges: list[Edge] = list(outer.edges) if outer is not None else []
        #: groups of patterns whose tensors have one shape
        self.same_shapes: list[tuple[DFPattern, ...]] = list(outer.same_shapes) if outer is not None else []

    def __enter__(self) -> Constraints:
        Constraints._open.append(self)
        return self

    def __exit__(self, *_: object) -> None:
        Constraints._open.pop()
