"""Products of warp groups (wgmma, sm_90a): swizzled tiles of both factors in shared memory, sums in registers.

A step multiplies 128 bytes of terms. Tiles have rows of 128 bytes, of terms or of the other axis, whose eight chunks of
16 bytes are permuted by the number of the row (`permuted_layout` "128B"). Sums are a buffer of `warp` memory: the
first index is the thread of the group, the second the element that the thread has.

The instructions run on: `wgmma_...` is two statements, one that starts a step and one that waits for the step before,
so that a software pipeline can have them in different stages. `wgmma_wait_...` copies the sums after all steps.
`wgmma_store_...` writes results of 16 bits to a tile in shared memory that bulk copies read, by `stmatrix`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import product
from typing import Final, NamedTuple

from tvmscript.ir.arith import fold
from tvmscript.ir.core import DType
from tvmscript.ir.schedule.intrinsics.builders import (
    Maker,
    buffer,
    call,
    copy,
    for_each_thread,
    full_region,
    function,
    integer,
    load,
    multiply,
    nest,
    store,
)
from tvmscript.ir.tir import Buffer, BufferLoad, Evaluate, Expr, IntImm, Ramp, Stmt, Var, const, seq
from tvmscript.ir.tir.intrin.device import instruction
from tvmscript.ir.tir.intrin.ptx_calls import PtxOperands, ptx_call
from tvmscript.ir.tir.stmt import Block, BlockRealize, For, ForKind
from tvmscript.ir.tir.tensor_intrin import TensorIntrin

#: threads of a group, rows of its sums
GROUP, ROWS = 128, 64
#: bytes of a row of a tile, of the terms that an instruction multiplies, of eight rows of a tile
ROW_BYTES: Final = 128
_STEP_BYTES, _PATTERN_BYTES = 32, 8 * ROW_BYTES
#: offsets of descriptors are in units of 16 bytes; the mode of swizzling by 128 bytes
_UNIT, _SWIZZLED = 16, 3
_WARP: Final = 32
#: columns of results of 16 bits in a row of a tile
_PART: Final = 64
_STMATRIX: Final = ("sync", "aligned", "m8n8", "x4", "", "shared", "b16")


class WgmmaKind(NamedTuple):
    """The instructions for a dtype of factors."""

    #: name in intrinsics
    name: str
    dtype: str
    #: name in PTX
    ptx: str
    total: str
    ptx_total: str
    #: whether a tile may have rows of the other axis than the terms
    is_transposable: bool = False
    #: columns of the sums of a group, at most
    most_columns: int = 256

    @property
    def terms(self) -> int:
        """The terms of a step."""
        return ROW_BYTES // DType(self.dtype).itemsize


KINDS: Final = (
    WgmmaKind("f16", "float16", "f16", "float32", "f32", is_transposable=True),
    WgmmaKind("bf16", "bfloat16", "bf16", "float32", "f32", is_transposable=True),
    WgmmaKind("tf32", "float32", "tf32", "float32", "f32"),
    WgmmaKind("i8", "int8", "s8", "int32", "s32", most_columns=128),
    WgmmaKind("e4m3", "e4m3_float8", "e4m3", "float32", "f32"),
    WgmmaKind("e5m2", "e5m2_float8", "e5m2", "float32", "f32"),
)
#: dtypes of results that `stmatrix` writes
STORED: Final = ("float16", "bfloat16")
#: columns of the sums of a group
COLUMNS: Final = (64, 128, 256)


def sum_place(row: Expr, column: Expr) -> tuple[Expr, Expr]:
    """Return the thread of the group that has a sum, and the index there."""
    thread = row // 16 * _WARP + row % 8 * 4 + column % 8 // 2
    return thread, column // 8 * 4 + row % 16 // 8 * 2 + column % 2


def _sums(columns: int, dtype: str, name: str = "C") -> Buffer:
    return buffer(name, (GROUP, ROWS * columns // GROUP), dtype, "warp", 1)


def _instruct(path: str, *args: object) -> Stmt:
    """Construct a device instruction of TVM 0.27 as a statement."""
    return Evaluate(instruction(path)(*args))


def _wgmma(*words: object) -> Stmt:
    """Construct an instruction that orders products."""
    return _instruct("ptx.wgmma", *words, "sync", "aligned", "")


def _ptx(family: str, words: tuple[str, ...], *operands: Expr | int) -> Stmt:
    """Construct an instruction of PTX by its words and operands."""
    return Evaluate(ptx_call(family, words, PtxOperands(operands)))


def _block(name: str, reads: Sequence[Buffer], writes: Sequence[Buffer], body: Stmt, *local: Buffer) -> Stmt:
    regions = tuple(map(full_region, reads)), tuple(map(full_region, writes))
    return BlockRealize((), fold.TRUE, Block((), *regions, name, body, alloc_buffers=local))


# -- a step


def multiply_step(kind: WgmmaKind, columns: int, is_transposed_a: bool, is_transposed_b: bool) -> TensorIntrin:
    """Add the product of a step to the sums of a group.

    Tiles are (row, term) and (column, term), transposed ones (1, term, row) and (columns // 64, term, 64).
    """
    terms = kind.terms

    def tile(name: str, count: int, is_transposed: bool) -> Buffer:
        shape = (count // terms, terms, terms) if is_transposed else (count, terms)
        return buffer(name, shape, kind.dtype, "shared.dyn", 1, is_strided=True)

    def buffers() -> tuple[Buffer, Buffer, Buffer]:
        return (
            tile("A", ROWS, is_transposed_a),
            tile("B", columns, is_transposed_b),
            _sums(columns, kind.total),
        )

    def factor(source: Buffer, place: Expr, term: Expr, is_transposed: bool) -> BufferLoad:
        if not is_transposed:
            return load(source, place, term)
        parts = source.shape[0]
        is_one = isinstance(parts, IntImm) and parts.value == 1
        return load(source, *((0, term, place) if is_one else (place // terms, term, place % terms)))

    def elements(i: Var, j: Var, k: Var) -> Sequence[BufferLoad]:
        return load(c, *sum_place(i, j)), factor(a, i, k, is_transposed_a), factor(b, j, k, is_transposed_b)

    a, b, c = buffers()
    desc = function((a, b, c), (c, a, b), (c,), multiply(kind.total, (ROWS, columns, terms), "SSR", "C", elements))
    a, b, c = buffers()
    descriptors = buffer("descriptors", (2,), "uint64", "local")
    start = _start_step(kind, columns, (a, b, c), descriptors, (is_transposed_a, is_transposed_b))
    started = _block("start", (c, a, b), (c,), start, descriptors)
    ended = _block("end", (c, a, b), (c,), _wgmma(1, "wait_group"))
    return TensorIntrin(desc, function((a, b, c), (c, a, b), (c,), seq(started, ended)))


def _start_step(
    kind: WgmmaKind,
    columns: int,
    buffers: tuple[Buffer, Buffer, Buffer],
    descriptors: Buffer,
    is_transposed: tuple[bool, bool],
) -> Stmt:
    """Start the instructions of a step as one group."""
    *factors, c = buffers
    stmts: list[Stmt] = []
    for place, factor in enumerate(factors):
        rows = factor.shape[1] if is_transposed[place] else integer(0)
        # from one part of 128 bytes to the next, where rows are no terms
        leading = rows.value * ROW_BYTES // _UNIT if isinstance(rows, IntImm) and is_transposed[place] else 1
        address = call("address_of", load(factor, *[0] * len(factor.shape)))
        stmts.append(
            _instruct(
                "cuda.wgmma.encode_matrix_descriptor", call("address_of", load(descriptors, place)), address, leading,
                _PATTERN_BYTES // _UNIT, _SWIZZLED,
            )
        )  # fmt: skip
    stmts.append(_wgmma("fence"))
    steps = ROW_BYTES // _STEP_BYTES
    strides = [(kind.terms // steps * ROW_BYTES if flag else _STEP_BYTES) // _UNIT for flag in is_transposed]

    def multiply_terms(tx: Var) -> Stmt:
        sums = [load(c, tx, place) for place in range(ROWS * columns // GROUP)]
        scales = [] if kind.total == "int32" else [1, 1]
        layouts = [*map(int, is_transposed)] if kind.is_transposable else []
        shape = f"m64n{columns}k{kind.terms // steps}"
        calls = [
            _instruct(
                "ptx.wgmma", *sums, *[load(descriptors, place) + const(step * stride, "uint64")
                                      for place, stride in enumerate(strides)],
                IntImm("bool", 1), *scales, *layouts, "mma_async", "sync", "aligned", shape,
                *([""] if kind.total == "int32" else []), kind.ptx_total, kind.ptx, kind.ptx, f"p{len(sums) + 2}",
            )
            for step in range(steps)
        ]  # fmt: skip
        return seq(*calls)

    return seq(*stmts, for_each_thread(GROUP, multiply_terms), _wgmma("commit_group"))


# -- sums


def fill_sums(dtype: str, columns: int) -> TensorIntrin:
    """Fill the sums of a group with 0."""
    zero = const(0, dtype)
    c = _sums(columns, dtype)
    loops = nest((ROWS, columns), "SS", "C", lambda i, j: (load(c, *sum_place(i, j)), zero))
    desc = function((c,), (), (c,), loops)
    c = _sums(columns, dtype)
    count = ROWS * columns // GROUP
    body = for_each_thread(GROUP, lambda tx: _for_each_register(count, lambda place: store(c, zero, tx, place)))
    return TensorIntrin(desc, function((c,), (), (c,), body))


def wait_for_sums(dtype: str, columns: int) -> TensorIntrin:
    """Copy the sums of a group, when all its products have ended."""

    def buffers() -> tuple[Buffer, Buffer]:
        return _sums(columns, dtype), _sums(columns, dtype, "D")

    c, d = buffers()
    loops = copy(
        (GROUP, ROWS * columns // GROUP), "D", lambda thread, place: (load(d, thread, place), load(c, thread, place))
    )
    desc = function((c, d), (c,), (d,), loops)
    c, d = buffers()

    def copy_sum(tx: Var, place: Var) -> Stmt:
        return seq(_instruct("cuda.wgmma.noop_barrier", load(c, tx, place)), store(d, load(c, tx, place), tx, place))

    count = ROWS * columns // GROUP
    body = for_each_thread(GROUP, lambda tx: _for_each_register(count, lambda place: copy_sum(tx, place)))
    return TensorIntrin(desc, function((c, d), (c,), (d,), seq(_wgmma(0, "wait_group"), body)))


# -- results


def store_results(dtype: str, columns: int) -> TensorIntrin:
    """Write the results of a group, which lie as its sums, to a tile of parts of 64 columns, permuted by rows.

    A warp writes 16 rows when its bulk copies of them have read what was there; then its own bulk copies may read them.
    """

    def buffers() -> tuple[Buffer, Buffer]:
        return (
            _sums(columns, dtype, "E"),
            buffer("S", (columns // _PART, ROWS, _PART), dtype, "shared.dyn", 1, is_strided=True),
        )

    def elements(row: Var, column: Var) -> Sequence[BufferLoad]:
        place = (0, row, column) if columns == _PART else (column // _PART, row, column % _PART)
        return load(s, *place), load(e, *sum_place(row, column))

    e, s = buffers()
    loops = copy((ROWS, columns), "S", elements)
    desc = function((e, s), (e,), (s,), loops)
    e, s = buffers()
    words = buffer("words", (columns // 4,), "uint32", "local")

    def write_rows(tx: Var) -> Stmt:
        lane = tx % _WARP

        def pack(place: Var) -> Stmt:
            return store(words, call("reinterpret", "uint32", load(e, tx, Ramp(place * 2, integer(1), 2))), place)

        stmts = [_for_each_register(columns // 4, pack)]
        stmts += [_ptx("cp", ("async", "bulk", "wait_group", "read"), 0), _instruct("cuda.warp_sync")]
        for place in range(columns // 16):
            chunk = call("bitwise_xor", place % 4 * 2 + lane // 16, lane % 8)
            row = load(s, place // 4, tx // _WARP * 16 + lane % 16, chunk * 8)
            registers = [load(words, place * 4 + number) for number in range(4)]
            stmts.append(_ptx("stmatrix", _STMATRIX, call("address_of", row), *registers))
        fence = _ptx("fence", ("proxy", "async", "shared::cta"))
        return seq(*stmts, fence, _instruct("cuda.warp_sync"))

    block = _block("store", (e,), (s,), for_each_thread(GROUP, write_rows), words)
    return TensorIntrin(desc, function((e, s), (e,), (s,), block))


def _for_each_register(count: int, body: Callable[[Var], Stmt]) -> Stmt:
    """Return a loop over registers of a thread, which stays a loop until the text is compiled."""
    place = Var("place", "int32")
    annotations = {"pragma_unroll_explicit": False}
    return For(place, integer(0), integer(count), ForKind.UNROLLED, body(place), annotations=annotations)


# -- names

_TRANSPOSED: Final = (("", False), ("_trans", True))


def _makers() -> Iterator[tuple[str, Maker]]:
    for columns in COLUMNS:
        for kind in KINDS:
            if columns > kind.most_columns:
                continue
            for (mark_a, a), (mark_b, b) in product(_TRANSPOSED if kind.is_transposable else _TRANSPOSED[:1], repeat=2):
                marks = f"{mark_a and '_trans_a'}{mark_b and '_trans_b'}"
                yield f"wgmma_{kind.name}_n{columns}{marks}", partial(multiply_step, kind, columns, a, b)
        for total in ("float32", "int32"):
            yield f"wgmma_fill_{total}_n{columns}", partial(fill_sums, total, columns)
            yield f"wgmma_wait_{total}_n{columns}", partial(wait_for_sums, total, columns)
        for dtype in STORED:
            yield f"wgmma_store_{dtype}_n{columns}", partial(store_results, dtype, columns)


MAKERS: dict[str, Maker] = dict(_makers())
