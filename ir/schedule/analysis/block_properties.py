"""What primitives ask about blocks before they move them: TVM's affine bindings, covered regions, stage pipelines.

These facts are about the program's meaning, which primitives keep: what was found once holds from then on, also
where later it could not be found again. So they are found in the function as it was when the schedule began, or when
a primitive said that they are to be looked up anew (`recompute_facts`). Blocks that primitives made count as covered.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import cast

from tvmscript.ir.arith import fold
from tvmscript.ir.arith.fold import is_true
from tvmscript.ir.arith.iter_map.detect import detect_iter_map
from tvmscript.ir.core.visit import Visitor, on
from tvmscript.ir.schedule.analysis.bindings import loop_ranges
from tvmscript.ir.schedule.analysis.block_scope import find_write_after_read, is_member
from tvmscript.ir.schedule.analysis.region_cover import is_covered
from tvmscript.ir.schedule.errors import NonSingleChildBlockError, RootBlockError, ScheduleError
from tvmscript.ir.schedule.tree import Snapshot, StmtRef, blocks_below, loops_above, realize_of, scope_root
from tvmscript.ir.tir.base import Expr
from tvmscript.ir.tir.buffer import Buffer
from tvmscript.ir.tir.expr import Call, IntImm, IterKind
from tvmscript.ir.tir.stmt import Block, BlockRealize, BufferStore
from tvmscript.ir.tir.substitute import uses
from tvmscript.ir.tir.var import Var


class NotStagePipelineError(ScheduleError):
    """The blocks of the scope are no stages of a pipeline: a block reads more than is written before it, or a block
    writes a buffer that an earlier one reads. Moving blocks could change what is computed.
    """

    code = "TS4105"
    message = "the blocks in {scope} are no stages of a pipeline: {why}"


class IncompleteBlockError(ScheduleError):
    """A complete block is needed: its axes are spatial, it alone writes its buffers, and it reads none of them."""

    code = "TS4106"
    message = "block {block} is not complete: {why}"


class NotReductionBlockError(ScheduleError):
    """A reduction block is needed: with an init, affine bindings, spatial and reduction axes alone, the only writer of
    its buffers, which its reduction axes do not index.
    """

    code = "TS4107"
    message = "block {block} is no reduction block: {why}"


class NotCompleteOrReductionBlockError(ScheduleError):
    """The block is neither complete nor a reduction block."""

    code = "TS4108"
    message = "block {block} is not complete: {incomplete}; and it is no reduction block: {why}"


class NotCompactDataFlowError(ScheduleError):
    """Below the loop is a block that is neither complete nor a reduction block there: its iterations depend on others
    in ways that are not known.
    """

    code = "TS4109"
    message = "block {block} below {subtree} is not complete: {incomplete}; and it is no reduction block: {why}"


class NotAffineBindingError(ScheduleError):
    """The values of the axes of the block are no independent digits of the loops around it."""

    code = "TS4130"
    message = "the axes of block {block} are not bound affinely"


class OutputBlockError(ScheduleError):
    """The block writes a buffer that its scope does not allocate: what it writes is seen outside."""

    code = "TS4131"
    message = "block {block} writes {buffer}, which is seen outside of {scope}"
    advice = "reverse_compute_inline and reverse_compute_at take it to its producer instead"


class NotRegionCoverError(ScheduleError):
    """The block reads more of a buffer than the blocks before it write."""

    code = "TS4132"
    message = "block {block} reads more than the blocks before it write"


# facts that hold from when they were found


def is_affine_binding(block: StmtRef) -> bool:
    """Whether the values of the axes of a block are independent digits of the loops around it, in TVM's sense."""
    return _get_fact(block, "affine", _has_affine_binding)


def covers_region(block: StmtRef) -> bool:
    """Whether all that a block reads, of what is written before it in its scope, is written by then."""
    return block.origin is None or _get_fact(block, "covers", is_covered)


