"""What statements do, against NumPy and by hand."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tests.backends.interp.running import kernel, run
from tvmscript.backends import interp
from tvmscript.ir.tir.buffer import make_buffer
from tvmscript.ir.tir.expr import IntImm, IterKind, IterVar, Range, Var
from tvmscript.ir.tir.function import PrimFunc
from tvmscript.ir.tir.stmt import AllocateConst, AttrStmt, BufferStore, For, ForKind


def rng() -> np.random.Generator:
    return np.random.default_rng(0)


def test_matmul_block() -> None:
    source = kernel(
        'A: T.Buffer((9, 7), "float64"), B: T.Buffer((7, 5), "float64"), C: T.Buffer((9, 5), "float64")',
        "for i, j, k in T.grid(9, 5, 7):",
        '    with T.block("C"):',
        '        vi, vj, vk = T.axis.remap("SSR", [i, j, k])',
        "        with T.init():",
        "            C[vi, vj] = T.float64(0)",
        "        C[vi, vj] = C[vi, vj] + A[vi, vk] * B[vk, vj]",
    )
    a, b, c = rng().normal(size=(9, 7)), rng().normal(size=(7, 5)), np.full((9, 5), np.nan)
    assert run(source, a, b, c) is None
    assert np.allclose(c, a @ b)


def test_init_runs_at_the_first_step_of_every_reduction_variable() -> None:
    source = kernel(
        'A: T.Buffer((2, 3), "int32"), B: T.Buffer((1,), "int32"), N: T.Buffer((1,), "int32")',
        "for i, j in T.grid(2, 3):",
        "    with T.block():",
        "        r = T.axis.reduce(2, i)",
        "        s = T.axis.reduce((1, 4), j + 1)",
        "        with T.init():",
        "            B[0] = 100",
        "            N[0] = N[0] + 1",
        "        B[0] = B[0] + A[r, s - 1]",
    )
    a, b, n = np.arange(6, dtype="int32").reshape(2, 3), np.zeros(1, "int32"), np.zeros(1, "int32")
    run(source, a, b, n)
    assert (b[0], n[0]) == (115, 1)


def test_block_without_reduction_runs_init_every_time() -> None:
    source = kernel(
        'A: T.Buffer((4,), "int32")',
        "for i in range(4):",
        "    with T.block():",
        "        v = T.axis.spatial(4, i)",
        "        with T.init():",
        "            A[v] = 5",
        "        A[v] = A[v] + v",
    )
    a = np.zeros(4, "int32")
    run(source, a)
    assert a.tolist() == [5, 6, 7, 8]


def test_predicate_and_computed_iteration_values() -> None:
    source = kernel(
        'A: T.Buffer((10,), "int32")',
        "for i, j in T.grid(4, 3):",
        "    with T.block():",
        "        T.where(i * 3 + j < 10)",
        "        v = T.axis.spatial(10, i * 3 + j)",
        "        A[v] = v * v",
    )
    a = np.zeros(10, "int32")
    run(source, a)
    assert a.tolist() == [v * v for v in range(10)]


def test_intermediate_buffers_begin_as_nan() -> None:
    source = kernel(
        'A: T.Buffer((2,), "float32"), I: T.Buffer((1,), "int16")',
        'B = T.alloc_buffer((2,), "float32")',
        'C = T.alloc_buffer((1,), "int16")',
        "B[0] = T.float32(1)",
        "A[0] = B[0]",
        "A[1] = B[1]",
        "I[0] = C[0]",
    )
    a, i = np.zeros(2, "float32"), np.zeros(1, "int16")
    run(source, a, i)
    assert a[0] == 1
    assert np.isnan(a[1])
    assert i[0] == -1


def test_symbolic_shapes() -> None:
    source = kernel(
        "a: T.handle, b: T.handle",
        "n, m = T.int32(), T.int32()",
        'A = T.match_buffer(a, (n, m), "float32")',
        'B = T.match_buffer(b, (m * 2, n), "float32")',
        "for i, j in T.grid(n, m):",
        "    B[j * 2, i] = A[i, j]",
        "    B[j * 2 + 1, i] = -A[i, j]",
    )
    a, b = rng().normal(size=(3, 5)).astype("float32"), np.zeros((10, 3), "float32")
    run(source, a, b)
    assert np.array_equal(b[::2], a.T)
    assert np.array_equal(b[1::2], -a.T)


def test_strided_buffers() -> None:
    source = kernel(
        "a: T.handle",
        "s, t = T.int32(), T.int32()",
        'A = T.match_buffer(a, (3, 4), "int32", strides=(s, t))',
        "for i, j in T.grid(3, 4):",
        "    A[i, j] = i * 10 + j",
    )
    wanted = np.add.outer(np.arange(3) * 10, np.arange(4))
    for layout in (np.s_[:], np.s_[::-1], np.s_[::-1, ::-1]):
        memory = np.zeros((3, 4), "int32")
        run(source, memory[layout])
        assert np.array_equal(memory[layout], wanted)
    memory = np.full((6, 12), -1, "int32")
    run(source, memory[1::2, 2::3])
    assert np.array_equal(memory[1::2, 2::3], wanted)
    assert (memory == -1).sum() == 72 - 12
    transposed = np.zeros((4, 3), "int32")
    run(source, transposed.T)
    assert np.array_equal(transposed.T, wanted)


def test_rank_0_and_empty_arrays() -> None:
    source = kernel(
        "a: T.handle, S: T.Buffer((), 'int64')",
        "n = T.int32()",
        'A = T.match_buffer(a, (n, 3), "int64")',
        "for i in range(n):",
        "    S[()] = S[()] + A[i, 1]",
    )
    total = np.array(0)
    run(source, np.arange(6).reshape(2, 3), total)
    assert total == 5
    run(source, np.zeros((0, 3), "int64"), total)
    assert total == 5


@pytest.mark.parametrize("loop", ["range", "T.serial", "T.parallel", "T.vectorized", "T.unroll"])
def test_kinds_of_loops(loop: str) -> None:
    a = np.zeros(6, "int32")
    run(kernel('A: T.Buffer((6,), "int32")', f"for i in {loop}(2, 6):", "    A[i] = i * A[i - 1] + 1"), a)
    assert a.tolist() == [0, 0, 1, 4, 17, 86]


def test_thread_bindings_run_in_order() -> None:
    source = kernel(
        'A: T.Buffer((2, 3), "int32")',
        'for b in T.thread_binding(2, thread="blockIdx.x"):',
        '    for t in T.thread_binding(3, thread="threadIdx.x"):',
        "        A[b, t] = b * 3 + t",
    )
    a = np.zeros((2, 3), "int32")
    run(source, a)
    assert a.ravel().tolist() == [0, 1, 2, 3, 4, 5]


def test_thread_extent_attribute() -> None:
    data = make_buffer((IntImm("int32", 4),), "int32", "A")
    thread = Var("t", "int32")
    axis = IterVar(
        Range.from_min_extent(IntImm("int32", 0), IntImm("int32", 4)), thread, IterKind.THREAD_INDEX, "threadIdx.x"
    )
    body = AttrStmt(axis, "thread_extent", IntImm("int32", 4), BufferStore(data, thread * 2, (thread,)))
    param = Var("a", "handle")
    a = np.zeros(4, "int32")
    interp.build(PrimFunc((param,), body, None, {param: data}))["main"](a)
    assert a.tolist() == [0, 2, 4, 6]


def test_while_if_let_and_ret() -> None:
    source = """
