"""Properties of blocks: affine bindings, region cover, stage pipelines, complete and reduction blocks.

Facts about dependences hold as long as primitives preserve results, even where the analysis could not prove them again
later. So they are computed on the function as it was at the start of the schedule, or at the last `recompute_facts`.
Blocks that primitives insert count as covered.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Final, cast

from tvmscript.ir.arith import fold
from tvmscript.ir.arith.analyzer import Analyzer
from tvmscript.ir.arith.fold import is_true
from tvmscript.ir.arith.iter_map.detect import detect_iter_map
from tvmscript.ir.arith.iter_map.mixed_radix import are_digits
from tvmscript.ir.core import Visitor, on
from tvmscript.ir.schedule.analysis.access_checks import reads_other_elements
from tvmscript.ir.schedule.analysis.bindings import loop_ranges
from tvmscript.ir.schedule.analysis.block_scope import find_write_after_read, is_member
from tvmscript.ir.schedule.analysis.region_cover import is_covered
from tvmscript.ir.schedule.errors import NonSingleChildBlockError, RootBlockError, ScheduleError
from tvmscript.ir.schedule.tree import Snapshot, StmtRef, blocks_below, loops_above, realize_of, scope_root
from tvmscript.ir.tir import Block, BlockRealize, Buffer, BufferStore, Call, Expr, IterKind, Range, Var, uses


class NotStagePipelineError(ScheduleError, code="TS4105"):
    """The scope must be a stage pipeline: earlier blocks write all that a block reads of their buffers, and no block
    writes a buffer that an earlier one reads. Otherwise moving blocks could change results.
    """

    message = "scope {scope} is not a stage pipeline: {why}"


class IncompleteBlockError(ScheduleError, code="TS4106"):
    """A complete block is required: all axes are spatial, and it is the only writer of its outputs and does not read
    them.
    """

    message = "block {block} is not a complete block: {why}"


class NotReductionBlockError(ScheduleError, code="TS4107"):
    """A reduction block is required: it has an init, affine bindings, only spatial and reduction axes, is the only
    writer of its outputs, does not index them by reduction axes, and reads of them only the element that it updates.
    """

    message = "block {block} is not a reduction block: {why}"


class NotCompleteOrReductionBlockError(ScheduleError, code="TS4108"):
    """The block must be a complete block or a reduction block."""

    message = "block {block} is neither a complete block ({incomplete}) nor a reduction block ({why})"


class NotCompactDataFlowError(ScheduleError, code="TS4109"):
    """Every block in the loop must be a complete block or a reduction block, so that its dependences are known."""

    message = "block {block} in {subtree} is neither a complete block ({incomplete}) nor a reduction block ({why})"


class NotAffineBindingError(ScheduleError, code="TS4130"):
    """The bindings of the block must be an affine map of its loops."""

    message = "block {block} does not have affine bindings"


class OutputBlockError(ScheduleError, code="TS4131"):
    """The block writes a buffer that its scope does not allocate, so the result is visible outside."""

    message = "block {block} is an output block: it writes {buffer}, which scope {scope} does not allocate"
    advice = "move an output block to its producer by reverse_compute_inline or reverse_compute_at"


class NotRegionCoverError(ScheduleError, code="TS4132"):
    """Earlier blocks must write all that the block reads of their buffers."""

    message = "the producers of block {block} do not write all that it reads"


#: Annotation of a block in loops whose extents depend on loops around that are axes of their own: its bindings count
#: as affine, unlike in TVM. Splits need to divide these extents.
DEPENDENT_LOOPS: Final = "dependent_loops"

# cached facts


def is_affine_binding(block: StmtRef) -> bool:
    """Whether the bindings of a block are an affine map of its loops, as defined by TVM."""
    return _get_fact(block, "affine", _has_affine_binding)


def covers_region(block: StmtRef) -> bool:
    """Whether earlier blocks of the scope write all that a block reads of their buffers."""
    return block.origin is None or _get_fact(block, "covers", is_covered)


def is_stage_pipeline(scope: StmtRef) -> bool:
    """Whether the blocks in a block are a stage pipeline: reads are covered, and no block overwrites a buffer read
    before.
    """
    return scope.origin is None or _get_fact(scope, "pipeline", lambda ref: _pipeline_violation(ref) is None)


def recompute_facts(scope: StmtRef) -> None:
    """Drop the cached facts of a block and its nested blocks, and recompute them on the current program."""
    tree = scope.tree
    snapshot = Snapshot(tree.name, tree.func)
    stack = [scope]
    while stack:
        ref = stack.pop()
        tree.set_facts(ref, (snapshot, ref.block), {})
        stack += blocks_below(ref)


def assume_affine_binding(block: StmtRef) -> None:
    """Mark the bindings of a block as affine regardless of its predicate, as TVM does in rfactor."""
    _set_fact(block, "affine", True)


def recompute_affine_binding(block: StmtRef) -> None:
    """Recompute whether the bindings of a block are affine; keep its other facts."""
    _set_fact(block, "affine", _has_affine_binding(block))


def _set_fact(block: StmtRef, name: str, is_true: bool) -> None:
    block.tree.set_facts(block, block.origin, {**block.facts, name: is_true})


def _get_fact(block: StmtRef, name: str, find: Callable[[StmtRef], bool]) -> bool:
    fact = block.facts.get(name)
    if fact is None:
        fact = find(_block_at_origin(block))
        if block.origin is None:
            _set_fact(block, name, fact)  # it depends on the current program, which may be rolled back
        else:
            block.facts[name] = fact
    return fact


def _block_at_origin(block: StmtRef) -> StmtRef:
    """Return the block in the function that its facts are computed on."""
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
    """Whether the bindings of a block are an affine map of these loops, as defined by TVM."""
    ranges = loop_ranges(loop.loop for loop in loops)
    in_each = DEPENDENT_LOOPS in realize.block.annotations
    if is_true(realize.predicate) and are_digits(realize.iter_values, ranges, simplify_trivial_iterators=False):
        return True
    iter_map = detect_iter_map(
        realize.iter_values, ranges, realize.predicate, simplify_trivial_iterators=False, in_each=in_each
    )
    if not iter_map.indices:
        predicate = _without_implied(realize.predicate, ranges)
        iter_map = detect_iter_map(realize.iter_values, ranges, predicate, simplify_trivial_iterators=False)
    if not iter_map.indices:
        return not realize.iter_values
    return all(not index.args or index.args[0].step == 1 for index in iter_map.indices)


def _without_implied(predicate: Expr, ranges: Mapping[Var, Range]) -> Expr:
    """Return the conditions of a predicate that its loops do not imply, such as those on padded sizes."""
    analyzer = Analyzer()
    for var, dom in ranges.items():
        analyzer.bind(var, dom)
    kept: Expr = fold.TRUE
    for condition in predicate_conjuncts(predicate):
        if not analyzer.can_prove(condition):
            kept = fold.logical_and(kept, condition)
    return kept


def _pipeline_violation(scope: StmtRef) -> tuple[str, str] | None:
    """Return a block that violates the stage pipeline, and the violation; None if there is none."""
    for block in blocks_below(scope):
        if not _get_fact(block, "covers", is_covered):
            return block.block.name_hint, "reads more than earlier blocks write"
    writer = find_write_after_read(scope)
    return None if writer is None else (writer.block.name_hint, "writes what an earlier block reads")


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
    """Return the block around a loop or block. Raises `RootBlockError`."""
    scope = scope_root(ref)
    if scope is None:
        raise RootBlockError(primitive=primitive, at=[ref.block])
    return scope


def only_block(loop: StmtRef) -> StmtRef:
    """Return the only block in a loop. Raises `NonSingleChildBlockError`."""
    blocks = blocks_below(loop)
    if len(blocks) != 1:
        at = [loop.loop, *(ref.block for ref in blocks)]
        name = f"loop {loop.loop.loop_var.name}"
        raise NonSingleChildBlockError(count=len(blocks) or "no", place=name, at=at)
    return blocks[0]


def check_stage_pipeline(scope: StmtRef) -> None:
    """Raise `NotStagePipelineError` unless the blocks in a block are a stage pipeline."""
    if not is_stage_pipeline(scope):
        # the block at the origin may have been split into several
        name, why = _pipeline_violation(_block_at_origin(scope)) or ("a block", "reads more than earlier blocks write")
        at = [ref.block for ref in blocks_below(scope) if ref.block.name_hint == name]
        raise NotStagePipelineError(scope=scope.block.name_hint, why=f"{name} {why}", at=at or [scope.block])


def pipeline_scope(ref: StmtRef, primitive: str) -> StmtRef:
    """Return the block around a loop or block. Raises `RootBlockError`, `NotStagePipelineError`."""
    scope = enclosing_scope(ref, primitive)
    if ref.tree.enable_check:
        check_stage_pipeline(scope)
    return scope


def check_region_cover(block: StmtRef) -> None:
    """Raise `NotRegionCoverError` unless the producers of a block write all that it reads."""
    if not covers_region(block):
        raise NotRegionCoverError(block=block.block.name_hint, at=[block.block])


def check_affine_binding(block: StmtRef) -> None:
    """Raise `NotAffineBindingError` unless the bindings of a block are affine."""
    if not is_affine_binding(block):
        raise NotAffineBindingError(block=block.block.name_hint, at=[block.block])


# kinds of blocks, relative to a scope: a block or a loop


def is_complete_block(block: StmtRef, scope: StmtRef | None = None) -> bool:
    """Whether a block is complete: spatial axes, the only writer of its outputs, which it does not read."""
    return completeness_violation(block, _default_scope(block, scope)) is None


def completeness_violation(block: StmtRef, scope: StmtRef) -> str | None:
    """Return the first violated condition of complete blocks; None for a complete block."""
    stmt = block.block
    for axis in stmt.iter_vars:
        if axis.iter_type is not IterKind.DATA_PAR:
            return f"axis {axis.var.name} is not spatial"
    shared = _buffer_with_other_writers(block, scope)
    if shared is not None:
        return f"other blocks write {shared.name} too"
    written = {region.buffer for region in stmt.writes}
    for region in stmt.reads:
        if region.buffer in written:
            return f"it reads its output {region.buffer.name}"
    return None


def reduction_violation(block: StmtRef, scope: StmtRef) -> str | None:
    """Return the first violated condition of reduction blocks; None for a reduction block."""
    stmt = block.block
    if stmt.init is None:
        return "it has no init"
    if not is_affine_binding(block):
        return "its bindings are not affine"
    for axis in stmt.iter_vars:
        if axis.iter_type not in (IterKind.DATA_PAR, IterKind.COMM_REDUCE):
            return f"axis {axis.var.name} is neither spatial nor a reduction"
    shared = _buffer_with_other_writers(block, scope)
    if shared is not None:
        return f"other blocks write {shared.name} too"
    indexed = _reduction_axis_in_store_index(stmt)
    if indexed is not None:
        return f"reduction axis {indexed.name} indexes its output"
    mixed = output_read_elsewhere(stmt)
    return None if mixed is None else f"it reads other elements of its output {mixed.name}"


def check_reads_only_updated(block: Block) -> None:
    """Raise `NotReductionBlockError` if a reduction reads other elements of its outputs than it updates."""
    mixed = output_read_elsewhere(block)
    if mixed is not None:
        why = f"it reads other elements of its output {mixed.name}"
        raise NotReductionBlockError(block=block.name_hint, why=why, at=[block])


def check_sums_begin_inside(scope: StmtRef, ref: StmtRef) -> None:
    """Raise `NotReductionBlockError` if a reduction goes on from one instance of a block around it to the next.

    Memory that the block around it allocates would lose the sums.
    """
    used: set[Var] = set()
    for axis, value in zip(ref.block.iter_vars, realize_of(ref).iter_values, strict=True):
        if axis.iter_type is IterKind.COMM_REDUCE and ref.block.init is not None:
            used |= uses(value)
    at = scope.parent
    while used and at is not None:
        variables = [axis.var for axis in at.block.iter_vars] if type(at.stmt) is Block else [at.loop.loop_var]
        for var in variables:
            if var in used:
                why = f"it goes on over {var.name}, outside of block {scope.block.name_hint}"
                raise NotReductionBlockError(block=ref.block.name_hint, why=why, at=[ref.block])
        at = at.parent


def output_read_elsewhere(block: Block) -> Buffer | None:
    """Return an output of which a reduction reads other elements than it stores."""
    return next((each.buffer for each in block.writes if reads_other_elements(block, each.buffer)), None)


def _default_scope(block: StmtRef, scope: StmtRef | None) -> StmtRef:
    return scope or scope_root(block) or block


def _buffer_with_other_writers(block: StmtRef, scope: StmtRef) -> Buffer | None:
    """Return an output with another writer in the scope; None for a loop as scope, as in TVM."""
    if not scope.is_block:
        return None
    tree = block.tree
    for region in block.block.writes:
        writers = tree.writers[region.buffer]
        if len(writers) > 1 and sum(is_member(scope, ref) for ref in writers) > 1:
            return region.buffer
    return None


class _StoreIndexVars(Visitor):
    """Collect the variables in store indices, except of buffers that the block allocates."""

    def __init__(self) -> None:
        self.own: set[Buffer] = set()
        self.index_vars: set[Var] = set()

    @on(BlockRealize)
    def realize(self, node: BlockRealize) -> None:
        self.own.update(node.block.alloc_buffers)
        self.visit(node.block)

    @on(BufferStore)
    def store(self, node: BufferStore) -> None:
        if node.buffer not in self.own:
            for index in node.indices:
                self.index_vars |= uses(index)


def _reduction_axis_in_store_index(block: Block) -> Var | None:
    """Return a reduction axis that a store index uses."""
    reduced = [axis.var for axis in block.iter_vars if axis.iter_type is IterKind.COMM_REDUCE]
    if not reduced:
        return None
    stores = _StoreIndexVars()
    stores.own.update(block.alloc_buffers)
    stores.visit(block.body)
    return next((var for var in reduced if var in stores.index_vars), None)


def check_complete_block(block: StmtRef, scope: StmtRef | None = None) -> None:
    """Raise `IncompleteBlockError` unless a block is complete."""
    why = completeness_violation(block, _default_scope(block, scope))
    if why is not None:
        raise IncompleteBlockError(block=block.block.name_hint, why=why, at=[block.block])


def check_reduction_block(block: StmtRef, scope: StmtRef | None = None) -> None:
    """Raise `NotReductionBlockError` unless a block is a reduction block."""
    why = reduction_violation(block, _default_scope(block, scope))
    if why is not None:
        raise NotReductionBlockError(block=block.block.name_hint, why=why, at=[block.block])


def check_complete_or_reduction_block(block: StmtRef, scope: StmtRef | None = None) -> None:
    """Raise `NotCompleteOrReductionBlockError` unless a block is complete or a reduction block."""
    around = _default_scope(block, scope)
    incomplete = completeness_violation(block, around)
    why = None if incomplete is None else reduction_violation(block, around)
    if why is not None:
        raise NotCompleteOrReductionBlockError(
            block=block.block.name_hint, incomplete=incomplete, why=why, at=[block.block]
        )


def check_subtree_compact_dataflow(subtree: StmtRef) -> None:
    """Raise `NotCompactDataFlowError` unless all blocks in a loop are complete or reduction blocks there."""
    for block in blocks_below(subtree):
        incomplete = completeness_violation(block, subtree)
        why = None if incomplete is None else reduction_violation(block, subtree)
        if why is not None:
            stmt = cast(Block, block.stmt)
            name = f"block {subtree.block.name_hint}" if subtree.is_block else f"loop {subtree.loop.loop_var.name}"
            at = [stmt, *(() if subtree.stmt is None else (subtree.stmt,))]
            raise NotCompactDataFlowError(block=stmt.name_hint, subtree=name, incomplete=incomplete, why=why, at=at)


def is_output_block(block: StmtRef, scope: StmtRef | None = None) -> bool:
    """Whether a block writes a buffer that its scope does not allocate."""
    return output_buffer(block, _default_scope(block, scope)) is not None


def output_buffer(block: StmtRef, scope: StmtRef) -> Buffer | None:
    """Return a buffer that a block writes and its scope does not allocate."""
    own = scope.block.alloc_buffers
    return next((region.buffer for region in block.block.writes if region.buffer not in own), None)


def check_not_output_block(block: StmtRef, scope: StmtRef | None = None) -> None:
    """Raise `OutputBlockError` if a block writes a buffer that its scope does not allocate."""
    around = _default_scope(block, scope)
    buffer = output_buffer(block, around)
    if buffer is not None:
        raise OutputBlockError(
            block=block.block.name_hint, buffer=buffer.name, scope=around.block.name_hint, at=[block.block]
        )