def is_stage_pipeline(scope: StmtRef) -> bool:
    """Whether the blocks in a block are stages of a pipeline: all covered, and none overwrites what was read."""
    return scope.origin is None or _get_fact(scope, "pipeline", lambda ref: _pipeline_violation(ref) is None)


def recompute_facts(scope: StmtRef) -> None:
    """Facts about a block and all blocks in it are found in the program as it is now."""
    tree = scope.tree
    now = Snapshot(tree.name, tree.func)
    stack = [scope]
    while stack:
        ref = stack.pop()
        tree.learn(ref, (now, ref.block), {})
        stack += blocks_below(ref)


def assume_affine_binding(block: StmtRef) -> None:
    """A block counts as bound affinely from here on, whatever its predicate is, as TVM has it for parts of others."""
    _set_fact(block, "affine", True)


def recompute_affine_binding(block: StmtRef) -> None:
    """Whether the binding of a block is affine is found in the program as it is now; other facts are as they were."""
    _set_fact(block, "affine", _has_affine_binding(block))


def _set_fact(block: StmtRef, name: str, is_true: bool) -> None:
    block.tree.learn(block, block.origin, {**block.known, name: is_true})


def _get_fact(block: StmtRef, name: str, find: Callable[[StmtRef], bool]) -> bool:
    found = block.known.get(name)
    if found is None:
        found = find(_block_at_origin(block))
        if block.origin is None:
            _set_fact(block, name, found)  # about the program as it is now, which may be undone
        else:
            block.known[name] = found
    return found


def _block_at_origin(block: StmtRef) -> StmtRef:
    """The block in the function that facts about it are found in."""
    if block.origin is None:
        return block
    snapshot, stmt = block.origin
    return block if snapshot.func is block.tree.func else snapshot.tree.refs[stmt]


def _has_affine_binding(block: StmtRef) -> bool:
    realize = realize_of(block)
    loops = loops_above(block)
    if block.parent is None or not loops:
        return block.parent is not None or not realize.iter_values
    return binds_affinely(realize, loops)


def binds_affinely(realize: BlockRealize, loops: Sequence[StmtRef]) -> bool:
    """Whether the values of a block's axes are independent digits of the loops alone, in TVM's sense."""
    if is_true(realize.predicate) and _are_loop_variables(realize.iter_values, loops):
        return True
    ranges = loop_ranges(loop.loop for loop in loops)
    made = detect_iter_map(realize.iter_values, ranges, realize.predicate, simplify_trivial_iterators=False)
    if not made.indices:
        return not realize.iter_values
    return all(not index.args or index.args[0].step == 1 for index in made.indices)


def _are_loop_variables(values: Sequence[Expr], loops: Sequence[StmtRef]) -> bool:
    """Whether the values are constants and different variables of loops with constant bounds."""
    left = {
        loop.loop.loop_var
        for loop in loops
        if isinstance(loop.loop.extent, IntImm) and isinstance(loop.loop.min, IntImm)
    }
    for value in values:
        if isinstance(value, Var) and value in left:
            left.remove(value)
        elif not isinstance(value, IntImm):
            return False
    return True


def _pipeline_violation(scope: StmtRef) -> tuple[str, str] | None:
    """The name of a block that stands in the way, and why; None where there is none."""
    for block in blocks_below(scope):
        if not _get_fact(block, "covers", is_covered):
            return block.block.name_hint, "reads more than the blocks before it write"
    found = find_write_after_read(scope)
    return None if found is None else (found.block.name_hint, "writes what an earlier block reads")


def predicate_conjuncts(condition: Expr) -> list[Expr]:
    """Return the conditions that a predicate joins, without `T.likely` and constants that are true."""
    conditions: list[Expr] = []
    for part in fold.conjuncts(condition):
        if isinstance(part, Call) and getattr(part.op, "name", "") == "tir.likely":
            conditions += predicate_conjuncts(part.args[0])
        elif not fold.is_const(part, 1):
            conditions.append(part)
    return conditions


# scopes


