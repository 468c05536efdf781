"""Loops, branches, memory, vectors, assertions: whole kernels against NumPy."""

from __future__ import annotations

import numpy as np
import pytest

import tvmscript
from tests.backends.llvm.kernels import build_text, function, i32
from tvmscript.backends import llvm
from tvmscript.backends.llvm.errors import NotSupportedByLLVM
from tvmscript.backends.runtime.errors import KernelAssertion, KernelOutOfMemory
from tvmscript.ir.core.module import IRModule
from tvmscript.ir.core.op import Op
from tvmscript.ir.tir import expr as tir
from tvmscript.ir.tir import stmt
from tvmscript.ir.tir.base import Expr
from tvmscript.ir.tir.buffer import make_buffer
from tvmscript.ir.tir.operators import const


def test_loops_with_bounds() -> None:
    """Loops start anywhere, may be empty, and count in any integer type."""
    module = build_text("""
@T.prim_func
def count(A: T.Buffer((64,), "int32"), n: T.int32, m: T.int64):
    for i in range(n, 8):
        A[i] = A[i] + 1
    for j in range(m):
        A[j] = A[j] + 10
    for k in T.serial(T.int64(3), T.int64(5)):
        A[k] = A[k] + 100
    for _ in range(0):
        A[0] = -1
""")
    for n, m in ((2, 4), (8, 0), (20, 64), (-3, -2)):
        got = np.zeros(64, "int32")
        module["count"](got, max(n, 0), m)
        want = np.zeros(64, "int32")
        want[max(n, 0) : 8] += 1
        want[: max(m, 0)] += 10
        want[3:5] += 100
        np.testing.assert_array_equal(got, want)


def test_a_wide_loop_variable_is_a_value() -> None:
    """Not an index alone: what an int64 loop counts is stored, compared and cast."""
    module = build_text("""
@T.prim_func
def main(A: T.Buffer((8,), "int64"), B: T.Buffer((8,), "float64"), n: T.int64):
    for i in range(n):
        if i % T.int64(2) == T.int64(0):
            A[i] = i * T.int64(2**40)
        B[i] = T.Cast("float64", i)
""")
    a, b = np.full(8, -1, "int64"), np.full(8, -1.0)
    module["main"](a, b, 6)
    assert a.tolist() == [0, -1, 2**41, -1, 2**42, -1, -1, -1]
    assert b.tolist() == [0, 1, 2, 3, 4, 5, -1, -1]


