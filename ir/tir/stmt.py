"""Statements of TIR."""

from __future__ import annotations

from enum import IntEnum
from typing import Any, ClassVar

from tvmscript.ir.core import INT32, DType
from tvmscript.ir.core.attrs import attributes
from tvmscript.ir.core.errors import DTypeMismatch, WrongRank, WrongType
from tvmscript.ir.core.hooks import hook
from tvmscript.ir.core.node import Building, Node, binds, filled, guards, node, note, repeats
from tvmscript.ir.tir.base import Expr, Stmt
from tvmscript.ir.tir.buffer import Buffer
from tvmscript.ir.tir.expr import BufferRegion, IntImm, IterVar, Range, index_lanes
from tvmscript.ir.tir.var import Var

#: Attributes of loops, blocks and functions: see `tvmscript.ir.core.attrs` for what a value may be.
Attrs = dict[str, Any]


class ForKind(IntEnum):
    """Execution order of the iterations of a loop (TVM's ForKind)."""

    SERIAL = 0
    PARALLEL = 1
    VECTORIZED = 2
    UNROLLED = 3
    THREAD_BINDING = 4


@node
class For(Stmt):
    """Run `body` for each value of `loop_var` from `min`, `extent` of them."""

    loop_var: Var = binds()
    min: Expr
    extent: Expr = repeats()
    kind: ForKind
    body: Stmt
    #: the thread axis of a THREAD_BINDING loop; its var has no meaning of its own
    thread_binding: IterVar | None = None
    annotations: Attrs = filled(default=None)
    alike: ClassVar[tuple[str, ...]] = ("loop_var", "min", "extent")

    def __post_init__(self: Building) -> None:
        self.annotations = attributes(self.annotations) if self.annotations else {}
        dtype = self.loop_var.dtype
        for part in (self.min, self.extent):
            if part.dtype is not dtype:
                raise DTypeMismatch(where="For", left=dtype, right=part.dtype, span=self.span)
        if not dtype.is_integer or dtype.lanes != 1:
            raise WrongType(where="For", expected="an integer loop variable", got=dtype, span=self.span)


@node
class While(Stmt):
    """Run `body` as long as `condition` holds."""

    condition: Expr = repeats()
    body: Stmt

    def __post_init__(self: Building) -> None:
        check_condition("While", self.condition, self.span)


@node
class IfThenElse(Stmt):
    """Run one of two statements."""

    condition: Expr = guards("then_case", "else_case")
    then_case: Stmt
    else_case: Stmt | None = None

    def __post_init__(self: Building) -> None:
        check_condition("IfThenElse", self.condition, self.span)


def check_condition(where: str, condition: Expr, span: Any) -> None:
    """Raise `WrongType` unless the expression is a scalar bool or integer."""
    if not condition.dtype.is_bool or condition.dtype.lanes != 1:
        raise WrongType(where=where, expected="a bool condition", got=condition.dtype, span=span)


@node
class LetStmt(Stmt):
    """Run `body` where `var` stands for `value`."""

    var: Var = binds(to="value")
    value: Expr
    body: Stmt
    alike: ClassVar[tuple[str, ...]] = ("var", "value")

    def __post_init__(self: Building) -> None:
        if self.var.dtype is not self.value.dtype:
            raise DTypeMismatch(where="LetStmt", left=self.var.dtype, right=self.value.dtype, span=self.span)


#: facts that start threads
LAUNCHES = ("thread_extent", "virtual_thread")


def is_block_axis(tag: str) -> bool:
    """Whether a tag is that of an axis of blocks, in the grid or in a cluster."""
    return tag.startswith(("blockIdx", "clusterCtaIdx"))


def launch_key(tag: str) -> str:
    """The fact that starts threads of a tag: threads of the device, or iterations side by side in one thread."""
    return "virtual_thread" if tag.startswith(("vthread", "cthread")) else "thread_extent"


@node
class AttrStmt(Stmt):
    """State a fact about `node` (any object: a variable, a buffer, a string, ...) for `body`."""

    node: Any
    attr_key: str
    value: Expr
    body: Stmt

    def __post_init__(self: Building) -> None:
        # a launch says how many threads there are: its axis has no other domain
        if self.attr_key in LAUNCHES and isinstance(self.node, IterVar) and self.node.dom is None:
            self.node = self.node.replace(dom=Range.from_extent(self.value))


@node
class AssertStmt(Stmt):
    """Stop with `message` unless `condition` holds, then run `body`."""

    condition: Expr = guards("body")
    message: Expr
    body: Stmt
    #: kind of error and parts of the message, as 0.27 writes them
    parts: tuple[str, ...] = note(default=())

    def __post_init__(self: Building) -> None:
        check_condition("AssertStmt", self.condition, self.span)


@node
class Evaluate(Stmt):
    """Compute a value for its effect."""

    value: Expr


@node
class BufferStore(Stmt):
    """Set an element of a buffer, or several where the last index is a vector."""

    buffer: Buffer
    value: Expr
    indices: tuple[Expr, ...]
    predicate: Expr | None = None
    looks_at_parts: ClassVar[bool] = True
    alike: ClassVar[tuple[str, ...]] = ("buffer", "value")

    def __post_init__(self: Building) -> None:
        buffer = self.buffer
        if len(self.indices) != len(buffer.shape):
            raise WrongRank(buffer=buffer.name, rank=len(buffer.shape), count=len(self.indices), span=self.span)
        lanes = index_lanes(self.indices, self.span) if self.indices else 1
        expected = buffer.dtype if lanes == 1 else buffer.dtype.with_lanes(buffer.dtype.lanes * lanes)
        if self.value.dtype is not expected:
            raise DTypeMismatch(
                where=f"a store to {buffer.name}", left=expected, right=self.value.dtype, span=self.span
            )


