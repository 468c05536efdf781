"""How the iterations of a loop run: parallel, vectorize, bind, unroll."""

from __future__ import annotations

import re

from tvmscript.ir.core.suggestions import closest
from tvmscript.ir.schedule.analysis.block_properties import check_subtree_compact_dataflow
from tvmscript.ir.schedule.analysis.repeated_reduction import check_no_reduction_is_repeated
from tvmscript.ir.schedule.errors import ScheduleError
from tvmscript.ir.schedule.instruction import Promises
from tvmscript.ir.schedule.random_variables import LoopRV
from tvmscript.ir.schedule.recorder import Recorder, primitive
from tvmscript.ir.schedule.tree import StmtRef
from tvmscript.ir.tir.base import Stmt
from tvmscript.ir.tir.expr import IterKind, IterVar
from tvmscript.ir.tir.stmt import Block, BlockRealize, For, ForKind, IfThenElse, SeqStmt
from tvmscript.ir.tir.substitute import uses
from tvmscript.ir.tir.var import Var

_THREAD_AXES = tuple(f"{name}.{axis}" for name in ("blockIdx", "threadIdx", "vthread") for axis in "xyz")
#: TVM takes any letter behind the name
_THREAD_AXIS_PATTERN = re.compile(r"(blockIdx|threadIdx)\.\w|vthread(\.\w)?")
_THREAD_INDICES = ("threadIdx.x", "threadIdx.y", "threadIdx.z")

#: primitives of one loop each
_KINDS = ("parallel", "vectorize", "unroll", "bind")

#: What a loop becomes, in a message
_KIND_TEXT = {
    ForKind.PARALLEL: "parallel",
    ForKind.VECTORIZED: "vectorized",
    ForKind.THREAD_BINDING: "bound to {thread}",
}


class WrongBlockIterTypeError(ScheduleError):
    """Iterations run side by side where every axis that depends on the loop is spatial; a reduction axis may only be
    bound to `threadIdx`, as a reduction over threads.
    """

    code = "TS4122"
    message = "the loop {loop} cannot be {kind}: the axis {axis} of block {block} depends on it and is not spatial"
    advice = "rfactor makes a spatial axis of a reduction loop; decompose_reduction goes behind this step"


class UnknownThreadAxis(ScheduleError):
    """A loop is bound to something that is no axis of threads."""

    code = "TS4155"
    message = "there is no thread axis {thread}"


class ForKinds(Recorder):
    """parallel, vectorize, bind, unroll."""

    @primitive("Parallel", inputs=("loop",), promises=Promises(is_idempotent=True, commutes_with=_KINDS))
    def parallel(self, loop: LoopRV) -> None:
        """Run the iterations of a loop on the cores of the processor.

        Raises `NotCompactDataFlowError`, `WrongBlockIterTypeError`, `RepeatedReductionError`.
        """
        self._side_by_side(self.loop(loop), ForKind.PARALLEL)

    @primitive("Vectorize", inputs=("loop",), promises=Promises(is_idempotent=True, commutes_with=_KINDS))
    def vectorize(self, loop: LoopRV) -> None:
        """Run the iterations of a loop as the lanes of vectors.

        Raises `NotCompactDataFlowError`, `WrongBlockIterTypeError`.
        """
        self._side_by_side(self.loop(loop), ForKind.VECTORIZED)

    @primitive(
        "Bind",
        inputs=("loop",),
        attrs=("thread_axis",),
        promises=Promises(is_exact=False, is_idempotent=True, commutes_with=_KINDS),
    )
    def bind(self, loop: LoopRV, thread_axis: str) -> None:
        """Run the iterations of a loop on threads: blockIdx.x, threadIdx.x, vthread.x, ... (and y, z).

        Raises `UnknownThreadAxis`, `NotCompactDataFlowError`, `WrongBlockIterTypeError`, `RepeatedReductionError`.
        """
        if _THREAD_AXIS_PATTERN.fullmatch(thread_axis) is None:
            hint = closest(thread_axis, _THREAD_AXES) or f"the axes are {', '.join(_THREAD_AXES)}"
            raise UnknownThreadAxis(thread=thread_axis, at=[self.loop(loop).loop], legal=hint)
        self._side_by_side(self.loop(loop), ForKind.THREAD_BINDING, thread_axis)

    @primitive("Unroll", inputs=("loop",), promises=Promises(is_idempotent=True, commutes_with=_KINDS))
    def unroll(self, loop: LoopRV) -> None:
        """Write the iterations of a loop one after the other."""
        ref = self.loop(loop)
        ref.tree.replace(ref, ref.loop.replace(kind=ForKind.UNROLLED, thread_binding=None))

    def _side_by_side(self, ref: StmtRef, kind: ForKind, thread: str | None = None) -> None:
        loop = ref.loop
        if self.enable_check:
            check_subtree_compact_dataflow(ref)
            check_no_reduction_is_repeated(ref, kind)
        _check_axes(loop, kind, thread)
        axis = None
        if thread is not None:
            axis = IterVar(None, Var(thread, loop.loop_var.dtype), IterKind.THREAD_INDEX, thread)
        ref.tree.replace(ref, loop.replace(kind=kind, thread_binding=axis))


def copy_thread_binding(loop: For) -> IterVar | None:
    """The thread axis for a copy of a loop, with a variable of its own; None where the loop has none."""
    thread = loop.thread_binding
    return None if thread is None else thread.replace(var=thread.var.replace())


def _check_axes(loop: For, kind: ForKind, thread: str | None) -> None:
    """Raise `WrongBlockIterTypeError` unless the axes that depend on the loop can run side by side."""
    variable = loop.loop_var
    allowed = [IterKind.DATA_PAR, IterKind.COMM_REDUCE] if thread in _THREAD_INDICES else [IterKind.DATA_PAR]
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
