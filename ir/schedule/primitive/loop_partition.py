"""Partition of a loop into consecutive loops: loop_partition."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tvmscript.ir.analysis.blocks.block_access import block_access
from tvmscript.ir.core import on
from tvmscript.ir.schedule.errors import ScheduleError
from tvmscript.ir.schedule.primitive.split_fuse import WrongFactorError, check_factors, check_no_annotation_or_binding
from tvmscript.ir.schedule.random_variables import ExprRV, LoopRV
from tvmscript.ir.schedule.recorder import Recorder, primitive
from tvmscript.ir.schedule.rewrite.block_rewriter import visible_buffers
from tvmscript.ir.schedule.tree import StmtRef, blocks_below, enclosing_blocks, realize_of
from tvmscript.ir.tir import Buffer, Expr, IntImm, IterKind, Range, Stmt, TirRewriter, Var
from tvmscript.ir.tir.stmt import Block, BlockRealize, For, ForKind, SeqStmt
from tvmscript.ir.tir.substitute import rename_definitions, substitute, uses


class SymbolicShapeError(ScheduleError, code="TS4123"):
    """`loop_partition` requires constant loop bounds and factors."""

    message = (
        "loop {loop} with min {start}, extent {extent} and factors {factors} cannot be partitioned: not all "
        "are constants"
    )


class PartitionedReductionError(ScheduleError, code="TS4158"):
    """A reduction loop cannot be partitioned while its block has an init: every part would run the init again."""

    message = (
        "loop {loop} cannot be partitioned: reduction axis {axis} of block {block} depends on it, and the "
        "block has an init"
    )
    advice = "move the init out of the loop by decompose_reduction first"


class LoopPartition(Recorder):
    """Loops."""

    @primitive(
        "LoopPartition",
        inputs=("loop", "*factors"),
        attrs=("preserve_unit_iters",),
    )
    def loop_partition(
        self, loop: LoopRV, factors: Sequence[int | ExprRV | Expr | None], preserve_unit_iters: bool = True
    ) -> list[LoopRV]:
        """Partition a loop into consecutive serial loops of these extents; the rest becomes the last one, or that for
        None.

        Each part gets a block of its own, and the blocks in it new names: `B` in loop `i` becomes `B_i0`, `B_i1`, ...
        Raises `NotSingleInferFactorError`, `NonPositiveFactorError`, `WrongFactorError`, `SymbolicShapeError`,
        `HasAnnotationOrThreadBindingError`, `PartitionedReductionError`.
        """
        ref = self.loop(loop)
        sizes = _part_sizes(ref.loop, [self.evaluate(factor) for factor in factors])
        check_no_annotation_or_binding(ref.loop)
        _check_reductions(ref)
        return self.new_loops(_partition(ref, sizes))


def _part_sizes(loop: For, factors: Sequence[Any]) -> list[int]:
    """Return the number of iterations of each part."""
    name, start, extent = loop.loop_var.name, loop.min, loop.extent
    given_factors = [factor for factor in factors if factor is not None]
    shown = f"[{', '.join(map(str, factors))}]"
    if (
        not isinstance(start, IntImm)
        or not isinstance(extent, IntImm)
        or not all(isinstance(n, int) for n in given_factors)
    ):
        raise SymbolicShapeError(loop=name, start=start, extent=extent, factors=shown, at=[loop])
    check_factors(loop, factors)
    rest = extent.value - sum(given_factors)
    if rest <= 0:
        rule = "the last part would be empty"
        raise WrongFactorError(factors=shown, loop=name, extent=extent, rule=rule, at=[loop])
    return [rest if size is None else size for size in (factors if None in factors else [*factors, None])]


def _check_reductions(ref: StmtRef) -> None:
    for block in blocks_below(ref):
        stmt = block.block
        for axis, value in zip(stmt.iter_vars, realize_of(block).iter_values, strict=True):
            is_reduced = stmt.init is not None and axis.iter_type is IterKind.COMM_REDUCE
            if is_reduced and ref.loop.loop_var in uses(value):
                raise PartitionedReductionError(
                    loop=ref.loop.loop_var.name, axis=axis.var.name, block=stmt.name_hint, at=[ref.loop, stmt]
                )


def _partition(ref: StmtRef, sizes: Sequence[int]) -> list[StmtRef]:
    loop = ref.loop
    name, dtype = loop.loop_var.name, loop.loop_var.dtype
    first = blocks_below(ref)
    prefix = f"{first[0].block.name_hint}_{name}" if first else name
    parts: list[Stmt] = []
    loops: list[For] = []
    assert isinstance(loop.min, IntImm), "see _part_sizes"
    start = loop.min.value
    visible = visible_buffers([*(block.block for block in first), *enclosing_blocks(ref)])
    for place, size in enumerate(sizes):
        variable = Var(f"{name}{place}", dtype)
        domain = Range.from_min_extent(IntImm(dtype, start), IntImm(dtype, size))
        body = substitute(loop.body, {loop.loop_var: variable})
        if place:
            body = rename_definitions(body)
        body = _PartRewriter(variable, domain).rewrite(body)
        loops.append(For(variable, domain.min, domain.extent, ForKind.SERIAL, body))
        parts.append(_make_opaque_block(f"{prefix}{place}_partition", loops[-1], visible))
        start += size
    stmt = _make_opaque_block(f"{prefix}_common", SeqStmt(tuple(parts)) if len(parts) > 1 else parts[0], visible)
    ref.tree.replace(ref, stmt)
    return [ref.tree.refs[part] for part in loops]


def _make_opaque_block(name: str, body: Stmt, visible: dict[Var, Buffer]) -> BlockRealize:
    """Make a block without axes, with the read and write regions of its body (in TVM they are empty)."""
    reads, writes = block_access(Block((), (), (), name, body), visible)
    return BlockRealize((), IntImm("bool", 1), Block((), reads, writes, name, body))


class _PartRewriter(TirRewriter):
    """Rename the blocks of a part, and restrict the domain of the axis that is bound to the loop.

    Read and write regions are unchanged; in TVM, each block gets those of the whole part.
    """

    def __init__(self, variable: Var, domain: Range) -> None:
        super().__init__()
        self.variable = variable
        self.values = domain

    @on(BlockRealize)
    def realize(self, node: BlockRealize) -> Stmt:
        block = node.block
        axes = [*block.iter_vars]
        place = next((place for place, value in enumerate(node.iter_values) if value is self.variable), None)
        if place is not None:
            axes[place] = axes[place].replace(dom=self.values)
        name = f"{block.name_hint}_{self.variable.name}"
        return node.replace(block=block.replace(name_hint=name, iter_vars=tuple(axes), body=self.rewrite(block.body)))
