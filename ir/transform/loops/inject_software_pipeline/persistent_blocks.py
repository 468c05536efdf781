"""Persistent blocks: a given number of blocks shares the iterations of a loop, also where it does not divide them."""

from __future__ import annotations

from typing import Final

from tvmscript.ir.core import IRError, on
from tvmscript.ir.tir import Expr, For, ForKind, IntImm, IterKind, IterVar, StatementRewriter, Stmt, Var
from tvmscript.ir.tir.expr import Add, FloorDiv, Mul, Sub
from tvmscript.ir.tir.substitute import copied
from tvmscript.ir.transform.loops.inject_software_pipeline.buffer_versions import make_op

#: annotation of a loop: how many blocks share its iterations
PERSISTENT: Final = "persistent_blocks"
_TAG: Final = "blockIdx.x"


class CannotShareLoop(IRError, code="TS4099"):
    """Blocks of a launch cannot share the iterations of a loop with the annotation `persistent_blocks`. The annotation
    is a positive number of blocks. The loop is serial, in the threads of a launch that has no other blocks.
    """

    message = "blocks cannot share the loop over {loop}: {problem}"


class _Sharer(StatementRewriter):
    def __init__(self) -> None:
        super().__init__()
        #: axes of the launch around
        self.axes: list[For] = []
        #: the axis of the blocks that share a loop of the launch
        self.blocks: For | None = None

    @on(For)
    def loop(self, node: For) -> Stmt:
        if node.thread_binding is None:
            inner: For = self.descend(node)
            return self.share(inner) if PERSISTENT in node.annotations else inner
        self.axes.append(node)
        launch: For = self.descend(node)
        self.axes.pop()
        if self.axes or self.blocks is None:
            return launch
        launch, self.blocks = self.blocks.replace(body=launch), None
        return launch

    def share(self, loop: For) -> For:
        """Return the iterations of a loop that one of the blocks runs: each one that is a grid after the last."""
        count = loop.annotations[PERSISTENT]
        problem = self._problem(loop, count)
        if problem is not None or not isinstance(count, IntImm):
            raise CannotShareLoop(loop=loop.loop_var.name, problem=problem, span=loop.span)
        dtype = loop.loop_var.dtype
        grid = IntImm(dtype, count.value)
        block, turn = Var("block", dtype), loop.loop_var.replace()
        axis = IterVar(None, Var(_TAG, dtype), IterKind.THREAD_INDEX, _TAG)
        self.blocks = For(block, IntImm(dtype, 0), grid, ForKind.THREAD_BINDING, loop.body, axis, span=loop.span)
        last: Expr = make_op(Sub, make_op(Add, loop.extent, count.value - 1), block)
        iteration = make_op(Add, loop.min, make_op(Add, make_op(Mul, turn, grid), block))
        others = {key: value for key, value in loop.annotations.items() if key != PERSISTENT}
        return loop.replace(
            loop_var=turn,
            min=IntImm(dtype, 0),
            extent=make_op(FloorDiv, last, grid),
            body=copied(loop.body, {loop.loop_var: iteration}, is_fresh=False),
            annotations=others,
        )

    def _problem(self, loop: For, count: object) -> str | None:
        if not isinstance(count, IntImm) or count.value < 1:
            return "the annotation is no positive number"
        if loop.kind is not ForKind.SERIAL:
            return "it is not serial"
        if not self.axes:
            return "it is in no launch"
        tags = [each.thread_binding.thread_tag for each in self.axes if each.thread_binding is not None]
        if self.blocks is not None or any(tag.startswith("blockIdx") for tag in tags):
            return "the launch has blocks"
        return None


def share_loops(body: Stmt) -> Stmt:
    """Let blocks share the loops with the annotation `persistent_blocks`. Raises `CannotShareLoop`."""
    shared: Stmt = _Sharer().rewrite(body)
    return shared