def enclosing_scope(ref: StmtRef, primitive: str) -> StmtRef:
    """The block around a loop or block. Raises `RootBlockError`."""
    scope = scope_root(ref)
    if scope is None:
        raise RootBlockError(primitive=primitive, at=[ref.block])
    return scope


def only_block(loop: StmtRef) -> StmtRef:
    """The one block in a loop. Raises `NonSingleChildBlockError`."""
    found = blocks_below(loop)
    if len(found) != 1:
        at = [loop.loop, *(ref.block for ref in found)]
        name = f"the loop {loop.loop.loop_var.name}"
        raise NonSingleChildBlockError(count=len(found) or "no", place=name, at=at)
    return found[0]


def check_stage_pipeline(scope: StmtRef) -> None:
    """Raises `NotStagePipelineError` unless the blocks in a block are stages of a pipeline."""
    if not is_stage_pipeline(scope):
        # the block as it was when this was found may have become several
        name, why = _pipeline_violation(_block_at_origin(scope)) or (
            "a block",
            "reads more than the blocks before it write",
        )
        at = [ref.block for ref in blocks_below(scope) if ref.block.name_hint == name]
        raise NotStagePipelineError(scope=scope.block.name_hint, why=f"{name} {why}", at=at or [scope.block])


def pipeline_scope(ref: StmtRef, primitive: str) -> StmtRef:
    """The block around a loop or block, a stage pipeline. Raises `RootBlockError`, `NotStagePipelineError`."""
    scope = enclosing_scope(ref, primitive)
    if ref.tree.enable_check:
        check_stage_pipeline(scope)
    return scope


def check_region_cover(block: StmtRef) -> None:
    """Raises `NotRegionCoverError` unless all that a block reads was written before it."""
    if not covers_region(block):
        raise NotRegionCoverError(block=block.block.name_hint, at=[block.block])


def check_affine_binding(block: StmtRef) -> None:
    """Raises `NotAffineBindingError` unless the axes of a block are bound to digits of the loops around it."""
    if not is_affine_binding(block):
        raise NotAffineBindingError(block=block.block.name_hint, at=[block.block])


# kinds of blocks; `scope` is the block, or the loop, that the block is looked at in


def is_complete_block(block: StmtRef, scope: StmtRef | None = None) -> bool:
    """Whether the axes of a block are spatial, and it alone writes its buffers, of which it reads none."""
    return completeness_violation(block, _default_scope(block, scope)) is None


def completeness_violation(block: StmtRef, scope: StmtRef) -> str | None:
    """The first condition of complete blocks that does not hold; None where all do."""
    stmt = block.block
    for axis in stmt.iter_vars:
        if axis.iter_type is not IterKind.DATA_PAR:
            return f"its axis {axis.var.name} is not spatial"
    shared = _buffer_with_other_writers(block, scope)
    if shared is not None:
        return f"{shared.name} is written by other blocks as well"
    written = {region.buffer for region in stmt.writes}
    for region in stmt.reads:
        if region.buffer in written:
            return f"it reads {region.buffer.name}, which it writes"
    return None


def reduction_violation(block: StmtRef, scope: StmtRef) -> str | None:
    """The first condition of reduction blocks that does not hold; None where all do."""
    stmt = block.block
    if stmt.init is None:
        return "it has no init"
    if not is_affine_binding(block):
        return "its axes are not bound affinely"
    for axis in stmt.iter_vars:
        if axis.iter_type not in (IterKind.DATA_PAR, IterKind.COMM_REDUCE):
            return f"its axis {axis.var.name} is neither spatial nor a reduction"
    shared = _buffer_with_other_writers(block, scope)
    if shared is not None:
        return f"{shared.name} is written by other blocks as well"
    indexed = _reduction_axis_in_store_index(stmt)
    return None if indexed is None else f"its reduction axis {indexed.name} indexes what it writes"


def _default_scope(block: StmtRef, scope: StmtRef | None) -> StmtRef:
    return scope or scope_root(block) or block


