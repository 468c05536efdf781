"""Each thread axis of a kernel is bound by one loop, around all that runs on it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, ClassVar

from tvmscript.ir.analysis.statements import StatementVisitor
from tvmscript.ir.arith.analyzer import Analyzer
from tvmscript.ir.arith.fold import cast
from tvmscript.ir.core.visit import on
from tvmscript.ir.tir.base import Stmt
from tvmscript.ir.tir.expr import IterKind, IterVar
from tvmscript.ir.tir.function import PrimFunc
from tvmscript.ir.tir.rewrite import TirRewriter
from tvmscript.ir.tir.stmt import For, ForKind
from tvmscript.ir.tir.var import Var
from tvmscript.ir.transform.base import PrimFuncPass
from tvmscript.ir.transform.threads.unify_thread_binding import check_same_threads


@dataclass
class _Axis:
    """The loops of a kernel that are bound to one thread axis."""

    #: the one that comes first
    first: For
    var: Var
    #: loops that are around all of them; the last one gets the new loop
    around: list[For]
    annotations: dict[str, Any] = field(default_factory=dict)


class _Kernel(StatementVisitor):
    """The thread axes of a kernel, in order of their first loops."""

    def __init__(self, root: For, analyzer: Analyzer) -> None:
        self.axes: dict[str, _Axis] = {}
        #: loop variable -> the axis' variable
        self.vars: dict[Var, Var] = {}
        self.stack: list[For] = []
        self.analyzer = analyzer
        self.visit(root)

    @on(For)
    def loop(self, node: For) -> None:
        self.stack.append(node)
        self.visit(node.body)
        if node.kind is ForKind.THREAD_BINDING and node.thread_binding is not None:
            self.add(node, node.thread_binding.thread_tag)
        self.stack.pop()

    def add(self, node: For, tag: str) -> None:
        axis = self.axes.get(tag)
        if axis is None:
            axis = self.axes[tag] = _Axis(node, Var(tag, node.loop_var.dtype), list(self.stack))
        else:
            check_same_threads(self.analyzer, axis.first, node, tag)
            pairs = zip(axis.around, self.stack, strict=False)
            axis.around = [mine for mine, other in pairs if mine is other]
        axis.annotations.update(node.annotations)
        self.vars[node.loop_var] = axis.var


class _Lifting(TirRewriter):
    def __init__(self) -> None:
        super().__init__()
        #: loop -> the axes that are bound in it, the innermost one first
        self.bound: dict[For, list[_Axis]] | None = None
        self.analyzer = Analyzer()

    @on(For)
    def loop(self, node: For) -> Stmt:
        is_thread = node.kind is ForKind.THREAD_BINDING
        is_root = is_thread and self.bound is None
        if is_root:
            self.begin(_Kernel(node, self.analyzer))
        body: Stmt = self.rewrite(node.body)
        for axis in (self.bound or {}).get(node, ()):
            first, tag = axis.first, axis.var.name
            binding = IterVar(None, Var(tag, axis.var.dtype), IterKind.THREAD_INDEX, tag)
            kind = ForKind.THREAD_BINDING
            body = For(axis.var, first.min, first.extent, kind, body, binding, axis.annotations, span=first.span)
        if is_root:
            self.bound = None
        if is_thread:
            return body
        start, extent = self.rewrite(node.min), self.rewrite(node.extent)
        if body is node.body and start is node.min and extent is node.extent:
            return node
        return For(node.loop_var, start, extent, node.kind, body, None, node.annotations, span=node.span)

    def begin(self, kernel: _Kernel) -> None:
        self.bound = {}
        # of two that are alike, the one whose loop ends last is further inside
        axes = list(kernel.axes.values())[::-1]
        for axis in sorted(axes, key=_depth):
            self.bound.setdefault(axis.around[-1], []).append(axis)
        self.renamed.update({old: cast(old.dtype, new) for old, new in kernel.vars.items()})


def _depth(axis: _Axis) -> int:
    """Where an axis is bound among those of the same place: 0 for the innermost."""
    name, _, letter = axis.var.name.partition(".")
    return {"threadIdx": 0, "blockIdx": 1}.get(name, 2 if letter else 3)


@dataclass(frozen=True)
class LiftThreadBinding(PrimFuncPass):
    """Loops that are bound to the same thread axis become one, as far inside as all of them allow.

    It is the axis' only loop in its kernel, with the annotations of all of them. A kernel is the outermost loop that
    is bound to a thread axis. Raises `ThreadsDiffer` where two of them do not run over the same threads.

    rewrite:
        for bx in T.thread_binding(8, "blockIdx.x"):        for bx in T.thread_binding(8, "blockIdx.x"):
            for k in range(4):                                  for tx in T.thread_binding(32, "threadIdx.x"):
                for tx in T.thread_binding(32, "threadIdx.x"):      for k in range(4):
                    ...                                     -->         ...
            for tx in T.thread_binding(32, "threadIdx.x"):          ...
                ...
    """

    name: ClassVar[str] = "tir.LiftThreadBinding"
    looks_for = frozenset({ForKind.THREAD_BINDING})

    def transform(self, func: PrimFunc) -> PrimFunc:
        return func.with_body(_Lifting().rewrite(func.body))
