"""Dot products of four 8-bit integers on CPUs and GPUs."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from tvmscript.ir.schedule.intrinsics.builders import Maker, buffer, call, function, lane_indices, load, multiply, store
from tvmscript.ir.tir import Broadcast, Buffer, BufferLoad, Expr, IntImm, LetStmt, Stmt, Var
from tvmscript.ir.tir.tensor_intrin import TensorIntrin


class _Lets:
    """Bind values to names, in order, around a statement."""

    def __init__(self) -> None:
        self.found: list[tuple[Var, Expr]] = []

    def __call__(self, name: str, value: Expr) -> Var:
        var = Var(name, value.dtype)
        self.found.append((var, value))
        return var

    def around(self, body: Stmt) -> Stmt:
        for var, value in reversed(self.found):
            body = LetStmt(var, value, body)
        return body


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


def _broadcast_word(let: _Lets, a: Buffer, count: int, dtype: str = "int32") -> Expr:
    """Broadcast four elements of A, as one integer, to `count` lanes."""
    four = let("A_x4", load(a, lane_indices(4)))
    word = let("A_word", call("reinterpret", dtype, four))
    return Broadcast(word, count)


def _vnni(a: Buffer, b: Buffer, c: Buffer) -> Stmt:
    let = _Lets()
    left = _broadcast_word(let, a, 16)
    right = let("B_words", call("reinterpret", "int32x16", let("B_x64", load(b, 0, lane_indices(64)))))
    total = let("C_x16", load(c, lane_indices(16)))
    return let.around(store(c, _llvm("int32x16", "llvm.x86.avx512.vpdpbusd.512", total, left, right), lane_indices(16)))


def _avx512(a: Buffer, b: Buffer, c: Buffer) -> Stmt:
    let = _Lets()
    words = let("A_words", _broadcast_word(let, a, 16))
    left = let("A_x64", call("reinterpret", "uint8x64", words))
    right = let("B_x64", load(b, 0, lane_indices(64)))
    pairs = let("pairs", _llvm("int16x32", "llvm.x86.avx512.pmaddubs.w.512", left, right))
    ones = Broadcast(IntImm("int16", 1), 32)
    sums = _llvm("int32x16", "llvm.x86.avx512.pmaddw.d.512", pairs, ones)
    return let.around(store(c, load(c, lane_indices(16)) + sums, lane_indices(16)))


def _neon(a: Buffer, b: Buffer, c: Buffer) -> Stmt:
    let = _Lets()
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
        let = _Lets()
        words = let("A_words", _broadcast_word(let, a, 4, str(c.dtype)))
        left = let("A_x16", call("reinterpret", f"{a.dtype}x16", words))
        right = let("B_x16", load(b, 0, lane_indices(16)))
        total = let("C_x4", load(c, lane_indices(4)))
        sums = _llvm(f"{c.dtype}x4", f"llvm.aarch64.neon.{instruction}", total, left, right)
        return let.around(store(c, sums, lane_indices(4)))

    return body


#: the dtypes of the factors and the sum of dp4a
_DP4A = {
    "dp4a_s8s8s32": ("int8", "int8", "int32"),
    "dp4a_u8s8s32": ("uint8", "int8", "int32"),
    "dp4a_s8u8s32": ("int8", "uint8", "int32"),
    "dp4a_u8u8u32": ("uint8", "uint8", "uint32"),
}
MAKERS: dict[str, Maker] = {
    **{name: partial(dp4a, *dtypes) for name, dtypes in _DP4A.items()},
    "dot_16x4_vnni": partial(rows, 16, "uint8", "int8", "int32", _vnni),
    "dot_16x4_avx512": partial(rows, 16, "uint8", "int8", "int32", _avx512),
    "dot_4x4_i8i8s32_neon": partial(rows, 4, "int8", "int8", "int32", _neon),
    "dot_4x4_i8i8s32_sdot": partial(rows, 4, "int8", "int8", "int32", _arm_dot("sdot")),
    "dot_4x4_u8u8u32_udot": partial(rows, 4, "uint8", "uint8", "uint32", _arm_dot("udot")),
    "dot_4x4_u8u8i32_hdot": partial(rows, 4, "uint8", "uint8", "int32", _arm_dot("udot")),
}
