"""A copy that a block does, and the loops it runs in."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import reduce

from tvmscript.ir.arith.fold import add, cast, make, mul
from tvmscript.ir.core.visit import nodes
from tvmscript.ir.tir.base import Expr, Stmt
from tvmscript.ir.tir.buffer import Buffer
from tvmscript.ir.tir.expr import BufferLoad, BufferRegion, FloorDiv, FloorMod, IntImm
from tvmscript.ir.tir.stmt import BufferStore, For, ForKind
from tvmscript.ir.tir.substitute import substitute
from tvmscript.ir.tir.var import Var


@dataclass
class Copy:
    """What is known about a copy, and what its new form needs."""

    #: what the block reads (its first region) and writes
    source: BufferRegion | None
    target: BufferRegion
    #: "threadIdx.x" -> number of threads
    threads: Mapping[str, int]
    #: thread loops around the block, outermost first
    thread_loops: Sequence[For]
    vector_bytes: int
    through_registers: bool
    #: buffers that the block allocates for it
    allocated: list[Buffer] = field(default_factory=list)
    #: shared memory -> what row strides are multiples of, more than without padding
    alignment: dict[Buffer, int] = field(default_factory=dict)

    @property
    def vector_length(self) -> int:
        """Elements in one access."""
        return max(1, self.vector_bytes * 8 // self.target.buffer.dtype.bits)

    def goes(self, source: Callable[[str], bool], target: Callable[[str], bool]) -> bool:
        """Whether it goes from memory of one kind to memory of another."""
        return (
            self.source is not None
            and source(self.source.buffer.storage_scope)
            and target(self.target.buffer.storage_scope)
        )


def is_global(scope: str) -> bool:
    """Memory of the device."""
    return scope == "global"


def is_shared(scope: str) -> bool:
    """Memory of a block of threads."""
    return scope.startswith("shared")


def is_wmma(scope: str) -> bool:
    """Fragments of matrices in registers of a warp."""
    return scope.startswith("wmma")


def is_mma(scope: str) -> bool:
    """Results of m16n8k8 in registers of a warp."""
    return scope == "m16n8k8.matrixC"


def nest(stmt: Stmt) -> tuple[list[For], Stmt]:
    """Loops, each the body of the one before, and the innermost body."""
    loops: list[For] = []
    while isinstance(stmt, For):
        loops.append(stmt)
        stmt = stmt.body
    return loops, stmt


def the_store(stmt: Stmt) -> BufferStore | None:
    """The store that a copy's loops do, and nothing else."""
    body = nest(stmt)[1]
    return body if isinstance(body, BufferStore) else None


def load_of(value: Expr, buffer: Buffer) -> BufferLoad | None:
    """A load of a buffer in an expression."""
    return next((part for part in nodes(value) if isinstance(part, BufferLoad) and part.buffer is buffer), None)


def inside(loops: Sequence[For], body: Stmt) -> Stmt:
    """The body in the loops."""
    for loop in reversed(loops):
        body = loop.replace(body=body)
    return body


def serial(var: Var, extent: Expr, body: Stmt) -> For:
    """A loop from 0."""
    return For(var, IntImm(var.dtype, 0), extent, ForKind.SERIAL, body)


def fused(stmt: Stmt) -> For:
    """One loop over all iterations of a nest, whose loops do not depend on each other."""
    loops, body = nest(stmt)
    names = [loop.loop_var.name for loop in loops]
    var = Var(f"{'_'.join(names)}_fused", loops[0].loop_var.dtype)
    values: dict[Var, Expr] = {}
    rest: Expr = var
    for loop in reversed(loops):
        size = cast(var.dtype, loop.extent)
        values[loop.loop_var] = add(loop.min, cast(loop.loop_var.dtype, make(FloorMod, rest, size)))
        rest = make(FloorDiv, rest, size)
    extent = reduce(mul, [cast(var.dtype, loop.extent) for loop in loops])
    return serial(var, extent, substitute(body, values))


def digits(parts: Sequence[tuple[Expr, int]], dtype: Var) -> Expr:
    """The number whose digits these are, with the size of each."""
    value: Expr = IntImm(dtype.dtype, 0)
    for part, size in parts:
        value = add(mul(value, IntImm(dtype.dtype, size)), part)
    return value