@T.prim_func
def main(n: T.int32, S: T.Buffer((2,), "int32")) -> T.int32:
    S[0] = 0
    S[1] = n
    while S[1] > 0:
        half: T.int32 = S[1] // 2
        if S[1] % 2 == 1:
            S[0] = S[0] + 1
        else:
            S[0] = S[0] + 10
        S[1] = half
    if S[0] > 20:
        T.ret(S[0])
    T.ret(-1)
"""
    state = np.zeros(2, "int32")
    assert run(source, 0b1001, state) == 22
    assert run(source, 0b1011, state) == -1


def test_flat_memory() -> None:
    source = kernel(
        'A: T.Buffer((4,), "float32")',
        'buffer = T.allocate([4], "float32", "global")',
        'B = T.Buffer((4,), "float32", data=buffer)',
        "for i in range(4):",
        "    B[i] = T.Cast('float32', i)",
        'C = T.decl_buffer((2, 2), "float32", data=buffer)',
        "for i, j in T.grid(2, 2):",
        "    A[i * 2 + j] = C[1 - i, j]",
    )
    a = np.zeros(4, "float32")
    run(source, a)
    assert a.tolist() == [2, 3, 0, 1]


def test_memory_is_fresh_in_each_iteration() -> None:
    source = kernel(
        'A: T.Buffer((3,), "int32")',
        "for i in range(3):",
        '    buffer = T.allocate([1], "int32", "global")',
        '    B = T.Buffer((1,), "int32", data=buffer)',
        "    A[i] = B[0]",
        "    B[0] = 7",
    )
    a = np.zeros(3, "int32")
    run(source, a)
    assert a.tolist() == [-1, -1, -1]


def test_buffers_of_another_dtype_over_the_same_memory() -> None:
    source = kernel(
        'A: T.Buffer((2,), "float32"), O: T.Buffer((8,), "uint8")',
        'B = T.Buffer((8,), "uint8", data=A.data)',
        "for i in range(8):",
        "    O[i] = B[i]",
    )
    a, o = np.array([1.0, -2.5], "float32"), np.zeros(8, "uint8")
    run(source, a, o)
    assert o.tobytes() == a.tobytes()


def test_constant_memory() -> None:
    data, out = Var("data", "handle"), make_buffer((IntImm("int32", 3),), "int16", "A")
    table = make_buffer((IntImm("int32", 3),), "int16", "T", data=data)
    i = Var("i", "int32")
    loop = For(i, IntImm("int32", 0), IntImm("int32", 3), ForKind.SERIAL, BufferStore(out, table[i], (i,)))
    body = AllocateConst(data, table.dtype, table.shape, np.array([5, -6, 7], "int16"), loop)
    param = Var("a", "handle")
    a = np.zeros(3, "int16")
    interp.build(PrimFunc((param,), body, None, {param: out}))["main"](a)
    assert a.tolist() == [5, -6, 7]


def test_matched_regions_are_views() -> None:
    source = kernel(
        'A: T.Buffer((4, 6), "int32"), S: T.Buffer((4,), "int32")',
        "for i in range(2):",
        "    with T.block():",
        "        v = T.axis.spatial(2, i)",
        "        T.reads(A[v * 2:v * 2 + 2, 2:5])",
        "        T.writes(A[v * 2:v * 2 + 2, 2:5])",
        "        s, t, offset = T.int32(), T.int32(), T.int32()",
        "        B = T.match_buffer(A[v * 2:v * 2 + 2, 2:5], (2, 3), 'int32', strides=(s, t), elem_offset=offset)",
        "        for j, k in T.grid(2, 3):",
        "            B[j, k] = v * 100 + j * 10 + k",
        "        S[v] = offset * 100 + s * 10 + t",
    )
    a, s = np.full((4, 6), -1, "int32"), np.zeros(4, "int32")
    run(source, a, s)
    wanted = np.full((4, 6), -1)
    for v in range(2):
        wanted[v * 2 : v * 2 + 2, 2:5] = [
            [v * 100, v * 100 + 1, v * 100 + 2],
            [v * 100 + 10, v * 100 + 11, v * 100 + 12],
        ]
    assert np.array_equal(a, wanted)
    assert s.tolist() == [2 * 100 + 61, 14 * 100 + 61, 0, 0]


def test_matched_rows_may_leave_dimensions_out() -> None:
    source = kernel(
        'A: T.Buffer((3, 4), "float32")',
        "for i in range(3):",
        "    with T.block():",
        "        v = T.axis.spatial(3, i)",
        "        T.writes(A[v, 0:4])",
        "        row = T.match_buffer(A[v, 0:4], (4,), 'float32')",
        "        for j in range(4):",
        "            row[j] = T.Cast('float32', v + j)",
    )
    a = np.zeros((3, 4), "float32")
    run(source, a)
    assert np.array_equal(a, np.add.outer(np.arange(3), np.arange(4)))


def test_calls_between_functions() -> None:
    source = """
