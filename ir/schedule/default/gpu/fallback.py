"""Anything: the data-parallel loops of each block over blocks and threads, reductions in a thread."""

from __future__ import annotations

from tvmscript.ir.core import Target, nodes, on
from tvmscript.ir.schedule.default.gpu.gpu_rule import GPURule, bind_elements, inline_all, most_threads
from tvmscript.ir.schedule.default.gpu.parallel_loops import launch_nests
from tvmscript.ir.schedule.random_variables import BlockRV
from tvmscript.ir.schedule.schedule import Schedule
from tvmscript.ir.tir import For, ForKind, PrimFunc, Stmt, TirRewriter
from tvmscript.ir.tir.stmt import LAUNCHES, AttrStmt


class Fallback(GPURule):
    """Bind the fused data-parallel loops of each block to blockIdx.x and threadIdx.x.

    Loops around blocks that no primitive binds, such as those of one that changes an array in place, are launched as by
    `ParallelLoops`. So are those of a schedule that binds none of them to threads; what it says of loops is dropped.

    rewrite:
        for i, j, k in T.grid(...): C[i, j] += ...  -->  one element a thread, k in order
    """

    def apply(self, func: PrimFunc, target: Target, tunable: bool) -> Schedule | None:
        """Return the scheduled function, None for one with threads."""
        sch = super().apply(func, target, tunable)
        if sch is not None or any(_is_launch(node) for node in nodes(func.body)):
            return sch
        return launch_nests(func.with_body(_SerialLoops().rewrite(func.body)), target)

    def schedule(self, sch: Schedule, root: BlockRV, target: Target) -> str | None:
        threads = most_threads(target)
        for block in inline_all(sch, root):
            if not bind_elements(sch, block, threads):
                return None
        return "one element a thread"


def _is_launch(node: object) -> bool:
    return (isinstance(node, For) and node.kind is ForKind.THREAD_BINDING) or (
        isinstance(node, AttrStmt) and node.attr_key in LAUNCHES
    )


class _SerialLoops(TirRewriter):
    """Make loops serial ones without annotations."""

    @on(For)
    def loop(self, node: For) -> Stmt:
        inner = self.descend(node)
        assert isinstance(inner, For)
        if inner.kind is ForKind.SERIAL and not inner.annotations:
            return inner
        return inner.replace(kind=ForKind.SERIAL, annotations={})
