"""Unroll loops."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from tvmscript.ir.arith.buffer_layout import index_add
from tvmscript.ir.core import CallEffect, nodes, on
from tvmscript.ir.tir import BufferLoad, IntImm, PrimFunc, Stmt, Var, copied, effect_of, uses
from tvmscript.ir.tir.rewrite import NOOP, StatementRewriter, flatten_seq
from tvmscript.ir.tir.stmt import AttrStmt, BufferStore, Evaluate, For, ForKind, IfThenElse, SeqStmt, seq
from tvmscript.ir.transform.base import PrimFuncPass
from tvmscript.ir.transform.errors import CannotUnroll
from tvmscript.ir.transform.expressions.remove_no_op.remove_no_op import RemoveNoOp
from tvmscript.ir.transform.expressions.simplify import Simplify, simplify_conditions
from tvmscript.ir.transform.loops.unroll_loop.iteration import Iteration
from tvmscript.ir.transform.loops.unroll_loop.vector_store_nest import is_vector_store_nest

_MAX_STEP = "pragma_auto_unroll_max_step"
_EXPLICIT = "pragma_unroll_explicit"
#: scopes that can be registers if indices are constant
_LOCAL = ("local", "warp")


@dataclass
class _Size:
    """The size of a statement."""

    #: stores and calls, multiplied by the trip counts of unrolled loops
    steps: int = 0
    #: nesting depth of other loops, and of unrolled loops
    loops: int = 0
    unrolled: int = 0


class _Unroller(StatementRewriter):
    def __init__(self, options: UnrollLoop) -> None:
        super().__init__()
        self.options = options
        self.max_step = options.auto_max_step
        self.explicit = options.explicit_unroll
        self.size = _Size()
        #: whether iterations have expressions, or conditions alone, that are not simplified
        self.has_new_constants = self.has_new_conditions = False
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
        if self.options.keeps_vector_nests and is_vector_store_nest(node, self.options.max_statements):
            return self.vector_store_nest(node)
        loop = self.descend(node)
        size, options = self.size, self.options
        extent = loop.extent.value if isinstance(loop.extent, IntImm) else -1
        is_unrolled = loop.kind is ForKind.UNROLLED
        if loop.kind is ForKind.SERIAL and extent >= 0 and size.loops == 0 and size.unrolled <= options.auto_max_depth:
            is_unrolled = extent * size.steps <= self.max_step or extent <= options.auto_max_extent
        if loop.kind is ForKind.SERIAL and extent >= 0 and loop.loop_var in self.in_local:
            is_unrolled = True
        if loop.kind is ForKind.UNROLLED and not isinstance(loop.extent, IntImm) and not options.is_lenient:
            raise CannotUnroll(var=loop.loop_var.name, extent=loop.extent, span=node.span)
        if extent < 0 or extent * max(size.steps, 1) > options.max_statements:
            is_unrolled = False
        if not is_unrolled:
            size.loops += 1
            return loop.replace(kind=ForKind.SERIAL) if loop.kind is ForKind.UNROLLED else loop
        size.steps *= extent
        size.unrolled += 1
        if self.explicit:
            return self.iterations(loop, extent)
        return loop if loop.kind is ForKind.UNROLLED else loop.replace(kind=ForKind.UNROLLED)

    def vector_store_nest(self, loop: For) -> Stmt:
        """Leave a nest to the code generator, and note the size that it will have."""
        self.size.steps = 1
        nest: Stmt = loop
        while isinstance(nest, For) and isinstance(nest.extent, IntImm):
            self.size.steps *= nest.extent.value
            self.size.unrolled += 1
            nest = nest.body
        return loop

    def iterations(self, loop: For, extent: int) -> Stmt:
        """Return the iterations of a loop."""
        if not self.options.simplifies or _defines_names(loop):
            self.has_new_constants = True
            return unroll(loop, extent)
        branch = loop.body
        if extent > 0 and isinstance(branch, IfThenElse) and _is_invariant(branch, loop.loop_var):
            return branch.replace(then_case=self.iterations(loop.replace(body=branch.then_case), extent))
        dtype = loop.loop_var.dtype
        bodies: list[Stmt] = []
        for step in range(extent):
            iteration = Iteration(loop.loop_var, index_add(loop.min, IntImm(dtype, step)))
            bodies.append(iteration.rewrite(loop.body))
            self.has_new_constants |= iteration.has_new_constants
            self.has_new_conditions |= iteration.has_new_conditions
        return flatten_seq(tuple(bodies), loop)

    @on(BufferStore, Evaluate)
    def leaf(self, node: Stmt) -> Stmt:
        self.size.steps += 1
        if self.options.unroll_local_access:
            for access in nodes(node):
                if isinstance(access, (BufferLoad, BufferStore)) and access.buffer.storage_scope in _LOCAL:
                    self.in_local |= uses(access.indices)
        return node

    @on(SeqStmt)
    def sequence(self, node: SeqStmt) -> Stmt:
        total = _Size(self.size.steps, self.size.loops, self.size.unrolled)
        stmts: list[Stmt] = []
        for stmt in node.seq:
            self.size = _Size()
            stmts.append(self.rewrite(stmt))
            total.steps += self.size.steps
            total.loops = max(total.loops, self.size.loops)
            total.unrolled = max(total.unrolled, self.size.unrolled)
        self.size = total
        if all(new is old for new, old in zip(stmts, node.seq, strict=True)):
            return node
        return flatten_seq(tuple(stmts), node)


def _is_invariant(branch: IfThenElse, var: Var) -> bool:
    """Return whether a branch without alternative is taken in all iterations of a loop, or in none."""
    condition = branch.condition
    return branch.else_case is None and var not in uses(condition) and effect_of(condition) <= CallEffect.PURE


def _defines_names(loop: For) -> bool:
    return any(node.schema.binds for node in nodes(loop.body))


def unroll(loop: For, extent: int) -> Stmt:
    """Return the iterations of a loop, with fresh definitions in each copy of the body."""
    if extent == 0:
        return NOOP
    dtype = loop.loop_var.dtype
    defines = _defines_names(loop)
    bodies = [
        copied(loop.body, {loop.loop_var: index_add(loop.min, IntImm(dtype, step))}, is_fresh=defines and step > 0)
        for step in range(extent)
    ]
    return seq(*bodies)


@dataclass(frozen=True)
class UnrollLoop(PrimFuncPass):
    """Replace `T.unroll` loops of constant extent by their iterations.

    A serial loop is unrolled too if all its iterations have at most `auto_max_step` stores and calls
    (`pragma_auto_unroll_max_step` sets it for a part of the program), or if its extent is at most `auto_max_extent`;
    innermost loops first, up to a nesting depth of `auto_max_depth`. With `explicit_unroll=False` such loops are only
    marked. With `unroll_local_access`, all serial loops are unrolled whose variables index local memory. A loop that
    would become more than `max_statements` statements becomes serial. Raises `CannotUnroll` for a `T.unroll` loop whose
    extent is not constant; with `is_lenient` it becomes serial. With `simplifies`, the iterations of a program that is
    simplified are simplified too, and conditions that all of them share are tested once. With `keeps_vector_nests`,
    nests of `T.unroll` loops around one store of a vector are left to the code generator, if addresses are linear in
    the variables.

    rewrite:
        for i in T.unroll(2):       A[0] = B[0]
            A[i] = B[i]         --> A[1] = B[1]
    """

    name = "tir.UnrollLoop"
    commutes_with = (
        "tir.AnnotateEntryFunc",
        "tir.BindTarget",
        "tir.ConvertForLoopsToSerial",
    )
    #: a second run may unroll the enclosing loops
    is_idempotent = False
    auto_max_step: int = 0
    auto_max_depth: int = 8
    auto_max_extent: int = 0
    explicit_unroll: bool = True
    unroll_local_access: bool = False
    max_statements: int = 8192
    is_lenient: bool = False
    simplifies: bool = False
    keeps_vector_nests: bool = False

    def transform(self, func: PrimFunc) -> PrimFunc:
        unroller = _Unroller(self)
        unrolled = func.with_body(unroller.rewrite(func.body))
        if not self.simplifies or not (unroller.has_new_constants or unroller.has_new_conditions):
            return unrolled
        simplify = Simplify().transform if unroller.has_new_constants else simplify_conditions
        return RemoveNoOp().transform(simplify(unrolled))