@I.ir_module
class Module:
    @T.prim_func(private=True)
    def gcd(a: T.int32, b: T.int32) -> T.int32:
        if b == 0:
            T.ret(a)
        T.ret(Module.gcd(b, a % b))

    @T.prim_func(private=True)
    def fill(p: T.handle, n: T.int32, value: T.int32):
        A = T.match_buffer(p, (n,), "int32")
        for i in range(n):
            A[i] = value

    @T.prim_func
    def main(A: T.Buffer((4,), "int32"), x: T.int32, y: T.int32):
        value: T.int32 = Module.gcd(x, y)
        T.evaluate(Module.fill(T.tvm_stack_make_array(A.data, T.tvm_stack_make_shape(3), 0, 1, 0, 0), 3, value))
"""
    a = np.zeros(4, "int32")
    run(source, a, 84, 36)
    assert a.tolist() == [12, 12, 12, 0]


def test_access_pointers() -> None:
    source = """
@I.ir_module
class Module:
    @T.prim_func(private=True)
    def put(p: T.handle, value: T.float32):
        A = T.Buffer((1,), "float32", data=p)
        A[0] = value

    @T.prim_func
    def main(A: T.Buffer((2, 3), "float32")):
        T.evaluate(Module.put(T.address_of(A[1, 1]), T.float32(5)))
        T.evaluate(Module.put(T.tvm_access_ptr(T.type_annotation("float32"), A.data, 2, 1, 2), T.float32(7)))
