"""What constructs leave behind while a function is read: scopes to fill, loops to run over."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from tvmscript.ir.core.span import Span
from tvmscript.ir.tir.base import Expr, Stmt
from tvmscript.ir.tir.buffer import Buffer
from tvmscript.ir.tir.expr import BufferRegion, IterVar
from tvmscript.ir.tir.stmt import ForKind, MatchBufferRegion
from tvmscript.parser.diagnostics.errors import GivenTwice

if TYPE_CHECKING:
    from tvmscript.parser.tir.body import BodyParser


class Frame:
    """A scope of the program: `with` gives it a body; as a statement alone, the rest of the surrounding body is its.

    `value` is what `as` gets.
    """

    __slots__ = ("span", "value")

    def __init__(self, value: Any, span: Span) -> None:
        self.value = value
        self.span = span

    def enter(self, parser: BodyParser) -> None:
        """Called before the body is read."""

    def exit(self, parser: BodyParser, body: Stmt) -> Stmt | None:
        """The statement with its body; None where it belongs to a part of another statement."""
        raise NotImplementedError


class Wrapper(Frame):
    """A scope whose statement needs nothing but its body."""

    __slots__ = ("make",)

    def __init__(self, value: Any, span: Span, make: Callable[[Stmt], Stmt]) -> None:
        super().__init__(value, span)
        self.make = make

    def exit(self, parser: BodyParser, body: Stmt) -> Stmt:
        return self.make(body)


class Allocation(Wrapper):
    """Memory whose variable may have a name already: what is used in front of it in a printed text."""

    __slots__ = ()


class BlockFrame(Frame):
    """A block while its body is read."""

    __slots__ = (
        "alloc_buffers",
        "annotations",
        "finish",
        "init",
        "iter_values",
        "iter_vars",
        "match_buffers",
        "name",
        "predicate",
        "reads",
        "realized",
        "writes",
    )

    def __init__(self, name: str, realized: bool, span: Span, finish: Callable[[BlockFrame, Any, Stmt], Stmt]) -> None:
        super().__init__(None, span)
        self.name = name
        self.realized = realized
        self.finish = finish
        self.iter_vars: list[IterVar] = []
        self.iter_values: list[Expr] = []
        self.reads: list[BufferRegion] | None = None
        self.writes: list[BufferRegion] | None = None
        self.init: Stmt | None = None
        self.predicate: Expr | None = None
        self.annotations: dict[str, Any] | None = None
        self.alloc_buffers: list[Buffer] = []
        self.match_buffers: list[MatchBufferRegion] = []

    def set_once(self, what: str, slot: str, value: Any, span: Span) -> None:
        """Fill in a part that may be given once. Raises `GivenTwice`."""
        if getattr(self, slot) is not None:
            raise GivenTwice(what=what, span=span)
        setattr(self, slot, value)

    def enter(self, parser: BodyParser) -> None:
        parser.blocks.append(self)

    def exit(self, parser: BodyParser, body: Stmt) -> Stmt:
        parser.blocks.pop()
        return self.finish(self, parser, body)


class InitFrame(Frame):
    """`with T.init():`; its body becomes the init of the block around it."""

    __slots__ = ("block",)

    def __init__(self, block: BlockFrame, span: Span) -> None:
        super().__init__(None, span)
        self.block = block

    def exit(self, parser: BodyParser, body: Stmt) -> None:
        self.block.set_once("T.init", "init", body, self.span)


class IfFrame(Frame):
    """`with T.If(condition):` around `T.Then` and `T.Else`."""

    __slots__ = ("else_case", "finish", "then_case")

    def __init__(self, span: Span, finish: Callable[[IfFrame], Stmt]) -> None:
        super().__init__(None, span)
        self.finish = finish
        self.then_case: Stmt | None = None
        self.else_case: Stmt | None = None

    def enter(self, parser: BodyParser) -> None:
        parser.conditionals.append(self)

    def exit(self, parser: BodyParser, body: Stmt) -> Stmt:
        parser.conditionals.pop()
        return self.finish(self)


class BranchFrame(Frame):
    """`with T.Then():` or `with T.Else():`."""

    __slots__ = ("branch", "conditional")

    def __init__(self, conditional: IfFrame, branch: str, span: Span) -> None:
        super().__init__(None, span)
        self.conditional = conditional
        self.branch = branch

    def exit(self, parser: BodyParser, body: Stmt) -> None:
        what = "T.Then" if self.branch == "then_case" else "T.Else"
        if getattr(self.conditional, self.branch) is not None:
            raise GivenTwice(what=what, span=self.span)
        setattr(self.conditional, self.branch, body)


class Loop:
    """One loop of a `for`: from `min`, `extent` times."""

    __slots__ = ("annotations", "extent", "kind", "min", "thread")

    def __init__(
        self,
        min: Expr,
        extent: Expr,
        kind: ForKind,
        annotations: dict[str, Any] | None = None,
        thread: str | None = None,
    ) -> None:
        self.min = min
        self.extent = extent
        self.kind = kind
        self.annotations = annotations
        self.thread = thread


class Loops:
    """What `for` runs over: one loop, or a nest of them (T.grid, where `is_nest` says that there are as many names)."""

    __slots__ = ("is_nest", "loops")

    def __init__(self, loops: list[Loop], is_nest: bool) -> None:
        self.loops = loops
        self.is_nest = is_nest

    def __repr__(self) -> str:
        return "a loop"
