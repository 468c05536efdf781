"""Copy blocks and their loop nests."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import reduce

from tvmscript.ir.arith.fold import add, cast, make, mul
from tvmscript.ir.core import nodes
from tvmscript.ir.tir import Buffer, BufferStore, Expr, For, ForKind, Stmt, Var, substitute
from tvmscript.ir.tir.expr import BufferLoad, BufferRegion, FloorDiv, FloorMod, IntImm


@dataclass
class Copy:
    """A copy block, and the buffers that its lowering needs."""

    #: source and target regions
    source: BufferRegion | None
    target: BufferRegion
    #: "threadIdx.x" -> number of threads
    threads: Mapping[str, int]
    #: enclosing thread loops, outermost first
    thread_loops: Sequence[For]
    vector_bytes: int
    through_registers: bool
    #: buffers to allocate in the block
    allocated: list[Buffer] = field(default_factory=list)
    #: shared buffer -> required divisor of its row stride
    alignment: dict[Buffer, int] = field(default_factory=dict)

    @property
    def vector_length(self) -> int:
        """Number of elements of one vector access."""
        return max(1, self.vector_bytes * 8 // self.target.buffer.dtype.bits)

    def has_scopes(self, source: Callable[[str], bool], target: Callable[[str], bool]) -> bool:
        """Return whether the scopes of source and target satisfy the predicates."""
        return (
            self.source is not None
            and source(self.source.buffer.storage_scope)
            and target(self.target.buffer.storage_scope)
        )


def is_global(scope: str) -> bool:
    """Return whether the scope is global memory."""
    return scope == "global"


def is_shared(scope: str) -> bool:
    """Return whether the scope is shared memory."""
    return scope.startswith("shared")


def is_wmma(scope: str) -> bool:
    """Return whether the scope holds wmma fragments."""
    return scope.startswith("wmma")


def is_mma(scope: str) -> bool:
    """Return whether the scope holds results of m16n8k8."""
    return scope == "m16n8k8.matrixC"


def perfect_nest(stmt: Stmt) -> tuple[list[For], Stmt]:
    """Return a perfect loop nest and its innermost body."""
    loops: list[For] = []
    while isinstance(stmt, For):
        loops.append(stmt)
        stmt = stmt.body
    return loops, stmt


def match_store(stmt: Stmt) -> BufferStore | None:
    """Return the store of a loop nest whose innermost body is one store; None otherwise."""
    body = perfect_nest(stmt)[1]
    return body if isinstance(body, BufferStore) else None


def find_load(value: Expr, buffer: Buffer) -> BufferLoad | None:
    """Return a load of the buffer in an expression; None if there is none."""
    return next((part for part in nodes(value) if isinstance(part, BufferLoad) and part.buffer is buffer), None)


def nest_in(loops: Sequence[For], body: Stmt) -> Stmt:
    """Wrap the body in the loops."""
    for loop in reversed(loops):
        body = loop.replace(body=body)
    return body


def serial_loop(var: Var, extent: Expr, body: Stmt) -> For:
    """Return a serial loop from 0."""
    return For(var, IntImm(var.dtype, 0), extent, ForKind.SERIAL, body)


def fuse(stmt: Stmt) -> For:
    """Fuse a perfect nest of independent loops into one loop."""
    loops, body = perfect_nest(stmt)
    names = [loop.loop_var.name for loop in loops]
    var = Var(f"{'_'.join(names)}_fused", loops[0].loop_var.dtype)
    values: dict[Var, Expr] = {}
    rest: Expr = var
    for loop in reversed(loops):
        size = cast(var.dtype, loop.extent)
        values[loop.loop_var] = add(loop.min, cast(loop.loop_var.dtype, make(FloorMod, rest, size)))
        rest = make(FloorDiv, rest, size)
    extent = reduce(mul, [cast(var.dtype, loop.extent) for loop in loops])
    return serial_loop(var, extent, substitute(body, values))


def combine_digits(parts: Sequence[tuple[Expr, int]], dtype: Var) -> Expr:
    """Return the mixed-radix number of (digit, radix) pairs."""
    value: Expr = IntImm(dtype.dtype, 0)
    for part, size in parts:
        value = add(mul(value, IntImm(dtype.dtype, size)), part)
    return value
