"""Products of 16x16 tiles distributed over the 32 threads of a warp, by PTX ldmatrix and mma.

A tile is a buffer of `warp` memory: the first index is the thread, the second the element that the thread has. Which
element of the matrix that is, the instructions prescribe: see `RegisterLayout`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial

from tvmscript.ir.schedule.intrinsics.builders import (
    Maker,
    buffer,
    call_stmt,
    copy,
    for_each_thread,
    function,
    integer,
    load,
    multiply,
    nest,
    pointer,
    store,
)
from tvmscript.ir.tir import Buffer, BufferLoad, Expr, For, ForKind, IntImm, Stmt, Var, const, seq
from tvmscript.ir.tir.tensor_intrin import TensorIntrin

_WARP = 32
#: short name -> (dtype, its name in PTX)
_DTYPES = {
    "f16": ("float16", "fp16"),
    "bf16": ("bfloat16", "bf16"),
    "i8": ("int8", "int8"),
    "e4m3": ("e4m3_float8", "e4m3"),
    "e5m2": ("e5m2_float8", "e5m2"),
    "tf32": ("float32", "tf32"),
    "f32": ("float32", "fp32"),
    "i32": ("int32", "int32"),
}


@dataclass(frozen=True)
class RegisterLayout:
    """The distribution of a matrix over a warp: each group of four threads holds rows, or, `by_columns`, columns.

    A thread has `run` neighbours in a row, then the same 8 rows below, then the same in the next half.
    """

    rows: int
    columns: int
    run: int
    by_columns: bool = False

    @property
    def count(self) -> int:
        """The number of elements per thread."""
        return self.rows * self.columns // _WARP

    def place(self, i: Expr, j: Expr) -> tuple[Expr, Expr]:
        """Map an element to its thread and index there."""
        run = self.run
        if self.by_columns:
            thread = i % (4 * run) // run + 4 * (j % 8)
            return thread, 2 * run * (j // 8) + i // (4 * run) * run + i % run
        thread = 4 * (i % 8) + j % (4 * run) // run
        return thread, 2 * run * (j // (4 * run)) + i // 8 * run + j % run


#: 16-bit factors and all sums; 8-bit factors; factors of 32 bits, whose last index is summed
_SQUARE = RegisterLayout(16, 16, 2)
_WIDE = RegisterLayout(16, 32, 4)
_NARROW = RegisterLayout(16, 8, 1)
_TALL = RegisterLayout(32, 16, 4, by_columns=True)


def register_layout(dtype: str, side: str, is_transposed: bool) -> RegisterLayout:
    """The distribution of a factor: "a" is (row, sum), "b" is (sum, column), unless transposed."""
    if dtype in ("float16", "bfloat16"):
        return _SQUARE
    if dtype == "float32":
        return _NARROW
    return _WIDE if (side == "a") is not is_transposed else _TALL


def _make_register_buffer(name: str, spread: RegisterLayout, dtype: str, offset_factor: int) -> Buffer:
    return buffer(name, (_WARP, spread.count), dtype, "warp", offset_factor)


# from shared memory


def ldmatrix(dtype: str, side: str, memory: str, is_transposed: bool) -> TensorIntrin:
    """Load a tile of a factor from shared memory by ldmatrix, which can transpose 8x8 parts."""
    spread = register_layout(dtype, side, is_transposed)
    rows, columns = spread.rows, spread.columns

    def buffers(*, is_strided: bool) -> tuple[Buffer, Buffer]:
        warp = _make_register_buffer("warp", spread, dtype, columns)
        return warp, buffer("shared", (rows, columns), dtype, memory, columns, is_strided=is_strided)

    warp, shared = buffers(is_strided=False)
    loops = copy((rows, columns), "shared_warp", lambda i, j: (load(warp, *spread.place(i, j)), load(shared, i, j)))
    desc = function((warp, shared), (shared,), (warp,), loops)
    warp, shared = buffers(is_strided=True)
    stride = shared.strides[0]
    swaps = (side == "b") is not is_transposed

    def body(tx: Var) -> Stmt:
        return call_stmt(
            "ptx_ldmatrix",
            # it moves 16 bits at a time, whatever they are
            "float16" if dtype == "bfloat16" else dtype,
            IntImm("bool", int(swaps)),
            4,
            ".b16",
            warp.data,
            warp.elem_offset + spread.count * tx,
            pointer(shared, stride * rows, "r"),
            _first_of_row(spread, stride, tx, is_transposed),
        )

    return TensorIntrin(desc, function((warp, shared), (shared,), (warp,), for_each_thread(_WARP, body)))


def _first_of_row(spread: RegisterLayout, stride: Expr, tx: Var, is_transposed: bool) -> Expr:
    """The start of the row whose address a thread passes to ldmatrix."""
    half = spread.count
    if spread is _TALL:
        # ldmatrix does not transpose bytes: what is printed for this is a loop, which takes the stride alone
        return stride
    if not is_transposed:
        return stride * (tx % 16) + half * (tx // 16)
    row = stride * (tx % 8) if spread is _SQUARE else tx % 8 * stride
    return stride * 8 * (tx // 16) + row + half * (tx % 16 // 8)


# products


def mma(factor: str, total: str, is_transposed_a: bool, is_transposed_b: bool) -> TensorIntrin:
    """Add the product of two tiles to a tile, by two instructions for eight columns each."""
    (dtype, name), (sum_dtype, sum_name) = _DTYPES[factor], _DTYPES[total]
    left, right = register_layout(dtype, "a", is_transposed_a), register_layout(dtype, "b", is_transposed_b)
    depth = left.rows if is_transposed_a else left.columns

    def buffers() -> tuple[Buffer, Buffer, Buffer]:
        a = _make_register_buffer("A", left, dtype, depth)
        b = _make_register_buffer("B", right, dtype, right.columns)
        return a, b, _make_register_buffer("C", _SQUARE, sum_dtype, 16)

    def elements(i: Var, j: Var, k: Var) -> Sequence[BufferLoad]:
        at_a = left.place(k, i) if is_transposed_a else left.place(i, k)
        at_b = right.place(j, k) if is_transposed_b else right.place(k, j)
        return load(c, *_SQUARE.place(i, j)), load(a, *at_a), load(b, *at_b)

    a, b, c = buffers()
    desc = function((a, b, c), (c, a, b), (c,), multiply(sum_dtype, (16, 16, depth), "SSR", "C", elements))
    a, b, c = buffers()

    def body(tx: Var) -> Stmt:
        ends = [(item.data, item.elem_offset + tx * size.value) for item, size in _lane_counts(a, b, c)]
        calls: list[Stmt] = []
        for half in range(2):
            parts = [ends[0], _advance(ends[1], half * right.count // 2), _advance(ends[2], half * 4)]
            kinds = "row", "col", name, name, sum_name
            flat = [part for end in parts for part in end]
            calls.append(call_stmt("ptx_mma", sum_dtype, f"m16n8k{depth}", *kinds, *flat, IntImm("bool", 0)))
        return seq(*calls)

    return TensorIntrin(desc, function((a, b, c), (c, a, b), (c,), for_each_thread(_WARP, body)))


def _lane_counts(*buffers: Buffer) -> Iterator[tuple[Buffer, IntImm]]:
    for item in buffers:
        size = item.shape[1]
        assert isinstance(size, IntImm), "tiles have constant shapes"
        yield item, size


def _advance(end: tuple[Expr, Expr], by: int) -> tuple[Expr, Expr]:
    return (end[0], end[1] + by) if by else end


def fill(dtype: str) -> TensorIntrin:
    """Fill an accumulator tile with 0."""
    zero = const(0, dtype)
    c = _make_register_buffer("C_warp", _SQUARE, dtype, 0)
    loops = nest((16, 16), "SS", "C_warp", lambda i, j: (load(c, *_SQUARE.place(i, j)), zero))
    desc = function((c,), (), (c,), loops)
    c = _make_register_buffer("C_warp", _SQUARE, dtype, 1)
    body = for_each_thread(_WARP, lambda tx: call_stmt("mma_fill", dtype, _SQUARE.count, c.data, c.elem_offset))
    return TensorIntrin(desc, function((c,), (), (c,), body))


def store_tile(dtype: str, memory: str, is_simple: bool) -> TensorIntrin:
    """Store an accumulator tile; element by element if `is_simple`."""

    def buffers(offset_factor: int, *, is_strided: bool) -> tuple[Buffer, Buffer]:
        warp = _make_register_buffer("C_warp", _SQUARE, dtype, offset_factor)
        return warp, buffer("C", (16, 16), dtype, memory, offset_factor, is_strided=is_strided)

    warp, c = buffers(0, is_strided=False)
    loops = copy((16, 16), "C_warp", lambda i, j: (load(c, i, j), load(warp, *_SQUARE.place(i, j))))
    desc = function((warp, c), (warp,), (c,), loops)
    warp, c = buffers(1, is_strided=True)

    def at_once(tx: Var) -> Stmt:
        address = pointer(c, c.strides[0] * 16, "w")
        return call_stmt("mma_store", dtype, 16, 16, address, warp.data, warp.elem_offset, c.strides[0])

    def one_by_one(tx: Var) -> Stmt:
        at = Var("local_id", "int32")
        row = 8 * (at % 4 // 2) + tx // 4
        column = 8 * (at // 4) + tx % 4 * 2 + at % 2
        body = store(c, load(warp, tx, at), row, column)
        return For(at, integer(0), integer(_SQUARE.count), ForKind.SERIAL, body)

    body = for_each_thread(_WARP, one_by_one if is_simple else at_once)
    return TensorIntrin(desc, function((warp, c), (warp,), (c,), body))


# names

_SHARED = {"": "shared", "_dyn": "shared.dyn"}
_Both = tuple[tuple[str, bool], ...]
_TRANSPOSED: _Both = (("", False), ("_trans", True))


def _makers() -> Iterator[tuple[str, Maker]]:
    for factor, totals in (
        ("f16", ("f32", "f16")),
        ("bf16", ("f32",)),
        ("i8", ("i32",)),
        ("e4m3", ("f32",)),
        ("e5m2", ("f32",)),
    ):
        dtype = _DTYPES[factor][0]
        is_wide = factor in ("f16", "bf16")
        for side in "ab":
            for suffix, is_transposed in _TRANSPOSED if is_wide or side == "b" else _TRANSPOSED[:1]:
                for short, memory in _SHARED.items():
                    name = f"mma_ldmatrix_{factor}_{side}{suffix}{short}"
                    yield name, partial(ldmatrix, dtype, side, memory, is_transposed)
        for total in totals:
            for suffix_a, a in (("", False), ("_trans_a", True)) if is_wide else (("", False),):
                for suffix_b, b in (("", False), ("_trans_b", True)):
                    yield f"mma_{factor}{factor}{total}{suffix_a}{suffix_b}", partial(mma, factor, total, a, b)
    for total in ("f32", "f16", "i32"):
        yield f"mma_fill_16x16_{total}", partial(fill, _DTYPES[total][0])
    for name, simple in (("f32", ("shared_dyn",)), ("f16", ("shared_dyn", "shared", "global")), ("i32", ())):
        for short, memory in (("global", "global"), ("shared", "shared"), ("shared_dyn", "shared.dyn")):
            for suffix, is_simple in (("", False), ("simple_", True)):
                if not is_simple or short in simple:
                    dtype = _DTYPES[name][0]
                    yield f"mma_store_16x16_{name}_{short}_{suffix}", partial(store_tile, dtype, memory, is_simple)


MAKERS: dict[str, Maker] = dict(_makers())

#: intrinsics that TVM does not have: products of float32 factors, of which 10 bits of the mantissa count
OWN_MAKERS: dict[str, Maker] = {
    "mma_ldmatrix_tf32_a_dyn": partial(ldmatrix, "float32", "a", "shared.dyn", False),
    "mma_ldmatrix_tf32_b_trans_dyn": partial(ldmatrix, "float32", "b", "shared.dyn", True),
    "mma_tf32tf32f32_trans_b": partial(mma, "tf32", "f32", False, True),
}
