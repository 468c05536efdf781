"""Bind each thread axis of a kernel by one loop around the kernel."""

from __future__ import annotations

from dataclasses import dataclass

from tvmscript.ir.arith.analyzer import Analyzer
from tvmscript.ir.arith.fold import cast
from tvmscript.ir.core import on
from tvmscript.ir.tir import LAUNCHES, AttrStmt, For, ForKind, PrimFunc, Stmt, TirRewriter, Var
from tvmscript.ir.tir.expr import IntImm, IterKind, IterVar, Range
from tvmscript.ir.transform.base import PrimFuncPass
from tvmscript.ir.transform.errors import ThreadsDiffer


class _BindingUnifier(TirRewriter):
    def __init__(self) -> None:
        super().__init__()
        #: tag -> variable and domain, in the current kernel
        self.axes: dict[str, tuple[Var, Range]] = {}
        #: number of enclosing thread-bound statements
        self.depth = 0
        self.analyzer = Analyzer()

    @on(AttrStmt)
    def attribute(self, node: AttrStmt) -> Stmt:
        axis = node.node
        if node.attr_key not in LAUNCHES or not isinstance(axis, IterVar):
            return self.descend(node)
        domain = axis.dom or Range.from_extent(node.value)
        return self.unify(node, axis.var, axis.thread_tag, domain)

    @on(For)
    def loop(self, node: For) -> Stmt:
        if node.kind is not ForKind.THREAD_BINDING or node.thread_binding is None:
            return self.descend(node)
        is_root = self.depth == 0
        stmt = self.unify(
            node, node.loop_var, node.thread_binding.thread_tag, Range.from_min_extent(node.min, node.extent)
        )
        if not node.annotations:
            return stmt
        if is_root and isinstance(stmt, For):
            return stmt.replace(annotations=node.annotations)
        # a unit loop keeps the annotations of the removed loop
        dtype = node.loop_var.dtype
        unit_var = Var("var", dtype)
        return For(unit_var, IntImm(dtype, 0), IntImm(dtype, 1), ForKind.SERIAL, stmt, None, node.annotations)

    def unify(self, node: For | AttrStmt, var: Var, tag: str, domain: Range) -> Stmt:
        """Rewrite the body with the variable of the axis; add the thread loops around a kernel."""
        if self.depth == 0:
            self.axes = {}
        axis_entry = self.axes.get(tag)
        if axis_entry is None:
            axis_entry = self.axes[tag] = Var(tag, domain.extent.dtype), domain
        else:
            check_same_threads(self.analyzer, axis_entry[1], domain, tag)
        self.renamed[var] = cast(var.dtype, axis_entry[0])
        self.depth += 1
        stmt: Stmt = self.rewrite(node.body)
        self.depth -= 1
        if self.depth == 0:
            for name, (axis, threads) in reversed(self.axes.items()):
                binding = IterVar(None, Var("", axis.dtype), IterKind.THREAD_INDEX, name)
                stmt = For(axis, threads.min, threads.extent, ForKind.THREAD_BINDING, stmt, binding, span=node.span)
        return stmt


@dataclass(frozen=True)
class UnifyThreadBinding(PrimFuncPass):
    """Bind each thread axis of a kernel by one loop around the kernel; thread launches become loops too.

    A kernel is the outermost statement that is bound to a thread axis. Annotations of removed loops are kept at unit
    loops in their place. Raises `ThreadsDiffer` if two loops over an axis have different domains.

    rewrite:
        for bx in T.thread_binding(8, "blockIdx.x"):        for bx in T.thread_binding(8, "blockIdx.x"):
            for tx in T.thread_binding(32, "threadIdx.x"):      for tx in T.thread_binding(32, "threadIdx.x"):
                A[bx, tx] = 0.0                     -->             A[bx, tx] = 0.0
            for tx in T.thread_binding(32, "threadIdx.x"):          B[bx, tx] = 0.0
                B[bx, tx] = 0.0
    """

    name = "tir.UnifyThreadBinding"
    is_idempotent = True
    looks_for = frozenset({ForKind.THREAD_BINDING, *LAUNCHES})
    skips_te = True

    def transform(self, func: PrimFunc) -> PrimFunc:
        return func.with_body(_BindingUnifier().rewrite(func.body))


def check_same_threads(analyzer: Analyzer, first: For | Range, other: For | Range, tag: str) -> None:
    """Raise `ThreadsDiffer` unless both domains of a thread axis are provably equal."""
    is_same = analyzer.can_prove_equal(first.min, other.min) and analyzer.can_prove_equal(first.extent, other.extent)
    if not is_same:
        raise ThreadsDiffer(tag=tag, first=_format_domain(first), other=_format_domain(other), span=other.span)


def _format_domain(domain: For | Range) -> str:
    return f"[{domain.min}, {domain.min} + {domain.extent})"
