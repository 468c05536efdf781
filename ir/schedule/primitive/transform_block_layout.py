"""Transform the axes of a block and its loops by an index map: transform_block_layout."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from tvmscript.ir.arith.analyzer import Analyzer
from tvmscript.ir.arith.errors import NotInvertible
from tvmscript.ir.arith.fold import is_true
from tvmscript.ir.arith.index_map import IndexMap
from tvmscript.ir.core import Node, WrongType, on
from tvmscript.ir.schedule.analysis.bindings import domain_of
from tvmscript.ir.schedule.analysis.block_properties import check_reads_only_updated, only_block
from tvmscript.ir.schedule.errors import RootBlockError, ScheduleError
from tvmscript.ir.schedule.instruction import Promises
from tvmscript.ir.schedule.primitive.split_fuse import check_starts_at_zero
from tvmscript.ir.schedule.random_variables import BlockRV
from tvmscript.ir.schedule.recorder import Recorder, normalizer, primitive
from tvmscript.ir.schedule.rewrite.index_dtypes import cast_index_map, index_dtype_of
from tvmscript.ir.schedule.rewrite.simplify_indices import ContextualRewriter
from tvmscript.ir.schedule.tree import StmtRef, loops_above, realize_of
from tvmscript.ir.tir import Block, BlockRealize, BufferStore, Expr, For, ForKind, Stmt, Var, cast, match_types
from tvmscript.ir.tir.expr import GE, BufferLoad, BufferRegion, IntImm, IterKind, IterVar, Range
from tvmscript.ir.tir.substitute import substitute, uses


class IndexMapNotApplicableToBlockIterError(ScheduleError, code="TS4190"):
    """The index map must take as many indices as the block has axes."""

    message = "the index map takes {count} indices, but block {block} has {axes} axes"


class NotTrivialBindingError(ScheduleError, code="TS4191"):
    """Each axis of the block must be bound to one loop of the same extent, in order: the loops are replaced together
    with the axes.
    """

    message = "block {block} does not have trivial bindings: {why}"


class NotBijectiveAffineIndexMapError(ScheduleError, code="TS4192"):
    """The index map must be bijective over the domain of the block."""

    message = "{index_map} is not bijective over the domain of block {block}: {why}"


class OpaqueNewIterTypeError(ScheduleError, code="TS4193"):
    """A new axis must combine axes of one kind, spatial or reduction, not opaque ones."""

    message = "new axis {axis} of block {block} combines {kinds}"


@normalizer("index_map")
def normalize_block_map(sch: Recorder, values: dict[str, Any], index_map: object) -> Any:
    """Convert a function of the axes of the block to an index map."""
    if isinstance(index_map, IndexMap) or not callable(index_map):
        return index_map
    stmt = sch.block(values["block"]).block
    parameters = inspect.signature(index_map).parameters.values()
    takes_any = any(parameter.kind is parameter.VAR_POSITIONAL for parameter in parameters)
    return IndexMap.from_func(index_map, len(stmt.iter_vars) if takes_any else None, index_dtype=index_dtype_of(stmt))


class TransformBlockLayout(Recorder):
    """Memory and layout."""

    @primitive(
        "TransformBlockLayout",
        inputs=("block",),
        attrs=("index_map",),
        promises=Promises(is_exact=False, undone_by="transform_block_layout"),
    )
    def transform_block_layout(self, block: BlockRV | str, index_map: IndexMap | Callable[..., Any]) -> None:
        """Replace the axes of a block by the results of an index map, and its loops by one loop for each new axis.

        Each old axis must be bound to one loop. Raises `NotTrivialBindingError`,
        `IndexMapNotApplicableToBlockIterError`, `OpaqueNewIterTypeError`, `NotBijectiveAffineIndexMapError`,
        `LoopNotStartWithZeroError`, `NonSingleChildBlockError`, `RootBlockError`, `NotReductionBlockError`.
        """
        ref = self.block(block)
        if not isinstance(index_map, IndexMap):
            raise WrongType(where="transform_block_layout", expected="an index map or a function", got=repr(index_map))
        stmt = ref.block
        if len(index_map.initial_indices) != len(stmt.iter_vars):
            raise IndexMapNotApplicableToBlockIterError(
                count=len(index_map.initial_indices), block=stmt.name_hint, axes=len(stmt.iter_vars), at=[stmt]
            )
        check_reads_only_updated(stmt)
        loops = _check_trivial_bindings(ref)
        new_block, realize = _transform_block(ref, self.substitute_samples(index_map))
        place = loops[0] if loops else ref
        place.tree.replace(place, new_block, {realize.block: stmt})


def _check_trivial_bindings(ref: StmtRef) -> list[StmtRef]:
    """Return the loops of a block. Raise an error unless they are perfectly nested and trivially bound."""
    if ref.parent is None:
        raise RootBlockError(primitive="transform_block_layout", at=[ref.block])
    loops = loops_above(ref)
    for loop in loops:
        check_starts_at_zero(loop.loop)
    if loops:
        only_block(loops[0])
    realize, stmt = realize_of(ref), ref.block
    at = [*(loop.loop for loop in loops), stmt]
    if len(loops) != len(stmt.iter_vars):
        why = f"it has {len(loops)} loops and {len(stmt.iter_vars)} axes"
        raise NotTrivialBindingError(block=stmt.name_hint, why=why, at=at)
    for axis, value, loop in zip(stmt.iter_vars, realize.iter_values, loops, strict=True):
        name, extent = loop.loop.loop_var.name, loop.loop.extent
        if value is not loop.loop.loop_var:
            why = f"axis {axis.var.name} is bound to {value}, not to {name}"
            raise NotTrivialBindingError(block=stmt.name_hint, why=why, at=at)
        # a predicate may exclude iterations outside of the domain, but the new loops run over the whole domain
        whole = domain_of(axis).extent
        is_fitting = (
            Analyzer().can_prove_equal(extent, whole)
            if is_true(realize.predicate)
            else Analyzer().can_prove(GE(*match_types(extent, whole)))
        )
        if not is_fitting:
            why = f"axis {axis.var.name} has extent {domain_of(axis).extent}, loop {name} has extent {extent}"
            raise NotTrivialBindingError(block=stmt.name_hint, why=why, at=at)
    return loops


def _transform_block(ref: StmtRef, index_map: IndexMap) -> tuple[Stmt, BlockRealize]:
    """Return the transformed loop nest and the block in it."""
    stmt = ref.block
    extents = [domain_of(axis).extent for axis in stmt.iter_vars]
    old = [axis.var for axis in stmt.iter_vars]
    index_map = cast_index_map(index_map, extents)
    analyzer = Analyzer()
    for axis, extent in zip(stmt.iter_vars, extents, strict=True):
        analyzer.bind(axis.var, Range.from_min_extent(IntImm(extent.dtype, 0), extent))
    results = [analyzer.simplify(value) for value in index_map.at(old)]
    try:
        shape = index_map.map_shape(extents)
        inverse = index_map.inverse(extents)
    except (NotInvertible, WrongType) as error:
        raise NotBijectiveAffineIndexMapError(
            index_map=index_map, block=stmt.name_hint, why=error.text, at=[stmt]
        ) from None
    axes: list[IterVar] = []
    for place, (value, extent) in enumerate(zip(results, shape, strict=True)):
        var = Var(f"v{place}", value.dtype)
        axes.append(
            IterVar(
                Range.from_min_extent(IntImm(var.dtype, 0), cast(var.dtype, extent)),
                var,
                _new_axis_kind(stmt, place, value),
            )
        )
    table: Mapping[Any, Node] = dict(zip(old, inverse.map_indices([axis.var for axis in axes]), strict=True))
    block: Block = substitute(stmt.replace(iter_vars=()), table)
    block = _IndexSimplifier(axes).block_of(block).replace(iter_vars=tuple(axes))
    loops = [Var(f"ax{place}", axis.var.dtype) for place, axis in enumerate(axes)]
    realize = BlockRealize(tuple(loops), _transform_predicate(realize_of(ref), inverse, axes, loops), block)
    new_loop: Stmt = realize
    for var, axis in reversed([*zip(loops, axes, strict=True)]):
        new_loop = For(var, IntImm(var.dtype, 0), domain_of(axis).extent, ForKind.SERIAL, new_loop)
    return new_loop, realize


def _transform_predicate(
    realize: BlockRealize, inverse: IndexMap, axes: Sequence[IterVar], loops: Sequence[Var]
) -> Expr:
    """Return the predicate of the block in terms of the new loops."""
    analyzer = Analyzer()
    for axis, loop in zip(axes, loops, strict=True):
        analyzer.bind(loop, domain_of(axis))
    table: Mapping[Any, Node] = dict(zip(realize.iter_values, inverse.at(loops), strict=True))
    return analyzer.simplify(substitute(realize.predicate, table))


#: kind of axis -> its text in a message
_KIND_TEXT = {IterKind.DATA_PAR: "spatial", IterKind.COMM_REDUCE: "reduction"}


def _new_axis_kind(block: Block, place: int, value: Expr) -> IterKind:
    """Return the kind of the axes in an expression. Raises `OpaqueNewIterTypeError` unless there is one."""
    used = uses(value)
    kinds = [*dict.fromkeys(axis.iter_type for axis in block.iter_vars if axis.var in used)] or [IterKind.DATA_PAR]
    if len(kinds) != 1 or kinds[0] is IterKind.OPAQUE:
        names = " and ".join(f"{_KIND_TEXT.get(kind, kind.name.lower())} axes" for kind in kinds)
        raise OpaqueNewIterTypeError(axis=f"v{place}", block=block.name_hint, kinds=names, at=[block])
    return kinds[0]


class _IndexSimplifier(ContextualRewriter):
    """Simplify the indices and regions of a block over its new axes."""

    def __init__(self, axes: Sequence[IterVar]) -> None:
        super().__init__()
        self.domains.update({axis.var: domain_of(axis) for axis in axes})
        self.analyzer = Analyzer()
        for var, domain in self.domains.items():
            self.analyzer.bind(var, domain)

    def block_of(self, block: Block) -> Block:
        """Rewrite the outermost block, which has no axes yet."""
        new_block: Block = self.descend(block)
        return new_block

    def indices(self, indices: tuple[Expr, ...]) -> tuple[Expr, ...]:
        given = super().indices(indices)
        new_indices = tuple(
            [index if isinstance(index, Var) else self.analyzer.simplify(index) for index in self.simplified(given)]
        )
        return given if all(a is b for a, b in zip(given, new_indices, strict=True)) else new_indices

    @on(BufferLoad)
    def load(self, node: BufferLoad) -> Expr:
        return super().load(node)

    @on(BufferStore)
    def store(self, node: BufferStore) -> Stmt:
        return super().store(node)

    @on(BufferRegion)
    def region(self, node: BufferRegion) -> BufferRegion:
        firsts = self.indices(tuple([part.min for part in node.region]))
        parts = [
            Range.from_min_extent(
                first, part.extent if isinstance(part.extent, IntImm) else self.analyzer.simplify(part.extent)
            )
            for first, part in zip(firsts, node.region, strict=True)
        ]
        return BufferRegion(node.buffer, tuple(parts))