def _buffer_with_other_writers(block: StmtRef, scope: StmtRef) -> Buffer | None:
    """A buffer that other blocks of the scope write as well; in a loop TVM looks for none."""
    if not scope.is_block:
        return None
    tree = block.tree
    for region in block.block.writes:
        known = tree.writers[region.buffer]
        if len(known) > 1 and sum(is_member(scope, ref) for ref in known) > 1:
            return region.buffer
    return None


class _StoreIndexVars(Visitor):
    """The variables in the indices of stores to buffers that are not the block's own."""

    def __init__(self) -> None:
        self.own: set[Buffer] = set()
        self.found: set[Var] = set()

    @on(BlockRealize)
    def realize(self, node: BlockRealize) -> None:
        self.own.update(node.block.alloc_buffers)
        self.visit(node.block)

    @on(BufferStore)
    def store(self, node: BufferStore) -> None:
        if node.buffer not in self.own:
            for index in node.indices:
                self.found |= uses(index)


def _reduction_axis_in_store_index(block: Block) -> Var | None:
    """A reduction axis that is used in the index of a store."""
    reduced = [axis.var for axis in block.iter_vars if axis.iter_type is IterKind.COMM_REDUCE]
    if not reduced:
        return None
    stores = _StoreIndexVars()
    stores.own.update(block.alloc_buffers)
    stores.visit(block.body)
    return next((var for var in reduced if var in stores.found), None)


def check_complete_block(block: StmtRef, scope: StmtRef | None = None) -> None:
    """Raises `IncompleteBlockError`."""
    why = completeness_violation(block, _default_scope(block, scope))
    if why is not None:
        raise IncompleteBlockError(block=block.block.name_hint, why=why, at=[block.block])


def check_reduction_block(block: StmtRef, scope: StmtRef | None = None) -> None:
    """Raises `NotReductionBlockError`."""
    why = reduction_violation(block, _default_scope(block, scope))
    if why is not None:
        raise NotReductionBlockError(block=block.block.name_hint, why=why, at=[block.block])


def check_complete_or_reduction_block(block: StmtRef, scope: StmtRef | None = None) -> None:
    """Raises `NotCompleteOrReductionBlockError`."""
    around = _default_scope(block, scope)
    incomplete = completeness_violation(block, around)
    why = None if incomplete is None else reduction_violation(block, around)
    if why is not None:
        raise NotCompleteOrReductionBlockError(
            block=block.block.name_hint, incomplete=incomplete, why=why, at=[block.block]
        )


def check_subtree_compact_dataflow(subtree: StmtRef) -> None:
    """Raises `NotCompactDataFlowError` unless the blocks in a loop are complete or reduction blocks there."""
    for block in blocks_below(subtree):
        incomplete = completeness_violation(block, subtree)
        why = None if incomplete is None else reduction_violation(block, subtree)
        if why is not None:
            stmt = cast(Block, block.stmt)
            name = subtree.block.name_hint if subtree.is_block else subtree.loop.loop_var.name
            at = [stmt, *(() if subtree.stmt is None else (subtree.stmt,))]
            raise NotCompactDataFlowError(block=stmt.name_hint, subtree=name, incomplete=incomplete, why=why, at=at)


def is_output_block(block: StmtRef, scope: StmtRef | None = None) -> bool:
    """Whether a block writes a buffer that its scope does not allocate."""
    return output_buffer(block, _default_scope(block, scope)) is not None


def output_buffer(block: StmtRef, scope: StmtRef) -> Buffer | None:
    """A buffer that a block writes and its scope does not allocate."""
    own = scope.block.alloc_buffers
    return next((region.buffer for region in block.block.writes if region.buffer not in own), None)


def check_not_output_block(block: StmtRef, scope: StmtRef | None = None) -> None:
    """Raises `OutputBlockError`."""
    around = _default_scope(block, scope)
    buffer = output_buffer(block, around)
    if buffer is not None:
        raise OutputBlockError(
            block=block.block.name_hint, buffer=buffer.name, scope=around.block.name_hint, at=[block.block]
        )