@node
class Allocate(Stmt):
    """Memory for `extents` elements of `dtype` at `buffer_var`, for the time that `body` runs."""

    buffer_var: Var = binds()
    dtype: DType
    extents: tuple[Expr, ...]
    condition: Expr
    body: Stmt
    annotations: Attrs = filled(default=None)

    def __post_init__(self: Building) -> None:
        self.annotations = attributes(self.annotations) if self.annotations else {}
        if not self.buffer_var.dtype.is_handle:
            raise WrongType(where="Allocate", expected="a handle variable", got=self.buffer_var.dtype, span=self.span)


@node
class AllocateConst(Stmt):
    """Constant memory: `data` is a NumPy array of `extents` elements of `dtype` (bit patterns for bfloat16, float8)."""

    buffer_var: Var = binds()
    dtype: DType
    extents: tuple[Expr, ...]
    data: Any
    body: Stmt
    annotations: Attrs = filled(default=None)
    #: which of the module's `constants` it is, where `tir.ExtractPrimFuncConstants` has put it there
    irmod_storage_idx: int | None = note(default=None)

    def __post_init__(self: Building) -> None:
        self.annotations = attributes(self.annotations) if self.annotations else {}


@node
class DeclBuffer(Stmt):
    """Introduce a buffer over memory that exists already."""

    buffer: Buffer = binds()
    body: Stmt


@node
class SeqStmt(Stmt):
    """Statements one after the other; at least two, none of them a SeqStmt."""

    seq: tuple[Stmt, ...]

    def __post_init__(self: Building) -> None:
        if not self.seq:
            raise WrongType(where="SeqStmt", expected="statements", got="none", span=self.span)

    def __getitem__(self, index: int) -> Stmt:
        return self.seq[index]

    def __len__(self) -> int:
        return len(self.seq)


@node
class MatchBufferRegion(Node):
    """A buffer that stands for a region of another one inside a block, with as many elements along its last axes.

    Raises `DTypeMismatch`, `WrongType`.
    """

    buffer: Buffer = binds()
    source: BufferRegion
    takes_values: ClassVar[bool] = True

    def __post_init__(self: Building) -> None:
        buffer, region = self.buffer, self.source.region
        where = f"the match of {self.source.buffer.name}"
        if buffer.dtype is not self.source.buffer.dtype:
            raise DTypeMismatch(where=where, left=buffer.dtype, right=self.source.buffer.dtype, span=self.span)
        if buffer.storage_scope != self.source.buffer.storage_scope:
            raise WrongType(
                where=where,
                expected=f"the scope {self.source.buffer.storage_scope}",
                got=buffer.storage_scope,
                span=self.span,
            )
        ones = len(region) - len(buffer.shape)
        extents = [*(1 for _ in range(ones)), *buffer.shape]
        if ones < 0 or any(_differ(part.extent, extent) for part, extent in zip(region, extents, strict=True)):
            expected = f"the shape ({', '.join(str(part.extent) for part in region)}) of its region"
            raise WrongType(
                where=where, expected=expected, got=f"({', '.join(map(str, buffer.shape))})", span=self.span
            )


def _differ(a: object, b: object) -> bool:
    """Whether two extents are known to be different."""
    numbers = [item.value if isinstance(item, IntImm) else item for item in (a, b)]
    return isinstance(numbers[0], int) and isinstance(numbers[1], int) and numbers[0] != numbers[1]


@node
class Block(Stmt):
    """A unit of computation: `body` for each value of the iteration variables, `init` before the first reduction step.

    It reads and writes no more than it says.
    """

    iter_vars: tuple[IterVar, ...] = binds()
    reads: tuple[BufferRegion, ...]
    writes: tuple[BufferRegion, ...]
    name_hint: str = note()
    body: Stmt
    init: Stmt | None = None
    alloc_buffers: tuple[Buffer, ...] = binds(default=())
    match_buffers: tuple[MatchBufferRegion, ...] = binds(default=())
    annotations: Attrs = filled(default=None)

    def __post_init__(self: Building) -> None:
        self.annotations = attributes(self.annotations) if self.annotations else {}


@node
class BlockRealize(Stmt):
    """Run a block where its iteration variables have these values, if the predicate holds."""

    iter_values: tuple[Expr, ...]
    predicate: Expr = guards("block")
    block: Block

    def __post_init__(self: Building) -> None:
        if len(self.iter_values) != len(self.block.iter_vars):
            raise WrongType(
                where=f"block {self.block.name_hint}",
                expected=f"{len(self.block.iter_vars)} iteration values",
                got=len(self.iter_values),
                span=self.span,
            )
        check_condition("BlockRealize", self.predicate, self.span)


@hook
def infer_regions(
    block: Block, visible: dict[Var, Buffer]
) -> tuple[tuple[BufferRegion, ...], tuple[BufferRegion, ...]]:
    """Return the regions that a block reads and writes; `visible` maps data variables to buffers around the block.

    Raises `UndetectableAccess`.
    """
    raise NotImplementedError


def stmt_list(stmt: Stmt) -> list[Stmt]:
    """The statements that one consists of, sequences in sequences written out: `tvm.tir.stmt_list`."""
    return [inner for part in stmt.seq for inner in stmt_list(part)] if isinstance(stmt, SeqStmt) else [stmt]


def seq(*parts: Stmt) -> Stmt:
    """The statements in order as one: nested sequences are flattened, one stays alone, none is T.evaluate(0)."""
    flat: list[Stmt] = []
    for part in parts:
        if isinstance(part, SeqStmt):
            flat += part.seq
        else:
            flat.append(part)
    if not flat:
        return Evaluate(IntImm(INT32, 0))
    return flat[0] if len(flat) == 1 else SeqStmt(tuple(flat))