def test_while_and_branches() -> None:
    """The steps of Collatz' sequence."""
    module = build_text("""
@T.prim_func
def collatz(A: T.Buffer((100,), "int32")):
    for i in range(100):
        x = T.alloc_buffer((1,), "int32")
        x[0] = i + 1
        A[i] = 0
        while x[0] != 1:
            if x[0] % 2 == 0:
                x[0] = x[0] // 2
            else:
                x[0] = x[0] * 3 + 1
            A[i] = A[i] + 1
""")
    got = np.zeros(100, "int32")
    module["collatz"](got)

    def steps(x: int) -> int:
        count = 0
        while x != 1:
            x, count = (x // 2 if x % 2 == 0 else 3 * x + 1), count + 1
        return count

    np.testing.assert_array_equal(got, [steps(x) for x in range(1, 101)])


def test_memory_of_any_size() -> None:
    """Small buffers on the stack, large and symbolic ones on the heap; leaving early frees them."""
    module = build_text("""
@T.prim_func
def scratch(a: T.handle, limit: T.float32) -> T.int32:
    n = T.int32()
    A = T.match_buffer(a, (n, 300), "float32")
    for i in range(n):
        with T.block("row"):
            vi = T.axis.spatial(n, i)
            T.reads(A[vi, 0:300])
            T.writes(A[vi, 0:300])
            small = T.alloc_buffer((4,), "float32")
            large = T.alloc_buffer((300, 300), "float32")
            sized = T.alloc_buffer((n, 300), "float32")
            for j in range(300):
                large[j, 0] = A[vi, j] * T.float32(2)
                sized[vi, j] = large[j, 0]
            small[0] = sized[vi, 299]
            if small[0] > limit:
                T.evaluate(T.ret(vi))
            for j in range(300):
                A[vi, 299 - j] = sized[vi, j]
    T.evaluate(T.ret(n))
""")
    data = np.arange(6 * 300, dtype="float32").reshape(6, 300)
    got = data.copy()
    assert module["scratch"](got, 1e9) == 6
    np.testing.assert_array_equal(got, data[:, ::-1] * 2)
    assert module["scratch"](data.copy(), 2 * 1000.0) == 3


def test_a_condition_allocates_nothing() -> None:
    """An Allocate whose condition does not hold takes no memory; its body runs."""
    data = tir.Var("m", "handle")
    buffer = make_buffer((i32(4),), "int32", "m", data=data)
    out = make_buffer((i32(1),), "int32", "out")
    body = stmt.Allocate(
        data, out.dtype, (i32(1 << 20),), tir.LT(i32(1), i32(0)), stmt.BufferStore(out, i32(7), (i32(0),))
    )
    got = np.zeros(1, "int32")
    assert buffer.data is data
    llvm.build(IRModule.from_expr(function(body, [out])))["f"](got)
    assert got[0] == 7


def test_constant_memory() -> None:
    """AllocateConst holds any dtype; widths without a NumPy dtype come in the next wider one."""
    out = make_buffer((i32(5),), "int32", "out")
    var = tir.Var("c", "handle")
    table = make_buffer((i32(5),), "int12", "c", data=var)
    i = tir.Var("i", "int32")
    store = stmt.BufferStore(out, tir.Cast("int32", tir.BufferLoad(table, (i,))), (i,))
    loop = stmt.For(i, i32(0), i32(5), stmt.ForKind.SERIAL, store)
    values = np.array([-2048, -1, 0, 5, 2047], "int16")
    got = np.zeros(5, "int32")
    llvm.build(IRModule.from_expr(function(stmt.AllocateConst(var, table.dtype, (i32(5),), values, loop), [out])))["f"](
        got
    )
    np.testing.assert_array_equal(got, values)


@pytest.mark.parametrize("stride", [1, 2, 3, -1, -2, 0])
@pytest.mark.parametrize("dtype", ["float32", "int8", "bool", "float64", "uint16", "int4", "bfloat16"])
def test_vector_accesses(dtype: str, stride: int) -> None:
    """Contiguous, strided, backward and repeated lanes, loaded and stored."""
    source, target = (make_buffer((i32(64),), dtype, name) for name in "AB")
    first = i32(30)
    lanes: Expr = tir.Ramp(first, i32(stride), 8) if stride else tir.Broadcast(first, 8)
    flat = tir.Ramp(i32(8), i32(1), 8)
    body = stmt.seq(
        stmt.BufferStore(target, tir.BufferLoad(source, (lanes,)), (flat,)),
        stmt.BufferStore(source, tir.BufferLoad(target, (flat,)), (lanes,)) if stride else stmt.Evaluate(i32(0)),
    )
    stored = {"bfloat16": "uint16", "int4": "int8"}.get(dtype, dtype)
    rng = np.random.default_rng(1)
    data = rng.integers(0, 2 if dtype == "bool" else 7, 64).astype(stored)
    before, got = data.copy(), np.zeros(64, stored)
    llvm.build(IRModule.from_expr(function(body, [source, target])))["f"](data, got)
    want = np.zeros(64, stored)
    want[8:16] = before[[30 + k * stride for k in range(8)]]
    np.testing.assert_array_equal(got, want)
    np.testing.assert_array_equal(data, before)


@pytest.mark.parametrize("stride", [1, 2, -1])
def test_predicated_accesses(stride: int) -> None:
    """Lanes whose predicate does not hold are neither read nor written."""
    source, target = (make_buffer((i32(64),), "float32", name) for name in "AB")
    lanes = tir.Ramp(i32(30), i32(stride), 8)
    mask = tir.LT(tir.Ramp(i32(0), i32(1), 8), tir.Broadcast(i32(5), 8))
    body = stmt.BufferStore(target, tir.BufferLoad(source, (lanes,), mask), (lanes,), mask)
    data, got = np.arange(64, dtype="float32"), np.full(64, -1, "float32")
    llvm.build(IRModule.from_expr(function(body, [source, target])))["f"](data, got)
    want = np.full(64, -1, "float32")
    places = [30 + k * stride for k in range(5)]
    want[places] = data[places]
    np.testing.assert_array_equal(got, want)


def test_predicated_stores_to_one_element() -> None:
    """The last lane whose predicate holds stays; where none does, nothing is written."""
    module = build_text("""
@T.prim_func
def last(n: T.int32, A: T.Buffer((8,), "int32"), B: T.Buffer((8,), "int32")):
    B.vstore([T.Broadcast(3, 4)], A[T.Ramp(0, 1, 4)], predicate=T.get_active_lane_mask("boolx4", 0, n))
""")
    for count in range(5):
        got = np.full(8, -1, "int32")
        module["last"](count, np.arange(8, dtype="int32"), got)
        np.testing.assert_array_equal(got, [-1, -1, -1, count - 1, -1, -1, -1, -1])


def test_buffers_of_vectors() -> None:
    """Elements of four lanes; arrays have the lanes as a last dimension."""
    module = build_text("""
@T.prim_func
def scale(A: T.Buffer((6,), "float32x4"), B: T.Buffer((6,), "float32x4")):
    for i in range(6):
        B[i] = A[i] * T.Broadcast(T.float32(3), 4)
""")
    data, got = np.arange(24, dtype="float32").reshape(6, 4), np.zeros((6, 4), "float32")
    module["scale"](data, got)
    np.testing.assert_array_equal(got, data * 3)


def test_unrolled_nests_are_written_by_iterations() -> None:
    """Places and conditions of each iteration are constants, of any integer dtype; there is no loop around them."""
    program = tvmscript.from_source("""
@T.prim_func
def main(A: T.Buffer((64,), "float32"), B: T.Buffer((80,), "float32"), n: T.int32):
    for u in T.unroll(3):
        for v in T.unroll(2):
            if u < 2 and v * 2 < u + 1:
                B[u * 24 + v * 8 + n:u * 24 + v * 8 + n + 8] = A[u * 8 + v - n + 9:u * 8 + v - n + 17] * T.Broadcast(
                    T.if_then_else(u == 0, A[u * 3 + n], T.float32(2)), 8
                )
    for w in T.unroll(T.uint32(2)):
        B[(w + T.uint32(4294967295)) * T.uint32(4) + T.uint32(68)
          :(w + T.uint32(4294967295)) * T.uint32(4) + T.uint32(72)] = A[0:4]
""")
    module = tvmscript.build(program)
    assert "loop" not in module.get_source("input")
    results = []
    for built in (module, tvmscript.build(program, target="interp")):
        result = np.zeros(80, "float32")
        built["main"](np.arange(64, dtype="float32"), result, 5)
        results.append(result)
    compiled, interpreted = results
    np.testing.assert_array_equal(compiled, interpreted)
    assert np.count_nonzero(compiled) == 8 + 8 + 6


def test_vectorized_and_unrolled_loops() -> None:
    module = build_text("""
@T.prim_func
def triple(A: T.Buffer((64,), "int32"), B: T.Buffer((64,), "int32")):
    for i in range(4):
        for j in T.unroll(2):
            for k in T.vectorized(8):
                B[i * 16 + j * 8 + k] = A[i * 16 + j * 8 + k] * 3
""")
    data, got = np.arange(64, dtype="int32"), np.zeros(64, "int32")
    module["triple"](data, got)
    np.testing.assert_array_equal(got, data * 3)


def test_shuffles() -> None:
    """Lanes are picked from several vectors, by constants."""
    a, b, out = (make_buffer((i32(8),), "int32", name) for name in "ABO")
    whole = tir.Ramp(i32(0), i32(1), 4)
    parts = (tir.BufferLoad(a, (whole,)), tir.BufferLoad(b, (whole,)))
    mixed = tir.Shuffle(parts, tuple(i32(k) for k in (7, 0, 4, 1)))
    body = stmt.BufferStore(out, mixed, (whole,))
    got = np.zeros(8, "int32")
    left, right = np.arange(8, dtype="int32"), np.arange(10, 18, dtype="int32")
    llvm.build(IRModule.from_expr(function(body, [a, b, out])))["f"](left, right, got)
    np.testing.assert_array_equal(got[:4], [13, 0, 10, 1])


def test_lazy_conditions() -> None:
    """What a condition keeps from being read is not read: padding, and the right side of and/or."""
    module = build_text("""
@T.prim_func
def pad(A: T.Buffer((8,), "float32"), B: T.Buffer((12,), "float32"), p: T.handle):
    P = T.match_buffer(p, (1,), "int32")
    for i in range(12):
        B[i] = T.if_then_else(i >= 2 and i < 10, A[i - 2], T.float32(-1))
    if P[0] >= 0 and A[P[0]] > T.float32(3):
        B[0] = T.float32(99)
""")
    data, got = np.arange(8, dtype="float32"), np.zeros(12, "float32")
    module["pad"](data, got, np.array([-(2**30)], "int32"))
    np.testing.assert_array_equal(got, np.pad(data, 2, constant_values=-1))
    module["pad"](data, got, np.array([5], "int32"))
    assert got[0] == 99


def test_assertions() -> None:
    """They come back with the program's message."""
    module = build_text("""
@T.prim_func
def positive(A: T.Buffer((4,), "float32")):
    for i in range(4):
        assert A[i] > T.float32(0), "numbers must be positive (100%)"
        A[i] = T.sqrt(A[i])
""")
    data = np.array([4, 9, -1, 16], "float32")
    with pytest.raises(KernelAssertion) as raised:
        module["positive"](data)
    assert raised.value.text == "numbers must be positive (100%)"
    np.testing.assert_array_equal(data, [2, 3, -1, 16])


def test_names_of_any_kind() -> None:
    """Functions and strings with characters that LLVM's text has to escape."""
    out = make_buffer((i32(1),), "int32", 'odd "name" %d')
    body = stmt.AssertStmt(
        tir.EQ(out[i32(0)], i32(1)), tir.StringImm('"%s" \\ äöü'), stmt.BufferStore(out, i32(2), (i32(0),))
    )
    module = llvm.build(IRModule.from_expr(function(body, [out], 'a "quoted" name')))
    data = np.ones(1, "int32")
    module['a "quoted" name'](data)
    assert data[0] == 2
    with pytest.raises(KernelAssertion, match="äöü"):
        module['a "quoted" name'](data)


def test_what_is_not_for_a_cpu_is_refused() -> None:
    var = tir.Var("i", "int32")
    thread = tir.IterVar(None, var, tir.IterKind.THREAD_INDEX, "threadIdx.x")
    loop = stmt.For(var, i32(0), i32(4), stmt.ForKind.THREAD_BINDING, stmt.Evaluate(const(0)), thread)
    with pytest.raises(NotSupportedByLLVM, match="bound to threads"):
        llvm.build(IRModule.from_expr(function(loop, [])))
    barrier = tir.Call("handle", Op.get("tir.ptx_commit_group"), ())
    with pytest.raises(NotSupportedByLLVM, match="ptx_commit_group"):
        llvm.build(IRModule.from_expr(function(stmt.Evaluate(barrier), [])))


def test_memory_that_there_is_not() -> None:
    """A buffer larger than the address space is an error of its own, and nothing else happens."""
    module = build_text("""
@T.prim_func
def large(A: T.Buffer((1,), "float32"), n: T.int64):
    B = T.alloc_buffer((n,), "float32")
    for i in range(n):
        B[i] = T.float32(1)
    A[0] = B[n - T.int64(1)]
""")
    got = np.zeros(1, "float32")
    for size in (2**55, 2**62, 2**63 - 1):
        with pytest.raises(KernelOutOfMemory, match=r"large: .*buffer B"):
            module["large"](got, size)
    assert got[0] == 0
    module["large"](got, 1000)
    assert got[0] == 1


def test_no_vectors_along_rows_of_short_loops() -> None:
    """LLVM would unroll the inner loop, and scatter vectors along the outer one."""
    text = """
@T.prim_func
def main(A: T.Buffer((40, 12), "int32"), B: T.Buffer((40,), "int32"), C: T.Buffer((40, 12), "int32")):
    T.func_attr({"tir.noalias": T.bool(True)})
    for i, j in T.grid(40, 12):
        C[i, j] = A[i, j] + B[i]
"""
    assert "scatter" not in build_text(text, "llvm -mcpu=x86-64-v4").get_source("asm")


def test_a_variable_of_two_loops() -> None:
    """A loop of one iteration does not take the value that the loop before it ended with."""
    a, b, n = (make_buffer((i32(extent),), "int32", name) for extent, name in ((8, "A"), (8, "B"), (1, "N")))
    var, start = tir.Var("i", "int32"), tir.BufferLoad(n, (i32(0),))
    ascending = stmt.BufferStore(a, var + 1, (var,))
    one = stmt.BufferStore(b, tir.BufferLoad(a, (var + 2,)), (var,))
    loops = [
        stmt.For(var, first, i32(extent), stmt.ForKind.SERIAL, body)
        for first, extent, body in ((i32(0), 7, ascending), (start, 1, one))
    ]
    given = [np.zeros(8, "int32"), np.zeros(8, "int32"), np.array([4], "int32")]
    llvm.build(IRModule.from_expr(function(stmt.SeqStmt(tuple(loops)), [a, b, n])))["f"](*given)
    assert given[1].tolist() == [0, 0, 0, 0, 7, 0, 0, 0]
