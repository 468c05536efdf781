"""Dot products of narrow numbers on CPUs and GPUs.

Of CPUs there are two families: those of TVM, and panels, which the default schedules use (`dot_instructions`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import product
from typing import Final

from tvmscript.ir.arith import fold
from tvmscript.ir.core import DType
from tvmscript.ir.schedule.intrinsics import amx
from tvmscript.ir.schedule.intrinsics.builders import (
    Index,
    Lets,
    Maker,
    buffer,
    call,
    full_region,
    function,
    integer,
    lane_indices,
    load,
    multiply,
    store,
)
from tvmscript.ir.tir import (
    Broadcast,
    Buffer,
    BufferLoad,
    Cast,
    Expr,
    IntImm,
    Ramp,
    Stmt,
    Var,
    as_expr,
)
from tvmscript.ir.tir.stmt import Block, BlockRealize, For, ForKind, seq
from tvmscript.ir.tir.tensor_intrin import TensorIntrin


def _llvm(dtype: str, name: str, *args: Expr) -> Expr:
    """Construct a call of an LLVM intrinsic, with the number of arguments first."""
    return call("call_llvm_pure_intrin", dtype, name, IntImm("uint32", len(args)), *args)


# one element: dp4a of NVIDIA's GPUs


def dp4a(left: str, right: str, total: str) -> TensorIntrin:
    """C[0] += A[0:4] * B[0:4], with A and B in shared memory and C in registers."""

    def buffers() -> tuple[Buffer, Buffer, Buffer]:
        a, b = (buffer(name, (4,), dtype, "shared", 1, align=4) for name, dtype in (("A", left), ("B", right)))
        return a, b, buffer("C", (1,), total, "local", 1, align=4)

    a, b, c = buffers()
    loops = multiply(total, (4,), "R", "update", lambda k: (load(c, 0), load(a, k), load(b, k)))
    desc = function((a, b, c), (c, a, b), (c,), loops)
    a, b, c = buffers()
    zero = IntImm(total, 0)
    product = call("call_pure_extern", total, "__dp4a", load(a, lane_indices(4)), load(b, lane_indices(4)), zero)
    impl = function((a, b, c), (c, a, b), (c,), store(c, load(c, 0) + product, 0))
    return TensorIntrin(desc, impl)


# several elements at once: vector units


def rows(count: int, left: str, right: str, total: str, body: Callable[[Buffer, Buffer, Buffer], Stmt]) -> TensorIntrin:
    """C[i] += A[0:4] * B[i, 0:4] for `count` rows of B, done by `body`."""

    def buffers() -> tuple[Buffer, Buffer, Buffer]:
        a, b = buffer("A", (4,), left, offset_factor=1), buffer("B", (count, 4), right, offset_factor=1)
        return a, b, buffer("C", (count,), total, offset_factor=1)

    def elements(i: Var, k: Var) -> Sequence[BufferLoad]:
        return load(c, i), load(a, k), load(b, i, k)

    a, b, c = buffers()
    loops = multiply(total, (count, 4), "SR", "update", elements)
    desc = function((a, b, c), (c, a, b), (c,), loops)
    a, b, c = buffers()
    return TensorIntrin(desc, function((a, b, c), (c, a, b), (c,), body(a, b, c)))


def _broadcast_word(let: Lets, a: Buffer, count: int, dtype: str = "int32") -> Expr:
    """Broadcast four elements of A, as one integer, to `count` lanes."""
    four = let("A_x4", load(a, lane_indices(4)))
    word = let("A_word", call("reinterpret", dtype, four))
    return Broadcast(word, count)


def _vnni(a: Buffer, b: Buffer, c: Buffer) -> Stmt:
    let = Lets()
    left = _broadcast_word(let, a, 16)
    right = let("B_words", call("reinterpret", "int32x16", let("B_x64", load(b, 0, lane_indices(64)))))
    total = let("C_x16", load(c, lane_indices(16)))
    return let.around(store(c, _llvm("int32x16", "llvm.x86.avx512.vpdpbusd.512", total, left, right), lane_indices(16)))


def _avx512(a: Buffer, b: Buffer, c: Buffer) -> Stmt:
    let = Lets()
    words = let("A_words", _broadcast_word(let, a, 16))
    left = let("A_x64", call("reinterpret", "uint8x64", words))
    right = let("B_x64", load(b, 0, lane_indices(64)))
    pairs = let("pairs", _llvm("int16x32", "llvm.x86.avx512.pmaddubs.w.512", left, right))
    ones = Broadcast(IntImm("int16", 1), 32)
    sums = _llvm("int32x16", "llvm.x86.avx512.pmaddw.d.512", pairs, ones)
    return let.around(store(c, load(c, lane_indices(16)) + sums, lane_indices(16)))


def _neon(a: Buffer, b: Buffer, c: Buffer) -> Stmt:
    let = Lets()
    left = let("A_x8", call("reinterpret", "int8x8", let("A_words", _broadcast_word(let, a, 2))))
    right = let("B_x16", load(b, 0, lane_indices(16)))
    sums: list[Expr] = []
    for half in ("low", "high"):
        part = let(f"B_{half}", call(f"vector{half}", "int8x8", right))
        products = let(f"products_{half}", _llvm("int16x8", "llvm.aarch64.neon.smull", left, part))
        sums.append(let(f"sums_{half}", _llvm("int32x4", "llvm.aarch64.neon.saddlp", products)))
    stmt = _llvm("int32x4", "llvm.aarch64.neon.addp", *sums)
    return let.around(store(c, load(c, lane_indices(4)) + stmt, lane_indices(4)))


def _arm_dot(instruction: str) -> Callable[[Buffer, Buffer, Buffer], Stmt]:
    def body(a: Buffer, b: Buffer, c: Buffer) -> Stmt:
        let = Lets()
        words = let("A_words", _broadcast_word(let, a, 4, str(c.dtype)))
        left = let("A_x16", call("reinterpret", f"{a.dtype}x16", words))
        right = let("B_x16", load(b, 0, lane_indices(16)))
        total = let("C_x4", load(c, lane_indices(4)))
        sums = _llvm(f"{c.dtype}x4", f"llvm.aarch64.neon.{instruction}", total, left, right)
        return let.around(store(c, sums, lane_indices(4)))

    return body


# panels: elements of a row of C in registers, B in groups of terms


@dataclass(frozen=True)
class DotInstruction:
    """A tensor intrinsic `C[r, i] += A[r, k] * B[k // terms, i, k % terms]` for `lanes` values of i, `depth` of k.

    `NAME_swapped` is the same for `B * A`. C has the scope "local", of AMX "amx.tmm" (see `amx`). C and A have no first
    dimension where `rows` is 0 or 1, B has none where `depth` is `terms`. Factors are cast to the dtype of C. Sums of
    integers are exact modulo 2 ** 32, whatever the values are. Those of bfloat16 are rounded to float32 after each
    product, with subnormal numbers taken for 0; machine models have the instruction only where sums may be split.
    """

    name: str
    #: the feature of processors that it needs, as in `MachineModel.dot_features`
    feature: str
    #: the dtypes of A, B and C
    dtypes: tuple[str, str, str]
    lanes: int
    terms: int
    depth: int
    body: Callable[[Buffer, Buffer, Buffer], Stmt]
    rows: int = 0

    @property
    def uses_tiles(self) -> bool:
        """Whether sums are in tile registers."""
        return self.feature.startswith("amx")

    def make(self, is_swapped: bool = False) -> TensorIntrin:
        """Construct the intrinsic; the description of a swapped one multiplies B by A."""
        left, right, total = self.dtypes
        is_group, groups = self.depth == self.terms, self.depth // self.terms
        shape = (self.lanes, self.terms) if is_group else (groups, self.lanes, self.terms)
        rows, kinds = ((self.rows,), "SSR") if self.rows > 1 else ((), "SR")

        def buffers() -> tuple[Buffer, Buffer, Buffer]:
            a = buffer("A", (*rows, self.depth), left, offset_factor=1, is_strided=bool(rows))
            b = buffer("B", shape, right, offset_factor=1)
            if self.uses_tiles:
                return a, b, buffer("C", (*rows, self.lanes), total, amx.SCOPE)
            return a, b, buffer("C", (*rows, self.lanes), total, "local", 1, is_strided=bool(rows))

        def elements(*axes: Var) -> Sequence[BufferLoad]:
            *row, i, k = axes
            in_b = (i, k) if is_group else (k // self.terms, i, k % self.terms)
            factors = load(a, *row, k), load(b, *in_b)
            return load(c, *row, i), *(factors[::-1] if is_swapped else factors)

        a, b, c = buffers()
        loops = multiply(total, (*rows, self.lanes, self.depth), kinds, "update", elements)
        desc = function((a, b, c), (c, b, a) if is_swapped else (c, a, b), (c,), loops)
        a, b, c = buffers()
        return TensorIntrin(desc, function((a, b, c), (c, a, b), (c,), self.body(a, b, c)))


def dot_instructions(left: str, right: str, total: str, features: Sequence[str]) -> list[DotInstruction]:
    """Return the intrinsics for products of these dtypes on a processor with these features.

    `MachineModel.dot_features` are the features. All that are returned differ in `rows` and `depth` alone, those for
    tile registers in `rows` and `lanes`. B has to be packed in groups of `terms` rows, and the sums of a block have a
    multiple of `depth` terms:

        [column // lanes, term // depth, term % depth // terms, column % lanes, term % terms]

    (without the third dimension where `depth` is `terms`). `interleave_{terms}x{lanes}_{dtype}` packs a group,
    `regroup_{words}x{lanes}_{dtype}` as many groups of four contiguous terms as a vector has int32.
    """
    fitting = [dot for dot in DOTS if dot.dtypes == (left, right, total) and dot.feature in features]
    return [dot for dot in fitting if dot.feature == fitting[0].feature]


def _word(let: Lets, a: Buffer, start: int, count: int) -> Expr:
    """Read `count` elements of A as one int32."""
    elements = let("A_elements", load(a, Ramp(integer(start), integer(1), count)))
    return let("A_word", call("reinterpret", "int32", elements))


def _words(let: Lets, b: Buffer, group: int, lanes: int, terms: int) -> Expr:
    """Read a group of B, an int32 for each lane."""
    place = (0,) if len(b.shape) == 2 else (group, 0)
    elements = let("B_elements", load(b, *place, lane_indices(lanes * terms)))
    return let("B_words", call("reinterpret", f"int32x{lanes}", elements))


def _accumulating(instruction: str, lanes: int, terms: int) -> Callable[[Buffer, Buffer, Buffer], Stmt]:
    """C = instruction(C, A, B)."""

    def body(a: Buffer, b: Buffer, c: Buffer) -> Stmt:
        let = Lets()
        left = Broadcast(_word(let, a, 0, terms), lanes)
        right = _words(let, b, 0, lanes, terms)
        total = let("C_lanes", load(c, lane_indices(lanes)))
        return let.around(store(c, _llvm(f"{c.dtype}x{lanes}", instruction, total, left, right), lane_indices(lanes)))

    return body


def _signed_vnni(rows: int, lanes: int, depth: int) -> Callable[[Buffer, Buffer, Buffer], Stmt]:
    """C += (A + 128) * B - 128 * B, for instructions whose first factor is unsigned; rows share the second product."""
    vectors, flips = [*range(0, 2 * lanes, lanes)], IntImm("int32", -0x7F7F7F80)
    dtype = f"int32x{lanes}"
    sums = partial(_llvm, dtype, f"llvm.x86.avx512.vpdpbusd.{32 * lanes}")
    group = Var("group", "int32")

    def lanes_from(start: Index) -> Ramp:
        return Ramp(as_expr(start), integer(1), lanes)

    def body(a: Buffer, b: Buffer, c: Buffer) -> Stmt:
        of_row = [(row,) if rows > 1 else () for row in range(rows)]
        unsigned = buffer("A_unsigned", (rows, depth), "int8", "local")
        excess = buffer("excess", (2 * lanes,), "int32", "local")
        all_terms = Ramp(integer(0), integer(1), depth)
        flip = Broadcast(IntImm("int8", -128), depth)
        before = [
            store(unsigned, call("bitwise_xor", load(a, *of_row[row], all_terms), flip), row, all_terms)
            for row in range(rows)
        ]
        before += [store(excess, Broadcast(IntImm("int32", 0), lanes), lanes_from(start)) for start in vectors]
        let = Lets()
        words = [
            let(
                "B_words",
                call("reinterpret", dtype, load(b, group, 0, Ramp(integer(4 * start), integer(1), 4 * lanes))),
            )
            for start in vectors
        ]
        steps: list[Stmt] = []
        for row in range(rows):
            inner = Lets()
            four = Ramp(group * 4, integer(1), 4)
            left = Broadcast(inner("A_word", call("reinterpret", "int32", load(unsigned, row, four))), lanes)
            products = [
                store(c, sums(load(c, *of_row[row], lanes_from(start)), left, word), *of_row[row], lanes_from(start))
                for start, word in zip(vectors, words, strict=True)
            ]
            steps.append(inner.around(seq(*products)))
        steps += [
            store(excess, sums(load(excess, lanes_from(start)), Broadcast(flips, lanes), word), lanes_from(start))
            for start, word in zip(vectors, words, strict=True)
        ]
        loop = For(group, integer(0), integer(depth // 4), ForKind.SERIAL, let.around(seq(*steps)))
        after = [
            store(c, load(c, *row, lanes_from(start)) - load(excess, lanes_from(start)), *row, lanes_from(start))
            for row in of_row
            for start in vectors
        ]
        return BlockRealize(
            (),
            fold.TRUE,
            Block(
                (),
                (full_region(a), full_region(b), full_region(c)),
                (full_region(c),),
                "signed",
                seq(*before, loop, *after),
                alloc_buffers=(unsigned, excess),
            ),
        )

    return body


def _pairs(instruction: str, lanes: int) -> Callable[[Buffer, Buffer, Buffer], Stmt]:
    """C += instruction(A, B), the sums of two products of int16."""

    def body(a: Buffer, b: Buffer, c: Buffer) -> Stmt:
        let = Lets()
        pair = let("A_pair", Cast("int16x2", let("A_elements", load(a, lane_indices(2)))))
        words = let("A_words", Broadcast(let("A_word", call("reinterpret", "int32", pair)), lanes))
        left = let("A_pairs", call("reinterpret", f"int16x{2 * lanes}", words))
        right = let("B_pairs", Cast(f"int16x{2 * lanes}", let("B_elements", load(b, 0, lane_indices(2 * lanes)))))
        sums = _llvm(f"int32x{lanes}", instruction, left, right)
        return let.around(store(c, load(c, lane_indices(lanes)) + sums, lane_indices(lanes)))

    return body


def _neon_dot(instruction: str) -> Callable[[Buffer, Buffer, Buffer], Stmt]:
    def body(a: Buffer, b: Buffer, c: Buffer) -> Stmt:
        let = Lets()
        words = let("A_words", Broadcast(_word(let, a, 0, 4), 4))
        left = let("A_bytes", call("reinterpret", f"{a.dtype}x16", words))
        right = let("B_bytes", load(b, 0, lane_indices(16)))
        total = let("C_lanes", load(c, lane_indices(4)))
        return let.around(store(c, _llvm("int32x4", instruction, total, left, right), lane_indices(4)))

    return body


#: rows of C of intrinsics of several vectors, and terms
_ROWS: Final = (12, 8, 6, 4, 2, 1)
_DEPTHS: Final = (64, 16)


def _tile_dots(name: str, feature: str, dtypes: tuple[str, str, str]) -> Iterator[DotInstruction]:
    """Instructions of AMX for the shapes of sums in tile registers."""
    terms = 32 // DType(dtypes[0]).bits
    depth = terms * amx.ROWS
    for rows, lanes in amx.SHAPES:
        body = partial(amx.multiply_tiles, rows, lanes, terms, amx.INSTRUCTIONS[dtypes[:2]])
        yield DotInstruction(f"dot_{rows}x{lanes}x{depth}_{name}_amx", feature, dtypes, lanes, terms, depth, body, rows)


def _dots() -> Iterator[DotInstruction]:
    """All panels, the fastest of several for one processor first."""
    i32, letters = "int32", {"int8": "s8", "uint8": "u8"}
    for left, right in product(letters, repeat=2):
        yield from _tile_dots(letters[left] + letters[right] + "s32", "amx-int8", (left, right, i32))
    for lanes, feature in ((16, "avx512vnni"), (8, "avxvnni")):
        sums = f"llvm.x86.avx512.vpdpbusd.{32 * lanes}"
        body = _accumulating(sums, lanes, 4)
        yield DotInstruction(f"dot_{lanes}x4_u8s8s32_{feature}", feature, ("uint8", "int8", i32), lanes, 4, 4, body)
        for depth, rows in product(_DEPTHS, _ROWS):
            name = f"dot_{rows}x{2 * lanes}x{depth}_s8s8s32_{feature}"
            body = _signed_vnni(rows, lanes, depth)
            yield DotInstruction(name, feature, ("int8", "int8", i32), 2 * lanes, 4, depth, body, rows)
    for dtype, sums in (("int8", "llvm.aarch64.neon.sdot"), ("uint8", "llvm.aarch64.neon.udot")):
        name = f"dot_4x4_{letters[dtype]}{letters[dtype]}s32_dotprod"
        yield DotInstruction(name, "dotprod", (dtype, dtype, i32), 4, 4, 4, _neon_dot(sums))
    for lanes, feature, sums in (
        (16, "avx512bw", "llvm.x86.avx512.pmaddw.d.512"),
        (8, "avx2", "llvm.x86.avx2.pmadd.wd"),
    ):
        for left, right in product(letters, repeat=2):
            name = f"dot_{lanes}x2_{letters[left]}{letters[right]}s32_{feature}"
            yield DotInstruction(name, feature, (left, right, i32), lanes, 2, 2, _pairs(sums, lanes))
    dtypes = ("bfloat16", "bfloat16", "float32")
    yield from _tile_dots("bf16bf16f32", "amx-bf16", dtypes)
    body = _accumulating("llvm.x86.avx512bf16.dpbf16ps.512", 16, 2)
    yield DotInstruction("dot_16x2_bf16bf16f32_avx512bf16", "avx512bf16", dtypes, 16, 2, 2, body)


DOTS: Final = (*_dots(),)


#: the dtypes of the factors and the sum of dp4a
_DP4A = {
    "dp4a_s8s8s32": ("int8", "int8", "int32"),
    "dp4a_u8s8s32": ("uint8", "int8", "int32"),
    "dp4a_s8u8s32": ("int8", "uint8", "int32"),
    "dp4a_u8u8u32": ("uint8", "uint8", "uint32"),
}
#: those of panels
PANELS: Final[Mapping[str, Maker]] = {
    f"{dot.name}{'_swapped' * is_swapped}": partial(dot.make, is_swapped)
    for dot in DOTS
    for is_swapped in (False, True)
}
#: those of TVM
MAKERS: dict[str, Maker] = {
    **{name: partial(dp4a, *dtypes) for name, dtypes in _DP4A.items()},
    "dot_16x4_vnni": partial(rows, 16, "uint8", "int8", "int32", _vnni),
    "dot_16x4_avx512": partial(rows, 16, "uint8", "int8", "int32", _avx512),
    "dot_4x4_i8i8s32_neon": partial(rows, 4, "int8", "int8", "int32", _neon),
    "dot_4x4_i8i8s32_sdot": partial(rows, 4, "int8", "int8", "int32", _arm_dot("sdot")),
    "dot_4x4_u8u8u32_udot": partial(rows, 4, "uint8", "uint8", "uint32", _arm_dot("udot")),
    "dot_4x4_u8u8i32_hdot": partial(rows, 4, "uint8", "uint8", "int32", _arm_dot("udot")),
}