"""
    a = np.zeros((2, 3), "float32")
    run(source, a)
    assert a.tolist() == [[0, 0, 7], [0, 5, 0]]


@pytest.mark.parametrize("dtype", ["bool", "int8", "uint8", "int16", "uint32", "int64", "uint64", "float16", "float64"])
def test_every_dtype_in_memory(dtype: str) -> None:
    source = kernel(
        f'A: T.Buffer((5,), "{dtype}"), B: T.Buffer((5,), "{dtype}")', "for i in range(5):", "    B[4 - i] = A[i]"
    )
    a: Any = rng().integers(0, 2, 5).astype(dtype) if dtype == "bool" else rng().normal(0, 50, 5).astype(dtype)
    b = np.zeros(5, dtype)
    run(source, a, b)
    assert np.array_equal(b, a[::-1])


def test_narrow_integers_one_a_byte() -> None:
    source = kernel(
        'A: T.Buffer((4,), "int4"), B: T.Buffer((4,), "int4")', "for i in range(4):", "    B[i] = A[i] + T.int4(7)"
    )
    a, b = np.array([-8, -1, 1, 7], "int8"), np.zeros(4, "int8")
    run(source, a, b)
    assert b.tolist() == [-1, 6, -8, -2]


def test_buffers_of_vectors() -> None:
    source = kernel(
        'A: T.Buffer((3,), "float32x4"), B: T.Buffer((3,), "float32x4")',
        "for i in range(3):",
        "    B[i] = A[i] + T.Broadcast(T.float32(1), 4)",
    )
    a, b = rng().normal(size=(3, 4)).astype("float32"), np.zeros((3, 4), "float32")
    run(source, a, b)
    assert np.array_equal(b, a + np.float32(1))


def test_vector_accesses() -> None:
    source = (
        kernel(
            'A: T.Buffer((16,), "float32"), B: T.Buffer((4, 4), "float32")',
            "for i in range(4):",
            "    B[i, 0:4:1] = A[i:i + 16:4] * T.Broadcast(T.float32(2), 4)",
        )
        .replace("A[i:i + 16:4]", "A[T.Ramp(i, 4, 4)]")
        .replace("B[i, 0:4:1]", "B[i, T.Ramp(0, 1, 4)]")
    )
    a, b = np.arange(16, dtype="float32"), np.zeros((4, 4), "float32")
    run(source, a, b)
    assert np.array_equal(b, 2 * a.reshape(4, 4).T)


def test_masked_accesses() -> None:
    """Lanes that are off are not checked: they read 0 and write nothing."""
    on_off = "T.Shuffle([T.bool(False), T.bool(True)], [{}])"
    read = f"T.BufferLoad(A, [T.Ramp(3, 1, 4)], {on_off.format('0, 1, 1, 0')})"
    source = kernel(
        'A: T.Buffer((6,), "int32"), B: T.Buffer((6,), "int32")',
        f"T.buffer_store(B, {read}, [T.Ramp(3, 1, 4)], {on_off.format('1, 1, 0, 0')})",
    )
    b = np.full(6, -1, "int32")
    run(source, np.arange(10, 16, dtype="int32"), b)
    assert b.tolist() == [-1, -1, -1, 0, 14, -1]


def test_scalar_arguments() -> None:
    source = kernel(
        'A: T.Buffer((4,), "float32"), x: T.float32, k: T.int8, flag: T.bool',
        "A[0] = x",
        "A[1] = T.Cast('float32', k)",
        "if flag:",
        "    A[2] = T.float32(1)",
    )
    a = np.zeros(4, "float32")
    run(source, a, 0.1, np.int64(-5), np.True_)
    assert a.tolist() == [float(np.float32(0.1)), -5, 1, 0]
    run(source, a, np.float32(2), 3, False)
    assert a.tolist() == [2, 3, 1, 0]


def test_address_in_a_buffer_of_a_computed_size() -> None:
    """Nothing but the address names the buffer: it is bound where the address is taken."""
    source = kernel(
        'A: T.Buffer((8,), "int32"), B: T.Buffer((8,), "int32"), n: T.int32',
        'part = T.Buffer((n + 1,), "int32", data=A.data)',
        "T.evaluate(T.dma_copy(0, T.address_of(B[0]), T.address_of(part[n]), 8, 0))",
    )
    b = np.zeros(8, "int32")
    run(source, np.arange(8, dtype="int32"), b, 3)
    assert b.tolist() == [3, 4, 0, 0, 0, 0, 0, 0]
