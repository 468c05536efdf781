"""Bind each thread axis of a kernel by one loop, as far inside as possible."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from tvmscript.ir.analysis.statements import StatementVisitor
from tvmscript.ir.arith.analyzer import Analyzer
from tvmscript.ir.arith.fold import cast
from tvmscript.ir.core import on
from tvmscript.ir.tir import For, ForKind, IterKind, IterVar, PrimFunc, Stmt, TirRewriter, Var
from tvmscript.ir.transform.base import PrimFuncPass
from tvmscript.ir.transform.threads.unify_thread_binding import check_same_threads


@dataclass
class _Axis:
    """The loops of a kernel that are bound to one thread axis."""

    #: the first loop
    first: For
    var: Var
    #: common enclosing loops; the new loop goes into the last one
    enclosing: list[For]
    annotations: dict[str, Any] = field(default_factory=dict)


class _Kernel(StatementVisitor):
    """The thread axes of a kernel, in order of their first loops."""

    def __init__(self, root: For, analyzer: Analyzer) -> None:
        self.axes: dict[str, _Axis] = {}
        #: loop variable -> variable of its axis
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
            pairs = zip(axis.enclosing, self.stack, strict=False)
            axis.enclosing = [mine for mine, other in pairs if mine is other]
        axis.annotations.update(node.annotations)
        self.vars[node.loop_var] = axis.var


class _BindingLifter(TirRewriter):
    def __init__(self) -> None:
        super().__init__()
        #: loop -> the axes to bind in it, innermost first
        self.axes_of: dict[For, list[_Axis]] | None = None
        self.analyzer = Analyzer()

    @on(For)
    def loop(self, node: For) -> Stmt:
        is_thread = node.kind is ForKind.THREAD_BINDING
        is_root = is_thread and self.axes_of is None
        if is_root:
            self.begin(_Kernel(node, self.analyzer))
        body: Stmt = self.rewrite(node.body)
        for axis in (self.axes_of or {}).get(node, ()):
            first, tag = axis.first, axis.var.name
            binding = IterVar(None, Var(tag, axis.var.dtype), IterKind.THREAD_INDEX, tag)
            kind = ForKind.THREAD_BINDING
            body = For(axis.var, first.min, first.extent, kind, body, binding, axis.annotations, span=first.span)
        if is_root:
            self.axes_of = None
        if is_thread:
            return body
        start, extent = self.rewrite(node.min), self.rewrite(node.extent)
        if body is node.body and start is node.min and extent is node.extent:
            return node
        return For(node.loop_var, start, extent, node.kind, body, None, node.annotations, span=node.span)

    def begin(self, kernel: _Kernel) -> None:
        self.axes_of = {}
        # of axes of equal depth, the one whose loop ends last is innermost
        axes = list(kernel.axes.values())[::-1]
        for axis in sorted(axes, key=_depth):
            self.axes_of.setdefault(axis.enclosing[-1], []).append(axis)
        self.renamed.update({old: cast(old.dtype, new) for old, new in kernel.vars.items()})


def _depth(axis: _Axis) -> int:
    """Return the nesting order of an axis among axes in the same loop: 0 is innermost."""
    name, _, letter = axis.var.name.partition(".")
    return {"threadIdx": 0, "blockIdx": 1}.get(name, 2 if letter else 3)


@dataclass(frozen=True)
class LiftThreadBinding(PrimFuncPass):
    """Merge the loops of a kernel that are bound to the same thread axis, and lift the loop to their common ancestor.

    The merged loop has the annotations of all of them. A kernel is the outermost loop that is bound to a thread axis.
    Raises `ThreadsDiffer` if two of the loops have different domains.

    rewrite:
        for bx in T.thread_binding(8, "blockIdx.x"):        for bx in T.thread_binding(8, "blockIdx.x"):
            for k in range(4):                                  for tx in T.thread_binding(32, "threadIdx.x"):
                for tx in T.thread_binding(32, "threadIdx.x"):      for k in range(4):
                    ...                                     -->         ...
            for tx in T.thread_binding(32, "threadIdx.x"):          ...
                ...
    """

    name = "tir.LiftThreadBinding"
    is_idempotent = True
    looks_for = frozenset({ForKind.THREAD_BINDING})

    def transform(self, func: PrimFunc) -> PrimFunc:
        return func.with_body(_BindingLifter().rewrite(func.body))
