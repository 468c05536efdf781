"""All threads of a kernel are launched where it begins, each axis once."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from tvmscript.ir.arith.analyzer import Analyzer
from tvmscript.ir.arith.fold import cast
from tvmscript.ir.core.visit import on
from tvmscript.ir.tir.base import Stmt
from tvmscript.ir.tir.expr import IntImm, IterKind, IterVar, Range
from tvmscript.ir.tir.function import PrimFunc
from tvmscript.ir.tir.rewrite import TirRewriter
from tvmscript.ir.tir.stmt import LAUNCHES, AttrStmt, For, ForKind
from tvmscript.ir.tir.var import Var
from tvmscript.ir.transform.base import PrimFuncPass
from tvmscript.ir.transform.errors import ThreadsDiffer


class _Unification(TirRewriter):
    def __init__(self) -> None:
        super().__init__()
        #: tag -> variable and domain, of the kernel at hand
        self.axes: dict[str, tuple[Var, Range]] = {}
        #: thread-bound statements around
        self.depth = 0
        self.analyzer = Analyzer()

    @on(AttrStmt)
    def attribute(self, node: AttrStmt) -> Stmt:
        about: Any = node.node
        if node.attr_key not in LAUNCHES or not isinstance(about, IterVar):
            return self.descend(node)
        domain = about.dom or Range.from_min_extent(IntImm(node.value.dtype, 0), node.value)
        return self.bound(node, about.var, about.thread_tag, domain)

    @on(For)
    def loop(self, node: For) -> Stmt:
        if node.kind is not ForKind.THREAD_BINDING or node.thread_binding is None:
            return self.descend(node)
        is_root = self.depth == 0
        made = self.bound(
            node, node.loop_var, node.thread_binding.thread_tag, Range.from_min_extent(node.min, node.extent)
        )
        if not node.annotations:
            return made
        if is_root and isinstance(made, For):
            return made.replace(annotations=node.annotations)
        # a loop of one step says what the loop said that is gone
        dtype = node.loop_var.dtype
        once = Var("var", dtype)
        return For(once, IntImm(dtype, 0), IntImm(dtype, 1), ForKind.SERIAL, made, None, node.annotations)

    def bound(self, node: For | AttrStmt, var: Var, tag: str, domain: Range) -> Stmt:
        """The body, where the variable is that of its axis; in front of a kernel's, the loops over its axes."""
        if self.depth == 0:
            self.axes = {}
        known = self.axes.get(tag)
        if known is None:
            known = self.axes[tag] = Var(tag, domain.extent.dtype), domain
        else:
            check_same_threads(self.analyzer, known[1], domain, tag)
        self.renamed[var] = cast(var.dtype, known[0])
        self.depth += 1
        made: Stmt = self.rewrite(node.body)
        self.depth -= 1
        if self.depth == 0:
            for name, (axis, threads) in reversed(self.axes.items()):
                binding = IterVar(None, Var("", axis.dtype), IterKind.THREAD_INDEX, name)
                made = For(axis, threads.min, threads.extent, ForKind.THREAD_BINDING, made, binding, span=node.span)
        return made


@dataclass(frozen=True)
class UnifyThreadBinding(PrimFuncPass):
    """Each thread axis of a kernel is bound by one loop, all of them around the kernel; its launches become loops.

    A kernel is the outermost statement that is bound to a thread axis. Annotations of loops that are gone stand at
    loops of one step in their places. Raises `ThreadsDiffer` where two loops over an axis differ.

    rewrite:
        for bx in T.thread_binding(8, "blockIdx.x"):        for bx in T.thread_binding(8, "blockIdx.x"):
            for tx in T.thread_binding(32, "threadIdx.x"):      for tx in T.thread_binding(32, "threadIdx.x"):
                A[bx, tx] = 0.0                     -->             A[bx, tx] = 0.0
            for tx in T.thread_binding(32, "threadIdx.x"):          B[bx, tx] = 0.0
                B[bx, tx] = 0.0
    """

    name: ClassVar[str] = "tir.UnifyThreadBinding"
    looks_for = frozenset({ForKind.THREAD_BINDING, *LAUNCHES})
    skips_te: ClassVar[bool] = True

    def transform(self, func: PrimFunc) -> PrimFunc:
        return func.with_body(_Unification().rewrite(func.body))


def check_same_threads(analyzer: Analyzer, first: For | Range, other: For | Range, tag: str) -> None:
    """Raise `ThreadsDiffer` unless both domains of a thread axis are provably equal."""
    is_same = analyzer.can_prove_equal(first.min, other.min) and analyzer.can_prove_equal(first.extent, other.extent)
    if not is_same:
        raise ThreadsDiffer(tag=tag, first=_format_domain(first), other=_format_domain(other), span=other.span)


def _format_domain(domain: For | Range) -> str:
    return f"[{domain.min}, {domain.min} + {domain.extent})"
