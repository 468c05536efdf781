"""Short loops are replaced by their iterations, one after the other."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from tvmscript.ir.arith.buffer_layout import index_add
from tvmscript.ir.core.visit import nodes, on
from tvmscript.ir.tir.base import Stmt
from tvmscript.ir.tir.expr import BufferLoad, IntImm
from tvmscript.ir.tir.function import PrimFunc
from tvmscript.ir.tir.rewrite import NOOP, TirRewriter, flattened
from tvmscript.ir.tir.stmt import AttrStmt, BufferStore, Evaluate, For, ForKind, SeqStmt, seq
from tvmscript.ir.tir.substitute import copied, uses
from tvmscript.ir.transform.base import PrimFuncPass
from tvmscript.ir.transform.errors import CannotUnroll

_MAX_STEP = "pragma_auto_unroll_max_step"
_EXPLICIT = "pragma_unroll_explicit"
#: memory of one thread: registers, where indices are constant
_LOCAL = ("local", "warp")


@dataclass
class _Size:
    """What unrolling has to know about a statement."""

    #: stores and calls, loops that are to be unrolled counted as often as they run
    steps: int = 0
    #: nesting of loops that stay, and of loops that are unrolled
    loops: int = 0
    unrolled: int = 0


class _Unrolling(TirRewriter):
    def __init__(self, options: UnrollLoop) -> None:
        super().__init__()
        self.options = options
        self.max_step = options.auto_max_step
        self.explicit = options.explicit_unroll
        self.size = _Size()
        #: variables in indices of local memory
        self.in_local: set[Any] = set()

    @on(AttrStmt)
    def attribute(self, node: AttrStmt) -> Stmt:
        value = node.value
        if node.attr_key not in (_MAX_STEP, _EXPLICIT) or not isinstance(value, IntImm):
            return self.descend(node)
        before = self.max_step, self.explicit
        if node.attr_key == _MAX_STEP:
            self.max_step = value.value
        else:
            self.explicit = bool(value.value)
        body: Stmt = self.rewrite(node.body)
        self.max_step, self.explicit = before
        return body

    @on(For)
    def loop(self, node: For) -> Stmt:
        made = self.descend(node)
        size, options = self.size, self.options
        extent = made.extent.value if isinstance(made.extent, IntImm) else -1
        is_unrolled = made.kind is ForKind.UNROLLED
        if made.kind is ForKind.SERIAL and extent >= 0 and size.loops == 0 and size.unrolled <= options.auto_max_depth:
            is_unrolled = extent * size.steps <= self.max_step or extent <= options.auto_max_extent
        if made.kind is ForKind.SERIAL and extent >= 0 and made.loop_var in self.in_local:
            is_unrolled = True
        if made.kind is ForKind.UNROLLED and not isinstance(made.extent, IntImm) and not options.is_lenient:
            raise CannotUnroll(var=made.loop_var.name, extent=made.extent, span=node.span)
        if extent < 0 or extent * max(size.steps, 1) > options.max_statements:
            is_unrolled = False
        if not is_unrolled:
            size.loops += 1
            return made.replace(kind=ForKind.SERIAL) if made.kind is ForKind.UNROLLED else made
        size.steps *= extent
        size.unrolled += 1
        if self.explicit:
            return unrolled(made, extent)
        return made if made.kind is ForKind.UNROLLED else made.replace(kind=ForKind.UNROLLED)

    @on(BufferStore, Evaluate)
    def leaf(self, node: Stmt) -> Stmt:
        self.size.steps += 1
        if self.options.unroll_local_access:
            for access in nodes(node):
                if isinstance(access, BufferLoad | BufferStore) and access.buffer.storage_scope in _LOCAL:
                    self.in_local |= uses(access.indices)
        return node

    @on(SeqStmt)
    def sequence(self, node: SeqStmt) -> Stmt:
        total = _Size(self.size.steps, self.size.loops, self.size.unrolled)
        parts: list[Stmt] = []
        for part in node.seq:
            self.size = _Size()
            parts.append(self.rewrite(part))
            total.steps += self.size.steps
            total.loops = max(total.loops, self.size.loops)
            total.unrolled = max(total.unrolled, self.size.unrolled)
        self.size = total
        if all(new is old for new, old in zip(parts, node.seq, strict=True)):
            return node
        return flattened(tuple(parts), node)


def unrolled(loop: For, extent: int) -> Stmt:
    """The iterations of a loop; what the body defines is defined anew in each."""
    if extent == 0:
        return NOOP
    dtype = loop.loop_var.dtype
    defines = any(node.schema.binds for node in nodes(loop.body))
    steps = [
        copied(loop.body, {loop.loop_var: index_add(loop.min, IntImm(dtype, step))}, is_fresh=defines and step > 0)
        for step in range(extent)
    ]
    return seq(*steps)


@dataclass(frozen=True)
class UnrollLoop(PrimFuncPass):
    """Unrolled loops of constant extent are replaced by their iterations.

    Serial loops are unrolled too where all their iterations together are at most `auto_max_step` stores and calls
    (`pragma_auto_unroll_max_step` sets it for a part of the program) or the extent is at most `auto_max_extent`,
    innermost loops first, `auto_max_depth` of them inside each other. With `explicit_unroll=False` such loops are
    only marked. With `unroll_local_access` all serial loops are unrolled whose variables are in indices of local
    memory. Loops that would become more than `max_statements` statements become serial. Raises `CannotUnroll` for
    unrolled loops whose extent is not constant; with `is_lenient` they become serial.

    rewrite:
        for i in T.unroll(2):       A[0] = B[0]
            A[i] = B[i]         --> A[1] = B[1]
    """

    name: ClassVar[str] = "tir.UnrollLoop"
    commutes_with: ClassVar[tuple[str, ...]] = (
        "tir.AnnotateEntryFunc",
        "tir.BindTarget",
        "tir.ConvertForLoopsToSerial",
    )
    #: loops around those that were unrolled may be short enough then
    is_idempotent: ClassVar[bool] = False
    auto_max_step: int = 0
    auto_max_depth: int = 8
    auto_max_extent: int = 0
    explicit_unroll: bool = True
    unroll_local_access: bool = False
    max_statements: int = 8192
    is_lenient: bool = False

    def transform(self, func: PrimFunc) -> PrimFunc:
        return func.with_body(_Unrolling(self).rewrite(func.body))
