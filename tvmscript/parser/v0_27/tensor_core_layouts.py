"""Layouts of the operands of tensor cores that have memory of their own (tcgen05): lanes, columns and registers."""

from __future__ import annotations

from collections.abc import Sequence
from math import gcd
from typing import Final, NamedTuple

from tvmscript.ir.arith import tile_layouts as algebra
from tvmscript.ir.core import DType
from tvmscript.ir.core.errors import WrongType
from tvmscript.ir.tir import IntImm
from tvmscript.ir.tir.tile import MEMORY, ComposeLayout, LayoutIter, TileLayout

#: extent, stride, axis
_Step = tuple[int, int, str]
_LANE, _COLUMN, _THREAD = "TLane", "TCol", "tid_in_wg"


def _iters(steps: Sequence[_Step]) -> tuple[LayoutIter, ...]:
    return tuple([LayoutIter(IntImm("int32", size), IntImm("int32", stride), axis) for size, stride, axis in steps])


def _layout(*steps: _Step, replica: Sequence[_Step] = ()) -> TileLayout:
    return TileLayout(_iters(steps), _iters(replica))


def _check(is_valid: bool, where: str, expected: str, got: object) -> None:
    if not is_valid:
        raise WrongType(where=where, expected=expected, got=got)


# registers


class _Atom(NamedTuple):
    # the elements of a warp's 16 rows: bits of the row and of the column, from high to low. The first step of the
    # columns is as long as the instruction is repeated

    rows: tuple[_Step, ...]
    columns: tuple[_Step, ...]
    #: registers of a thread for each repetition
    registers: int


_ATOMS: Final = {
    "16x64b": _Atom(((2, 1, "laneid"), (8, 4, "laneid")), ((0, 1, MEMORY), (2, 2, "laneid")), 1),
    "16x128b": _Atom(((2, 1, MEMORY), (8, 4, "laneid")), ((0, 2, MEMORY), (4, 1, "laneid")), 2),
    "16x256b": _Atom(((2, 2, MEMORY), (8, 4, "laneid")), ((0, 4, MEMORY), (4, 1, "laneid"), (2, 1, MEMORY)), 4),
}
_ROW_PER_THREAD = "32x32b"
_MOST_REGISTERS = 128


