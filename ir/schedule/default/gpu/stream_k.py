"""Products of few tiles by stream-K: blocks take equal shares of all steps, and another launch adds the sums."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Final, NamedTuple

from tvmscript.ir.arith import fold
from tvmscript.ir.core import nodes
from tvmscript.ir.schedule.analysis.block_properties import DEPENDENT_LOOPS
from tvmscript.ir.schedule.analysis.regions import point_region
from tvmscript.ir.schedule.default.gpu.flat_product import ADDS_PARTS, Product, can_split_terms, product_of
from tvmscript.ir.schedule.default.gpu.tile_model import Shares
from tvmscript.ir.schedule.default.split_nests import split_nests
from tvmscript.ir.schedule.rewrite.cache_blocks import wrap_in_loops
from tvmscript.ir.tir import (
    Add,
    Block,
    BlockRealize,
    Buffer,
    BufferLoad,
    BufferStore,
    Expr,
    FloatImm,
    IntImm,
    IterKind,
    IterVar,
    Max,
    Min,
    PrimFunc,
    Range,
    Select,
    Stmt,
    Var,
    const,
    make_buffer,
    substitute,
)
from tvmscript.ir.tir.intrin.control import if_then_else
from tvmscript.ir.tir.stmt import Attrs

#: Chooses shares, given the block, its product, and the numbers of rows, columns and terms.
ChooseShares = Callable[[Block, Product, tuple[int, int, int]], Shares | None]
#: tiles that a share may have parts of
TILES_OF_SHARE: Final = 2


def share_steps(func: PrimFunc, choose_shares: ChooseShares) -> PrimFunc:
    """Return an unscheduled function in which blocks of a launch share the steps of products for which they are chosen.

    A block has an equal number of the steps of all tiles, one tile after the other: the last ones of a tile and the
    first ones of the next one. The sums of both are stored, and added in the order of the blocks.

    rewrite:
        C[vi, vj] += A[vi, vk] * B[vj, vk]  -->  C_parts[v, vi, vj] += A[row(v) + vi, first(v) + vk] * B[...]
                                                 C[vi, vj] += C_parts[part(vi, vj, q), vi % 128, vj % 256]
    """

    def share(_: Stmt, inner: BlockRealize) -> tuple[list[Stmt], list[Buffer]] | None:
        block, store = inner.block, inner.block.body
        product = product_of(block)
        if product is None or not can_split_terms(product) or len(product.rows) != 1 or len(product.columns) != 1:
            return None
        axes = [group[0] for group in (product.rows, product.columns, product.terms)]
        domain_of = {axis.var: axis.dom for axis in block.iter_vars}
        extents = [domain.extent for domain in map(domain_of.get, axes) if domain is not None]
        rows, columns, terms = (extent.value if isinstance(extent, IntImm) else 0 for extent in extents)
        shares = choose_shares(block, product, (rows, columns, terms)) if rows * columns * terms else None
        if shares is None or not isinstance(store, BufferStore) or not _adds_to_zero(block, store):
            return None
        numbers = [IntImm(axes[0].dtype, size) for size in (TILES_OF_SHARE * shares.blocks, *shares.tile[:2])]
        parts = make_buffer(numbers, store.buffer.dtype, f"{store.buffer.name}_parts")
        return [_compute_parts(block, axes, shares, parts), _add_parts(block, axes, extents[:2], shares, parts)], [
            parts
        ]

    return split_nests(func, share)


def _adds_to_zero(block: Block, store: BufferStore) -> bool:
    """Return whether a block adds values to zeros."""
    init = block.init
    is_zero = isinstance(init, BufferStore) and isinstance(init.value, (IntImm, FloatImm)) and init.value.value == 0
    return is_zero and isinstance(store.value, Add) and isinstance(store.value.a, BufferLoad)


def _compute_parts(block: Block, axes: Sequence[Var], shares: Shares, parts: Buffer) -> Stmt:
    """Return the nest that computes the sums of the parts of tiles."""
    assert isinstance(block.body, BufferStore)
    assert isinstance(block.body.value, Add)
    rows, columns, step = shares.tile
    part, row, column, term = (Var(name, axes[0].dtype) for name in ("part", *[axis.name for axis in axes]))
    begin, steps, tile = _steps_of(part, shares)
    values: dict[Var, Expr] = {
        axes[0]: tile // shares.tiles_of_row * rows + row,
        axes[1]: tile % shares.tiles_of_row * columns + column,
        axes[2]: begin * step + term,
    }
    target = BufferLoad(parts, (part, row, column))
    domains = dict(zip((part, row, column), parts.shape, strict=True))
    terms = _Terms(term, IntImm(term.dtype, shares.size * step), steps * step)
    summand = substitute(block.body.value.b, values)
    return _sum(f"{block.name_hint}_parts", target, domains, terms, summand, {DEPENDENT_LOOPS: fold.TRUE})


def _add_parts(block: Block, axes: Sequence[Var], extents: Sequence[Expr], shares: Shares, parts: Buffer) -> Stmt:
    """Return the nest that adds the parts of each tile."""
    assert isinstance(block.body, BufferStore)
    rows, columns, _ = shares.tile
    row, column = axes[:2]
    number = Var("number", row.dtype)
    tile = row // rows * shares.tiles_of_row + column // columns
    first, last = tile * shares.steps // shares.size, ((tile + 1) * shares.steps - 1) // shares.size
    owner = Min(first + number, last)
    place = (tile - owner * shares.size // shares.steps) * shares.blocks + owner
    load = BufferLoad(parts, (place, row % rows, column % columns))
    summand = if_then_else(first + number <= last, load, const(0, parts.dtype))
    count = IntImm(row.dtype, shares.most_blocks_of_tile)
    target = BufferLoad(block.body.buffer, block.body.indices)
    domains = dict(zip((row, column), extents, strict=True))
    return _sum(block.name_hint, target, domains, _Terms(number, count, count), summand, {ADDS_PARTS: fold.TRUE})


def _steps_of(part: Var, shares: Shares) -> tuple[Expr, Expr, Expr]:
    """Return the first step of a part, how many steps it has, and its tile.

    The first parts of all blocks come first. A block whose share ends within its first tile, or with it, has one step
    of the next one, too: no part is empty, and what is computed there is not added.
    """
    dtype = part.dtype
    blocks, steps, size = (IntImm(dtype, number) for number in (shares.blocks, shares.steps, shares.size))
    begin, turn = part % blocks * size, part // blocks
    first = begin % steps * (1 - turn)
    rest = Max(begin % steps + (size - steps), IntImm(dtype, 1))
    count = Min(Select(turn < 1, size, rest), steps - first)
    return first, count, Min(begin // steps + turn, IntImm(dtype, shares.tiles - 1))


class _Terms(NamedTuple):
    """The axis of what a block adds, its extent, and how many steps are run."""

    axis: Var
    extent: Expr
    steps: Expr


def _sum(
    name: str,
    target: BufferLoad,
    domains: Mapping[Var, Expr],
    terms: _Terms,
    summand: Expr,
    annotations: Attrs,
) -> Stmt:
    """Return a nest that adds values to zeros."""
    loop_of = {axis: axis.replace() for axis in (*domains, terms.axis)}
    axes = [IterVar(_range(extent), axis, IterKind.DATA_PAR) for axis, extent in domains.items()]
    axes.append(IterVar(_range(terms.extent), terms.axis, IterKind.COMM_REDUCE))
    stores = [BufferStore(target.buffer, value, target.indices) for value in (const(0, target.dtype), target + summand)]
    loads = [node for node in nodes(summand) if isinstance(node, BufferLoad)]
    reads = tuple([point_region(load.buffer, load.indices) for load in loads])
    writes = (point_region(target.buffer, target.indices),)
    block = Block(tuple(axes), reads, writes, name, stores[1], stores[0], annotations=annotations)
    loops = [(loop_of[axis], _range(substitute(extent, loop_of))) for axis, extent in domains.items()]
    loops.append((loop_of[terms.axis], _range(substitute(terms.steps, loop_of))))
    return wrap_in_loops(loops, BlockRealize(tuple(loop_of.values()), fold.TRUE, block))


def _range(extent: Expr) -> Range:
    return Range.from_min_extent(IntImm(extent.dtype, 0), extent)
