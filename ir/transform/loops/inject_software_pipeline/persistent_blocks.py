"""Persistent blocks: a given number of blocks shares the iterations of a loop, also where it does not divide them.

They may form clusters, which are neighbours: their blocks run neighbouring iterations at the same time.
"""

from __future__ import annotations

from typing import Final

from tvmscript.ir.core import IRError, on
from tvmscript.ir.tir import NOOP, Expr, For, ForKind, IntImm, IterKind, IterVar, StatementRewriter, Stmt, Var
from tvmscript.ir.tir.expr import Add, FloorDiv, Mul, Sub
from tvmscript.ir.tir.substitute import copied
from tvmscript.ir.transform.loops.inject_software_pipeline.buffer_versions import make_op
from tvmscript.ir.transform.loops.inject_software_pipeline.bulk_copies import CLUSTER_TAG, constant_extent

#: annotation of a loop: how many blocks share its iterations; a second number says how many of them are a cluster
PERSISTENT: Final = "persistent_blocks"
_TAG: Final = "blockIdx.x"


class CannotShareLoop(IRError, code="TS4099"):
    """Blocks of a launch cannot share the iterations of a loop with the annotation `persistent_blocks`. The annotation
    is a positive number of blocks; a second number, where it has one, says how many are a cluster, and divides the
    blocks and the iterations. The loop is serial, in the threads of a launch that has no other blocks.
    """

    message = "blocks cannot share the loop over {loop}: {problem}"


class _Sharer(StatementRewriter):
    def __init__(self) -> None:
        super().__init__()
        #: axes of the launch around
        self.axes: list[For] = []
        #: the axes of the blocks that share a loop of the launch, without a body
        self.blocks: list[For] = []

    @on(For)
    def loop(self, node: For) -> Stmt:
        if node.thread_binding is None:
            inner: For = self.descend(node)
            return self.share(inner) if PERSISTENT in node.annotations else inner
        self.axes.append(node)
        launch: For = self.descend(node)
        self.axes.pop()
        if self.axes:
            return launch
        for axis in reversed(self.blocks):
            launch = axis.replace(body=launch)
        self.blocks = []
        return launch

    def share(self, loop: For) -> For:
        """Return the iterations of a loop that one of the blocks runs: each one that is a grid after the last."""
        count, size = _numbers(loop.annotations[PERSISTENT])
        problem = self._problem(loop, count, size)
        if problem is not None:
            raise CannotShareLoop(loop=loop.loop_var.name, problem=problem, span=loop.span)
        dtype = loop.loop_var.dtype
        grid = IntImm(dtype, count)
        block, turn = Var("block", dtype), loop.loop_var.replace()
        self.blocks = [_axis(_TAG, block, grid)]
        if size > 1:
            self.blocks.append(_axis(CLUSTER_TAG, Var("rank", dtype), IntImm(dtype, size)))
        last: Expr = make_op(Sub, make_op(Add, loop.extent, count - 1), block)
        iteration = make_op(Add, loop.min, make_op(Add, make_op(Mul, turn, grid), block))
        others = {key: value for key, value in loop.annotations.items() if key != PERSISTENT}
        return loop.replace(
            loop_var=turn,
            min=IntImm(dtype, 0),
            extent=make_op(FloorDiv, last, grid),
            body=copied(loop.body, {loop.loop_var: iteration}, is_fresh=False),
            annotations=others,
        )

    def _problem(self, loop: For, count: int, size: int) -> str | None:
        if count < 1:
            return "the annotation is no positive number"
        if size < 1 or count % size or (size > 1 and (constant_extent(loop) < 1 or constant_extent(loop) % size)):
            return "its blocks and iterations are no whole clusters"
        if loop.kind is not ForKind.SERIAL:
            return "it is not serial"
        if not self.axes:
            return "it is in no launch"
        tags = [each.thread_binding.thread_tag for each in self.axes if each.thread_binding is not None]
        if self.blocks or any(tag.startswith("blockIdx") for tag in tags):
            return "the launch has blocks"
        return None


def _axis(tag: str, var: Var, extent: IntImm) -> For:
    """Return an axis of a launch without a body."""
    axis = IterVar(None, Var(tag, var.dtype), IterKind.THREAD_INDEX, tag)
    return For(var, IntImm(var.dtype, 0), extent, ForKind.THREAD_BINDING, NOOP, axis)


def _numbers(annotation: object) -> tuple[int, int]:
    """Return how many blocks there are and how many form a cluster; 0 where the annotation does not say it."""
    given = annotation if isinstance(annotation, tuple) else (annotation,)
    numbers = [each.value for each in given if isinstance(each, IntImm)]
    if len(numbers) != len(given) or not 1 <= len(numbers) <= 2:
        return 0, 0
    return numbers[0], numbers[1] if len(numbers) > 1 else 1


def share_loops(body: Stmt) -> Stmt:
    """Let blocks share the loops with the annotation `persistent_blocks`. Raises `CannotShareLoop`."""
    shared: Stmt = _Sharer().rewrite(body)
    return shared
