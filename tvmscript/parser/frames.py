"""Frames: constructs whose body is still to be read. Also the loops that `for` iterates over."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Any, ClassVar, NamedTuple, Protocol

from tvmscript.ir.core import Span, Type
from tvmscript.ir.tir import Block, Buffer, BufferRegion, Expr, ForKind, IterVar, MatchBufferRegion, Range, Stmt, Var
from tvmscript.parser.diagnostics.errors import GivenTwice
from tvmscript.parser.names.namespace import ACTIVE, Caller, OutsideOfKernel
from tvmscript.parser.reader import MacroReader


def _active() -> tuple[Caller, ast.AST]:
    active = ACTIVE.get()
    if active is None:
        raise OutsideOfKernel(name="a frame")
    return active


class PythonContext:
    """A context of Python code that a kernel calls: `with T.If(condition), T.Then():` in a function."""

    __slots__ = ()

    def __enter__(self) -> Any:
        parser, node = _active()
        return parser.enter_frame(self, node)

    def __exit__(self, kind: type[BaseException] | None, error: object, traceback: object) -> None:
        parser, node = _active()
        if kind is None:  # after an error the parser forgets what was open
            parser.exit_frame(self, node)


class Frame(PythonContext):
    """A construct with a body: that of `with`, or the rest of the current body for a call that stands alone.

    `value` is bound by `as`.
    """

    __slots__ = ("span", "value")

    def __init__(self, value: Any, span: Span) -> None:
        self.value = value
        self.span = span

    def __repr__(self) -> str:
        return "a construct that has a body"

    def enter(self, parser: BodyReader) -> None:
        """Prepare the parser for the body."""

    def exit(self, parser: BodyReader, body: Stmt) -> Stmt | None:
        """Return the statement with its body, or None for a part of another statement."""
        raise NotImplementedError


class Wrapper(Frame):
    """A frame whose statement needs only its body."""

    __slots__ = ("make",)

    def __init__(self, value: Any, span: Span, make: Callable[[Stmt], Stmt]) -> None:
        super().__init__(value, span)
        self.make = make

    def exit(self, parser: BodyReader, body: Stmt) -> Stmt:
        return self.make(body)


class BufferAllocation(Wrapper):
    """An allocation of a buffer that blocks in its body may access."""

    __slots__ = ()

    def enter(self, parser: BodyReader) -> None:
        parser.open_buffers.append(self.value)

    def exit(self, parser: BodyReader, body: Stmt) -> Stmt:
        parser.open_buffers.remove(self.value)
        return super().exit(parser, body)


class Allocation(Wrapper):
    """An allocation. In a printed text its variable may be used before it."""

    __slots__ = ()


class BlockFrame(Frame):
    """A block whose body is being read."""

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

    def __init__(self, name: str, realized: bool, span: Span, finish: Callable[[BlockFrame, Stmt], Stmt]) -> None:
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
        self.annotations: dict[str, object] | None = None
        self.alloc_buffers: list[Buffer] = []
        self.match_buffers: list[MatchBufferRegion] = []

    def set_once(self, what: str, slot: str, value: object, span: Span) -> None:
        """Set a part that may be given once. Raises `GivenTwice`."""
        if getattr(self, slot) is not None:
            raise GivenTwice(what=what, span=span)
        setattr(self, slot, value)

    def enter(self, parser: BodyReader) -> None:
        parser.blocks.append(self)

    def exit(self, parser: BodyReader, body: Stmt) -> Stmt:
        parser.blocks.pop()
        return self.finish(self, body)


class InitFrame(Frame):
    """`with T.init():`; its body is the init of the enclosing block."""

    __slots__ = ("block",)

    def __init__(self, block: BlockFrame, span: Span) -> None:
        super().__init__(None, span)
        self.block = block

    def exit(self, parser: BodyReader, body: Stmt) -> None:
        self.block.set_once("T.init", "init", body, self.span)


class IfFrame(Frame):
    """`with T.If(condition):` around `T.Then` and `T.Else`."""

    __slots__ = ("else_case", "finish", "then_case")

    def __init__(self, span: Span, finish: Callable[[IfFrame], Stmt]) -> None:
        super().__init__(None, span)
        self.finish = finish
        self.then_case: Stmt | None = None
        self.else_case: Stmt | None = None

    def enter(self, parser: BodyReader) -> None:
        parser.conditionals.append(self)

    def exit(self, parser: BodyReader, body: Stmt) -> Stmt:
        parser.conditionals.pop()
        return self.finish(self)


class BranchFrame(Frame):
    """`with T.Then():` or `with T.Else():`."""

    __slots__ = ("branch", "conditional")

    def __init__(self, conditional: IfFrame, branch: str, span: Span) -> None:
        super().__init__(None, span)
        self.conditional = conditional
        self.branch = branch

    def exit(self, parser: BodyReader, body: Stmt) -> None:
        what = "T.Then" if self.branch == "then_case" else "T.Else"
        if getattr(self.conditional, self.branch) is not None:
            raise GivenTwice(what=what, span=self.span)
        setattr(self.conditional, self.branch, body)


class Loop:
    """One loop of a `for`: `extent` values from `min` on, or each `step`-th of them."""

    __slots__ = ("annotations", "extent", "kind", "min", "step", "thread")

    def __init__(
        self,
        min: Expr,
        extent: Expr,
        kind: ForKind,
        annotations: dict[str, object] | None = None,
        thread: str | None = None,
        step: Expr | None = None,
    ) -> None:
        self.step = step
        self.min = min
        self.extent = extent
        self.kind = kind
        self.annotations = annotations
        self.thread = thread


class Loops(PythonContext):
    """The iterable of a `for`: one loop, or a loop nest (`T.grid`) with one target for each loop.

    `is_range` says that it was written as Python's `range`.
    """

    __slots__ = ("is_range", "loops")

    def __init__(self, loops: list[Loop], is_range: bool = False) -> None:
        self.loops = loops
        self.is_range = is_range

    def __repr__(self) -> str:
        return "a loop"


class PythonFrame(NamedTuple):
    """A frame that Python code has opened: `opened` with its frame, and the statements around it."""

    opened: Frame | Loops
    frame: Frame
    around: list[Stmt | Frame]


class BodyReader(MacroReader, Protocol):
    """Interface of a parser of TIR statements."""

    #: statements of the current body; a frame takes the ones after it as its body
    statements: list[Stmt | Frame]
    #: frames of the current body that Python code has opened, innermost last
    python_frames: list[PythonFrame]
    #: enclosing blocks, innermost last
    blocks: list[BlockFrame]
    #: enclosing `T.If`
    conditionals: list[IfFrame]
    #: buffers of enclosing allocations that are statements
    open_buffers: list[Buffer]
    #: the body that was read last
    last_body: list[ast.stmt]
    #: loop variable -> its domain, for the enclosing loops
    loop_ranges: dict[Var, Range]
    #: `A[0:4]` denotes a vector, not a region
    vector_slices: bool
    #: whether `range` takes a step (0.27)
    has_steps: ClassVar[bool]

    def body(self, nodes: list[ast.stmt]) -> Stmt:
        """Read a body in the current scope."""
        ...

    def scoped(self, nodes: list[ast.stmt]) -> Stmt:
        """Read a body in a scope of its own."""
        ...

    def open(self, frame: Frame) -> None:
        """Make the rest of the current body the body of a frame."""
        ...

    def finish(self, frame: Frame, body: Stmt) -> Stmt | None:
        """Return the statement of a frame; report errors of its constructor as diagnostics."""
        ...

    def make(self, span: Span, cls: Callable[..., object], *args: object) -> Any:
        """Construct a node; report its errors as diagnostics."""
        ...

    def define(self, name: str, value: object, node: ast.AST) -> None:
        """Define a name in the current scope. Raises `AlreadyDefined`."""
        ...

    def give_name(self, value: object, name: str) -> None:
        """Name a variable or buffer that has no name yet."""
        ...

    def variable(self, name: str, var: Var) -> Var:
        """Return the variable that a name denotes; a printed text may define one variable twice."""
        ...

    def condition(self, condition: Expr, node: ast.expr) -> Expr:
        """Return a scalar bool expression; an integer is compared with 0. Raises `InvalidCondition`."""
        ...


class KernelReader(BodyReader, Protocol):
    """Interface of a parser of a PrimFunc, for the constructs of `T`."""

    function_name: str | None
    ret_type: Type | None
    attrs: dict[str, object] | None
    params: list[Var]
    buffer_map: dict[Var, Buffer]
    #: buffers allocated outside of blocks
    root_buffers: list[Buffer]
    #: thread axes of `T.env_thread`
    thread_axes: dict[Var, IterVar]
    #: extents of the launched thread axes
    launched: dict[Var, Expr]
    has_blocks: bool

    def add_parameter(self, name: str, value: object, span: Span) -> None:
        """Add a variable or a buffer as the next parameter."""
        ...

    def with_accesses(self, block: Block, reads: bool, writes: bool) -> Block:
        """Return the block with inferred read or write regions."""
        ...