def fragment(where: str, instruction: str, shape: tuple[int, int], dtype: DType) -> TileLayout:
    """Return the registers that `tcgen05.ld` fills with a part of the memory of tensor cores. Raises `WrongType`."""
    rows, columns = shape
    _check(dtype.bits in (16, 32), where, "elements of 16 or 32 bits", dtype)
    _check(rows in (64, 128), where, "64 or 128 rows", rows)
    packed = 32 // dtype.bits
    atom = _ATOMS.get(instruction)
    if atom is None:
        _check(instruction == _ROW_PER_THREAD, where, f"one of {', '.join((_ROW_PER_THREAD, *_ATOMS))}", instruction)
        _check(rows == 128 or packed == 1, where, "elements of 32 bits in 64 rows", dtype)
        # 64 rows are kept by 128 threads: each has half of a row
        halves = 128 // rows
        _check_repetition(where, columns, packed * halves, _MOST_REGISTERS)
        if rows == 128:
            return _layout((rows, 1, _THREAD), (columns, 1, MEMORY))
        return _layout((rows, 1, _THREAD), (halves, rows, _THREAD), (columns // halves, 1, MEMORY))
    repeat = _check_repetition(where, columns, 2 * atom.registers * packed, _MOST_REGISTERS // atom.registers)
    slabs = ((2, atom.registers * repeat, MEMORY),) if rows == 128 else ()
    steps: list[_Step] = [(4, 1, "wid_in_wg"), *slabs, *atom.rows, (repeat, *atom.columns[0][1:]), *atom.columns[1:]]
    scaled = [(size, stride * packed if axis == MEMORY else stride, axis) for size, stride, axis in steps]
    return _layout(*scaled, *([(packed, 1, MEMORY)] if packed > 1 else []))


def _check_repetition(where: str, columns: int, unit: int, most: int) -> int:
    """Return how often an instruction is repeated: a power of two."""
    repeat, rest = divmod(columns, unit)
    is_valid = rest == 0 and 0 < repeat <= most and repeat & (repeat - 1) == 0
    _check(is_valid, where, f"{unit} columns times a power of two up to {most}", columns)
    return repeat


# memory of tensor cores


def rows_of_lanes(rows: int, columns: int) -> TileLayout:
    """Return the layout with a lane for each row."""
    return _layout((rows, 1, _LANE), (columns, 1, _COLUMN))


class Product(NamedTuple):
    """Which product of matrices an instruction computes: its rows, the blocks that share it."""

    m: int
    cta_group: int
    is_weight_stationary: bool


#: product -> how rows are mapped to lanes: one each, in two halves of the columns, or 16 for each 32 lanes
_DATAPATHS: Final = {
    Product(128, 1, False): "whole",
    Product(256, 2, False): "whole",
    Product(64, 1, True): "folded",
    Product(128, 2, False): "folded",
    Product(64, 1, False): "scattered",
}


def _datapath(where: str, product: Product) -> str:
    if product not in _DATAPATHS:
        valid = ", ".join([f"M={m} cta_group={group}{' ws' * ws}" for m, group, ws in _DATAPATHS])
        raise WrongType(where=where, expected=f"one of {valid}", got=f"M={product.m} cta_group={product.cta_group}")
    return _DATAPATHS[product]


def _check_shape(where: str, shape: Sequence[int], rank: int, product: Product, dim: int = 0) -> None:
    rows = product.m // product.cta_group
    is_valid = len(shape) == rank and shape[dim] == rows
    _check(is_valid, where, f"{rank} dimensions with {rows} rows", tuple(shape))


def accumulator(where: str, shape: Sequence[int], product: Product, group: Sequence[int] | None) -> TileLayout:
    """Return the layout of the result of a product. Raises `WrongType`."""
    datapath = _datapath(where, product)
    if group is not None:
        _check_shape(where, shape, 2, product)
        is_valid = datapath == "folded" and len(group) == 3 and group[0] * group[1] * group[2] == shape[1]
        _check(is_valid, where, f"a group (s, 2, n) of {shape[1]} columns of folded rows", tuple(group))
        shape = (shape[0], *group)
    if datapath != "folded":
        _check_shape(where, shape, 2, product)
        rows, columns = shape
        if datapath == "whole":
            return rows_of_lanes(rows, columns)
        return _layout((rows // 16, 32, _LANE), (16, 1, _LANE), (columns, 1, _COLUMN))
    if len(shape) == 3 and shape[0] == 2:
        return _banks(where, shape, product)
    if len(shape) == 2:
        _check(shape[1] % 2 == 0, where, "an even number of columns", shape[1])
        shape = (shape[0], 1, 2, shape[1] // 2)
    elif len(shape) == 3:
        shape = (shape[0], 1, *shape[1:])
    _check_shape(where, shape, 4, product)
    rows, segments, halves, columns = shape
    _check(halves == 2, where, "two halves of the columns", tuple(shape))
    steps = ((rows, 1, _LANE), (segments, columns, _COLUMN), (2, 64, _LANE), (columns, 1, _COLUMN))
    return algebra.canonicalize(_layout(*steps))


def left_operand(where: str, shape: Sequence[int], product: Product) -> TileLayout:
    """Return the layout of the first matrix of a product. Raises `WrongType`."""
    datapath = _datapath(where, product)
    if datapath == "folded" and (product.is_weight_stationary or len(shape) == 3):
        return _banks(where, shape, product)
    _check_shape(where, shape, 2, product)
    rows, columns = shape
    replica = ((2, 64, _LANE),) if datapath == "folded" else ()
    return algebra.canonicalize(_layout((rows, 1, _LANE), (columns, 1, _COLUMN), replica=replica))


def _banks(where: str, shape: Sequence[int], product: Product) -> TileLayout:
    """Return the layout of two matrices, each in half of the lanes."""
    _check_shape(where, shape, 3, product, 1)
    _check(shape[0] == 2, where, "two matrices", tuple(shape))
    return algebra.canonicalize(_layout((2, 64, _LANE), (shape[1], 1, _LANE), (shape[2], 1, _COLUMN)))


def scale_factors(where: str, shape: Sequence[int], per_product: int, reuse: int) -> TileLayout:
    """Return the layout of the scale factors of blocks: 8 bits each, four in a column. Raises `WrongType`."""
    _check(len(shape) in (2, 3), where, "two dimensions, or three with the stages first", tuple(shape))
    *stages, rows, columns = shape
    is_valid = per_product > 0 and reuse > 0 and rows % 32 == 0 and columns % (reuse * per_product) == 0
    _check(is_valid, where, "rows in multiples of 32, columns in those of sf_per_mma and sf_reuse", tuple(shape))
    chunks, products = rows // 32, columns // reuse // per_product
    packed = gcd(max(4 // per_product, 1), products)
    outer = _layout((chunks, 4, _COLUMN), (products // packed, 4 * chunks, _COLUMN), (packed, per_product, _COLUMN))
    inner = _layout((32, 1, _LANE), (per_product, 1, _COLUMN), replica=((4, 32, _LANE),))
    base = algebra.direct_sum(inner, outer, (chunks, products), (32, per_product))
    if not isinstance(base, TileLayout):
        raise TypeError(f"the sum of two tile layouts, not {base!r}")
    axis = base.shard[0].axis
    depth = [(stages[0], 4 * chunks, axis)] if stages else []
    repeated = [(reuse, 0, axis)] if reuse > 1 else []
    return base.replace(shard=(*_iters(depth), *base.shard, *_iters(repeated)))


# shared memory

#: rows, and bits of a row, of the smallest part that is swizzled as a whole
_SWIZZLED_ROWS, _SWIZZLED_BITS = 8, 1024


def swizzled(where: str, shape: Sequence[int], dtype: DType) -> algebra.Layout:
    """Return the layout of a matrix in shared memory whose rows of 128 bytes are swizzled. Raises `WrongType`."""
    width = _SWIZZLED_BITS // dtype.bits
    is_valid = len(shape) >= 2 and shape[-2] % _SWIZZLED_ROWS == 0 and shape[-1] % width == 0
    expected = f"rows in multiples of {_SWIZZLED_ROWS}, columns in multiples of {width}"
    _check(is_valid, where, expected, tuple(shape))
    lead = [1] * (len(shape) - 2)
    atom, column = [*lead, _SWIZZLED_ROWS, width], [*lead, shape[-2], width]
    unit = (128 // dtype.bits).bit_length() - 1
    layout = ComposeLayout(unit, 3, 3, algebra.row_major([1 << (unit + 6)]))
    return algebra.simplified(algebra.tile_to(algebra.tile_to(layout, column, atom), shape, column))


def unswizzled(where: str, shape: Sequence[int], dtype: DType) -> algebra.Layout:
    """Return the layout of a matrix in shared memory in columns of 16 bytes. Raises `WrongType`."""
    width = 128 // dtype.bits
    if len(shape) < 2 or shape[-1] % width:
        return algebra.canonicalize(algebra.row_major(shape))
    *lead, rows, columns = shape
    outer = algebra.row_major([*lead, rows * columns]).shard[:-1]
    inner = _iters([(rows, width, MEMORY), (columns // width, rows * width, MEMORY), (width, 1, MEMORY)])
    return algebra.canonicalize(TileLayout((*outer, *inner)))
