"""Loop kinds: parallel, vectorize, bind, unroll."""

from __future__ import annotations

import re

from tvmscript.ir.core import closest, nodes
from tvmscript.ir.schedule.analysis.block_properties import check_subtree_compact_dataflow
from tvmscript.ir.schedule.analysis.merge_order import find_carried_dependence
from tvmscript.ir.schedule.analysis.repeated_reduction import check_no_reduction_is_repeated
from tvmscript.ir.schedule.errors import ScheduleError
from tvmscript.ir.schedule.instruction import Promises
from tvmscript.ir.schedule.primitive.reorder import ReorderedDependenceError
from tvmscript.ir.schedule.random_variables import LoopRV
from tvmscript.ir.schedule.recorder import Recorder, primitive
from tvmscript.ir.schedule.tree import StmtRef, Tree, blocks_below
from tvmscript.ir.tir import (
    Block,
    BlockRealize,
    For,
    ForKind,
    IfThenElse,
    IterKind,
    IterVar,
    SeqStmt,
    Stmt,
    Var,
    is_block_axis,
    uses,
)

_AXIS_KINDS = ("blockIdx", "threadIdx", "clusterCtaIdx", "vthread")
_THREAD_AXES = tuple(f"{name}.{axis}" for name in _AXIS_KINDS for axis in "xyz")
#: TVM accepts any letter as the dimension; names of virtual threads are free
_THREAD_AXIS_PATTERN = re.compile(r"(blockIdx|threadIdx|clusterCtaIdx)\.[xyz]|vthread(\.\w)?")
#: axes of threads that may reduce together
_REDUCING_AXES = tuple(f"{name}.{axis}" for name in ("threadIdx", "clusterCtaIdx") for axis in "xyz")

#: primitives that set the kind of a loop; they commute
_KINDS = ("parallel", "vectorize", "unroll", "bind")

#: kind of loop -> its text in a message
_KIND_TEXT = {
    ForKind.PARALLEL: "parallel",
    ForKind.VECTORIZED: "vectorized",
    ForKind.THREAD_BINDING: "bound to {thread}",
}


class WrongBlockIterTypeError(ScheduleError, code="TS4122"):
    """A loop can run in parallel only if every axis that depends on it is spatial. Reduction axes may be bound to
    `threadIdx`, also to `clusterCtaIdx`: a cross-thread reduction.
    """

    message = "loop {loop} cannot be {kind}: axis {axis} of block {block} depends on it and is not spatial"
    advice = "turn the reduction loop into a spatial one by rfactor; apply decompose_reduction after this primitive"


class UnknownThreadAxis(ScheduleError, code="TS4155"):
    """A loop is bound to an unknown thread axis."""

    message = "unknown thread axis {thread}"


