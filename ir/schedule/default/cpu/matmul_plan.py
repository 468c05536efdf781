"""The cheapest way to compute a product of matrices, by a model of the instructions of a core.

Costs are in vector multiply-adds. A core loads as many vectors as it multiplies in the same time (two of each in a
cycle on x86 since Haswell and on the Neoverse cores), and four cycles pass from one sum to the next one that needs it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from enum import Enum
from itertools import product as product_of
from math import gcd
from operator import attrgetter
from typing import Final

from tvmscript.ir.core.targets.machine_model import MachineModel
from tvmscript.ir.schedule.default.cpu.matrix_product import MatrixProduct
from tvmscript.ir.tir import Var

#: rows of a tile, vectors of a row: at most
_MOST_ROWS, _MOST_VECTORS = 14, 8
#: accumulators of a tile at most: they are unrolled
_MOST_ACCUMULATORS: Final = 28
#: independent sums that keep a core busy
_LATENCY: Final = 8
#: counting and jumping in a loop over terms
_STEP: Final = 0.8
#: bytes of a line of caches: rows of B begin anywhere
_LINE_BYTES: Final = 64
#: bytes of the vectors that the costs of loads are of
_HALF_LINE: Final = 32
#: bytes after which addresses share a set of the first cache
_WAY_BYTES: Final = 4096
#: lines that a set of the first cache holds, at least: one of them is of B
_L1_WAYS: Final = 8
#: a load of a vector or a broadcast; vectors of arguments, which begin anywhere, cross cache lines
_LOAD, _UNALIGNED = 0.9, 2.4
#: set-up and end of a tile, its accumulators without those of the loop
_TILE: Final = 40.0
#: setting up, masking and storing an accumulator, beginning another row
_STORE, _ROW = 4.5, 7.0
#: what an unrolled multiply-add has to save, as it takes its time to compile: a share of the cost and a constant, but
#: no more than another share of the cost of a call, which takes a constant itself
_CODE, _COMPILE, _MOST_CODE, _CALL = 0.0005, 1000.0, 0.0012, 3000.0
#: copying a vector; an element whose order changes, one from behind the second cache, one of a short row
_COPY, _GATHER, _FAR_GATHER, _REGROUP = 4.5, 0.7, 1.3, 1.0
#: storing an element of a tile that is transposed in registers, or element by element
_TRANSPOSED, _SCATTERED = 1.0, 2.5
#: rows from which a tile is transposed in registers
FEWEST_TRANSPOSED: Final = 4
#: the more that a broadcast takes where multiply-adds have no operand for it: with up to so many registers
_BROADCAST, _FEW_REGISTERS = 0.3, 16
#: the more that an element takes which is converted before it is broadcast
_CONVERT: Final = 3.5
#: the more that a load of a vector takes which is not in the first cache
_FAR_LOAD: Final = 2.6
#: the same, of rows that are read in order
_STREAMED_LOAD: Final = 1.4
#: such a load of packed weights, which are fetched in order beside other loads; the more that a step takes that reads
#: them first, from behind the second cache
_PANEL_LOAD, _FIRST_READ = 3.1, 24.0
#: how much a load delays multiply-adds beside it
_ISSUE: Final = 0.15
#: the more that a load takes from behind the second cache, and a step to another page
_FARTHEST_LOAD, _FAR_PAGE = 30.0, 3.0
#: pages that are reached at once; places of a line in the second cache
_FEW_PAGES, _WAYS = 32, 16
#: adding up the lanes of a vector of partial sums
_COMBINE: Final = 6.0
#: what sizes are taken for that are known when the function runs
_ASSUMED: Final = (5, 17, 67, 300)
#: the more that a tile takes whose rows are under conditions
_CONDITIONS: Final = 1.2
#: bytes between rows from which on each of them is on a page of its own, and shares sets of the cache with others
_FAR: Final = 2048
#: terms from which on panels are worth a thought
_LEAST_TERMS: Final = 16
#: groups of panels that threads share, at least
_FEWEST_GROUPS: Final = 4
#: panels up to which rows of a tile are read too few times to block their terms
_FEW_PANELS: Final = 8


class Kind(Enum):
    """How the elements of C are summed up."""

    #: vectors of columns, each times a broadcast element of A
    TILES = "tiles"
    #: vectors of partial sums along the terms
    DOTS = "dot products"


@dataclass(frozen=True)
class Plan:
    """How a product is computed, and what that costs."""

    kind: Kind
    #: whether rows and columns change places
    is_swapped: bool
    #: rows of a tile, and vectors of each row; columns for dot products
    rows: int
    vectors: int
    #: whether A and B are copied into the order of the tiles
    packs_a: bool
    packs_b: bool
    cost: float
    #: panels of B that are packed together, and stay in the second cache while rows pass
    panels: int = 1
    #: terms that are added up before others are read; 0: all
    terms: int = 0

    def __str__(self) -> str:
        unit = "columns" if self.kind is Kind.DOTS else "vectors"
        swapped = " of the transposed product" if self.is_swapped else ""
        packed = " and ".join(name for name, is_packed in (("A", self.packs_a), ("B", self.packs_b)) if is_packed)
        blocked = f" in groups of {self.panels}" if self.panels > 1 else ""
        blocked += f", {self.terms} terms at a time" if self.terms else ""
        tile = f"{self.rows} rows x {self.vectors} {unit}"
        return f"{self.kind.value}{swapped}, {tile}{blocked}, packed: {packed or 'none'}"


def choose_plan(
    product: MatrixProduct,
    model: MachineModel,
    element_bytes: int,
    *,
    has_epilogue: bool = False,
    is_b_computed: bool = False,
    rows: int | None = None,
    panel: int | None = None,
) -> Plan:
    """Return the cheapest plan, perhaps of those with tiles of so many rows; elements of C have so many bytes.

    An epilogue stores what it computes from C as C has it. B may be computed by a block that packing can take along; it
    is packed before in panels of `panel` columns, in any number if that is 0.
    """
    totals: dict[Plan, float] = {}
    samples = _samples(product)
    for sizes in samples:
        case = _Case(product, sizes, model, element_bytes)
        plans = [*_tiles(case, is_b_computed=is_b_computed, is_b_packed=panel is not None), *_dots(case)]
        if panel:
            width = panel // model.lanes(element_bytes)
            of_panels = [plan for plan in plans if plan.kind is Kind.TILES and plan.packs_b and plan.vectors == width]
            plans = of_panels or plans  # those of another machine have none
        elif not has_epilogue and product.is_constant(product.row):
            plans += _tiles(
                _Case(product.swapped(), (sizes[1], sizes[0], sizes[2]), model, element_bytes), is_swapped=True
            )
        if rows is not None:
            plans = [plan for plan in plans if plan.rows == rows and plan.kind is Kind.TILES and not plan.is_swapped]
        if len(samples) == 1:
            best = min(plans, key=attrgetter("cost"))
            return best if panel is not None else _with_blocks(best, case, has_epilogue=has_epilogue)
        least = min(plan.cost for plan in plans)
        for plan in plans:
            key = replace(plan, cost=0.0)
            totals[key] = totals.get(key, 0.0) + plan.cost / least
    best = min(totals, key=totals.__getitem__)
    return replace(best, cost=totals[best])


def _with_blocks(plan: Plan, case: _Case, *, has_epilogue: bool) -> Plan:
    """Return a plan with groups of panels, and blocks of terms where rows of a tile do not stay in the first cache."""
    product, model, size = case.product.swapped() if plan.is_swapped else case.product, case.model, case.element_bytes
    rows, columns, terms = product.sizes
    if plan.kind is not Kind.TILES or not plan.packs_b or rows <= plan.rows or terms < _LEAST_TERMS:
        return plan
    dtypes = {access.buffer.dtype for access in (product.a, product.b, product.c)}
    can_block = model.splits_reductions and not has_epilogue and not plan.is_swapped and len(dtypes) == 1 and size > 2
    width, tile_bytes = plan.vectors * model.lanes(size), terms * plan.rows * size
    panels, count, group_bytes = -(-columns // width), 1, model.l2_bytes // 2
    is_large = tile_bytes > model.l1_bytes and rows * terms * size >= model.l3_bytes // 4
    if can_block and panels > _FEW_PANELS and (is_large or tile_bytes > 2 * model.l1_bytes):
        count, group_bytes = -(-tile_bytes // (model.l1_bytes * 3 // 4)), model.l3_bytes // 16
    # parts of vectors of columns are transposed by the code of the last panel
    is_whole = product.b.indices[-1] is product.column or columns % model.lanes(size) == 0
    if count == 1 and (columns * terms * size <= model.l2_bytes // 4 or not is_whole):
        return plan
    block = -(-terms // count)
    most = max(min(group_bytes // (block * width * size), panels // _FEWEST_GROUPS), 1)
    return replace(
        plan,
        packs_a=plan.packs_a or block * count > terms,
        panels=_group_size(panels, most),
        terms=block if count > 1 else 0,
    )


def _group_size(count: int, most: int) -> int:
    """Return how many of some panels are a group: groups are alike, if that does not need more than twice as many."""
    divisor = max(size for size in range(1, most + 1) if count % size == 0)
    return divisor if 2 * divisor >= most else -(-count // -(-count // most))


@dataclass(frozen=True)
class _Case:
    """A product of certain sizes on a machine, with elements of so many bytes."""

    product: MatrixProduct
    #: rows, columns, terms
    sizes: tuple[int, int, int]
    model: MachineModel
    element_bytes: int


def _samples(product: MatrixProduct) -> list[tuple[int, int, int]]:
    """Return the sizes to plan for: those of the product, or several where some are known when it runs."""
    axes = (product.row, product.column, product.sum)
    if all(product.is_constant(axis) for axis in axes):
        return [product.sizes]
    rows, columns, terms = axes

    def size(axis: Var, assumed: int) -> int:
        return product.size(axis) if product.is_constant(axis) else assumed

    return [(size(rows, each), size(columns, each), size(terms, each)) for each in _ASSUMED]


def _tiles(
    case: _Case, *, is_swapped: bool = False, is_b_computed: bool = False, is_b_packed: bool = False
) -> Iterator[Plan]:
    product, model, size, (rows, columns, terms) = case.product, case.model, case.element_bytes, case.sizes
    lanes = model.lanes(size)
    is_contiguous = product.b.indices[-1] is product.column
    has_constant_rows, has_constant_columns = product.is_constant(product.row), product.is_constant(product.column)
    most_rows = min(_MOST_ROWS, rows) if has_constant_rows else _MOST_ROWS
    most = _MOST_VECTORS if has_constant_rows and rows < 4 else _MOST_VECTORS // 2
    most = min(most, -(-columns // lanes)) if has_constant_columns else most
    stride = columns * size
    # vectors as long as a line cross one wherever they begin, and are two of them from behind the first cache
    lines = max(model.vector_bytes // _HALF_LINE, 1)
    unaligned, far_load = _UNALIGNED * (1 + lines) / 2, _FAR_LOAD * lines
    broadcast = _LOAD if model.vector_registers > _FEW_REGISTERS else _LOAD + _BROADCAST
    if product.a.buffer.dtype is not product.c.buffer.dtype:
        broadcast += _CONVERT
    # rows of A that are in the same set of the first cache
    has_shared_rows = product.a.indices[-1] is product.sum and terms * size % _WAY_BYTES == 0
    # elements of A that are not next to each other: a cache line for each term, perhaps a page
    spread = 0.0 if product.a.indices[-1] is product.sum or rows == 1 else _strided(rows * size, terms, model)
    for vectors in range(1, most + 1):
        for count in range(1, most_rows + 1):
            if is_swapped and count > lanes:
                continue
            if count * vectors > _MOST_ACCUMULATORS or count * vectors + vectors + 1 > model.vector_registers:
                continue
            (whole, rest), (across, last) = divmod(rows, count), divmod(-(-columns // lanes), vectors)
            # without sizes, the last tile is whole, under conditions
            edge = 1.0 if has_constant_rows or not rest else _CONDITIONS * count / rest
            if not has_constant_columns and last:
                across, last = across + 1, 0
            tiles = -(-columns // lanes) * -(-terms // lanes)  # square ones, which are transposed whole
            gather = _FAR_GATHER if columns * terms * size > model.l2_bytes else _GATHER
            copied = (columns * terms * _COPY / lanes if is_contiguous else tiles * lanes * lanes * gather) + 200
            if is_b_packed:
                copied = 0.0
            choices = product_of((False, True) if spread else (False,), (False, True) if is_contiguous else (True,))
            for packs_a, packs in choices:
                load = _LOAD if packs else unaligned
                panel = vectors * model.vector_bytes
                # rows of B begin anywhere in a line, and share sets of the cache at distances that powers of two divide
                taken = panel if packs else max(panel + _LINE_BYTES, gcd(stride, _WAY_BYTES)) + count * size
                is_far = rows > count and terms * taken > model.l1_bytes
                is_panel = packs and is_b_packed
                if is_far and not is_panel:
                    load += _FAR_LOAD if packs else far_load
                far = 0.0 if packs_a else spread
                if not packs and rows > count and stride >= _FAR and terms > _FEW_PAGES:
                    far += _FAR_PAGE
                    if terms * max(panel, gcd(stride, model.l2_bytes // _WAYS)) > model.l2_bytes:
                        far += vectors * _FARTHEST_LOAD

                fetch, issue = _PANEL_LOAD if is_far and is_panel else 0.0, _ISSUE if is_b_packed else 0.0

                def tile(
                    height: int,
                    width: int,
                    load: float = load,
                    far: float = far,
                    fetch: float = fetch,
                    issue: float = issue,
                ) -> float:
                    if not height or not width:
                        return 0.0
                    missed = height * _FAR_LOAD if has_shared_rows and height >= _L1_WAYS else 0.0
                    loads = height * broadcast + width * load + missed
                    step = max(height * width, loads, width * fetch, _LATENCY) + far + _STEP
                    step += (height + width) * issue
                    return terms * step + height * (width * _STORE + _ROW) + _TILE

                cost = across * (whole * tile(count, vectors) + edge * tile(rest, vectors))
                cost += whole * tile(count, last) + edge * tile(rest, last)
                if is_panel and columns * terms * size > model.l2_bytes:
                    cost += (across + (last > 0)) * terms * _FIRST_READ
                if is_swapped and columns > 1 < rows:
                    is_square = count >= FEWEST_TRANSPOSED and count & (count - 1) == 0
                    cost += rows * columns * (_TRANSPOSED if is_square else _SCATTERED)
                code = (count + rest) * (vectors + (last if across else 0))
                cost += rows * terms * _REGROUP + 200 if packs_a else 0
                cost += copied if packs or is_b_computed else 0
                cost += code * min(_CODE * cost + _COMPILE, _MOST_CODE * (cost + _CALL))
                yield Plan(Kind.TILES, is_swapped, count, vectors, packs_a, packs, cost)


def _strided(stride: int, terms: int, model: MachineModel) -> float:
    """Return the cost of a step to the next term of A, where it is in another row."""
    if stride < _FAR or terms <= _FEW_PAGES:
        return 1.0
    is_behind = terms * gcd(stride, model.l2_bytes // _WAYS) > model.l2_bytes
    return _FARTHEST_LOAD if is_behind else 4.0


def _dots(case: _Case) -> Iterator[Plan]:
    product, model, size, (rows, columns, terms) = case.product, case.model, case.element_bytes, case.sizes
    lanes = model.lanes(size)
    # converted integers are not read as vectors along the terms
    if terms < lanes or not all(access.buffer.dtype.is_floating for access in (product.a, product.b, product.c)):
        return
    copies = [
        0.0 if load.indices[-1] is product.sum else terms * count * _GATHER + 200
        for load, count in ((product.a, rows), (product.b, columns))
    ]
    steps = -(-terms // lanes)
    for count in range(1, min(8, rows if product.is_constant(product.row) else 1) + 1):
        for width in range(1, min(8, columns if product.is_constant(product.column) else 1) + 1):
            sums = count * width
            if sums > 16 or sums + min(count, width) + 1 > model.vector_registers:
                continue

            def tile(height: int, width: int) -> float:
                far = _STREAMED_LOAD if terms * size * min(rows, columns) > model.l1_bytes // 2 else 0.0
                # a few columns stay in the first cache while all rows pass
                far_column = far if terms * size * width > model.l1_bytes // 2 else 0.0
                loads = height * (_UNALIGNED + far) + width * (_UNALIGNED + far_column)
                vectors = max(min(8 // (height * width), steps), 1)
                step = max(height * width, loads, _LATENCY / vectors)
                return steps * step + height * width * vectors * _COMBINE + _TILE

            (down, low), (across, narrow) = divmod(rows, count), divmod(columns, width)
            cost = across * (down * tile(count, width) + (tile(low, width) + _TILE if low else 0))
            if narrow:
                cost += down * tile(count, narrow) + (tile(low, narrow) if low else 0) + _TILE
            yield Plan(Kind.DOTS, False, count, width, bool(copies[0]), bool(copies[1]), cost + sum(copies))