class ForKinds(Recorder):
    """Loop kinds."""

    @primitive("Parallel", inputs=("loop",), promises=Promises(is_idempotent=True, commutes_with=_KINDS))
    def parallel(self, loop: LoopRV) -> None:
        """Run the iterations of a loop in parallel on CPU cores.

        Raises `NotCompactDataFlowError`, `WrongBlockIterTypeError`, `RepeatedReductionError`,
        `ReorderedDependenceError`.
        """
        self._set_parallel_kind(self.loop(loop), ForKind.PARALLEL)

    @primitive("Vectorize", inputs=("loop",), promises=Promises(is_idempotent=True, commutes_with=_KINDS))
    def vectorize(self, loop: LoopRV) -> None:
        """Vectorize a loop: run its iterations as vector lanes.

        Raises `NotCompactDataFlowError`, `WrongBlockIterTypeError`, `RepeatedReductionError`,
        `ReorderedDependenceError`.
        """
        self._set_parallel_kind(self.loop(loop), ForKind.VECTORIZED)

    @primitive(
        "Bind",
        inputs=("loop",),
        attrs=("thread_axis",),
        promises=Promises(is_exact=False, is_idempotent=True, commutes_with=_KINDS),
    )
    def bind(self, loop: LoopRV, thread_axis: str) -> None:
        """Bind a loop to a thread axis: blockIdx.x, threadIdx.x, clusterCtaIdx.x, vthread.x, ... (or y, z).

        `clusterCtaIdx` are the blocks of a cluster (sm_90a). Without a loop over `blockIdx` of the same letter there is
        one cluster along it.

        Raises `UnknownThreadAxis`, `NotCompactDataFlowError`, `WrongBlockIterTypeError`, `RepeatedReductionError`,
        `ReorderedDependenceError`.
        """
        if _THREAD_AXIS_PATTERN.fullmatch(thread_axis) is None:
            hint = closest(thread_axis, _THREAD_AXES) or f"thread axes are {', '.join(_THREAD_AXES)}"
            raise UnknownThreadAxis(thread=thread_axis, at=[self.loop(loop).loop], legal=hint)
        self._set_parallel_kind(self.loop(loop), ForKind.THREAD_BINDING, thread_axis)

    @primitive("Unroll", inputs=("loop",), promises=Promises(is_idempotent=True, commutes_with=_KINDS))
    def unroll(self, loop: LoopRV) -> None:
        """Unroll a loop."""
        ref = self.loop(loop)
        ref.tree.replace(ref, ref.loop.replace(kind=ForKind.UNROLLED, thread_binding=None))

    def _set_parallel_kind(self, ref: StmtRef, kind: ForKind, thread: str | None = None) -> None:
        loop = ref.loop
        if self.enable_check:
            check_subtree_compact_dataflow(ref)
            check_no_reduction_is_repeated(ref, kind)
            check_independent(ref)
        _check_axes(loop, kind, thread)
        axis = None
        if thread is not None:
            axis = IterVar(None, Var(thread, loop.loop_var.dtype), IterKind.THREAD_INDEX, thread)
        ref.tree.replace(ref, loop.replace(kind=kind, thread_binding=axis))
        if self.enable_check and thread is not None and is_block_axis(thread):
            # global memory of one iteration of a loop may be outside of it now
            for other in _parallel_loops(ref.tree):
                check_independent(other)


def _parallel_loops(tree: Tree) -> list[StmtRef]:
    """Return the loops of a function whose iterations run side by side."""
    loops = [ref for ref in tree.refs.values() if not ref.is_block]
    return [ref for ref in loops if ref.loop.kind not in (ForKind.SERIAL, ForKind.UNROLLED)]


def check_independent(ref: StmtRef) -> None:
    """Raise `ReorderedDependenceError` if a block uses what another one writes in other iterations of the loop."""
    accesses = find_carried_dependence(ref)
    if accesses is not None:
        first, second = (
            next(block for block in blocks_below(ref) if access.stmt in nodes(block.block)).block for access in accesses
        )
        raise ReorderedDependenceError(
            loops=ref.loop.loop_var.name,
            buffer=accesses[0].buffer.name,
            first=first.name_hint,
            second=second.name_hint,
            at=[ref.loop, first, second],
        )


def copy_thread_binding(loop: For) -> IterVar | None:
    """Return the thread axis for a copy of a loop, with a new variable; None if the loop is not bound."""
    thread = loop.thread_binding
    return None if thread is None else thread.replace(var=thread.var.replace())


def _check_axes(loop: For, kind: ForKind, thread: str | None) -> None:
    """Raise `WrongBlockIterTypeError` unless the axes that depend on the loop can run in parallel."""
    variable = loop.loop_var
    allowed = [IterKind.DATA_PAR, IterKind.COMM_REDUCE] if thread in _REDUCING_AXES else [IterKind.DATA_PAR]
    stack: list[Stmt] = [loop.body]
    while stack:
        stmt = stack.pop()
        if isinstance(stmt, BlockRealize):
            block = stmt.block
            for axis, value in zip(block.iter_vars, stmt.iter_values, strict=True):
                if axis.iter_type not in allowed and (value is variable or variable in uses(value)):
                    raise WrongBlockIterTypeError(
                        loop=variable.name,
                        kind=_KIND_TEXT[kind].format(thread=thread),
                        axis=axis.var.name,
                        block=block.name_hint,
                        at=[loop, block],
                    )
            stack.append(block)
        elif isinstance(stmt, SeqStmt):
            stack += reversed(stmt.seq)
        elif isinstance(stmt, IfThenElse):
            stack += [case for case in (stmt.else_case, stmt.then_case) if case is not None]
        elif isinstance(stmt, Block) or getattr(stmt, "body", None) is not None:
            stack.append(stmt.body)  # type: ignore[attr-defined]  # one of the statements around a body
