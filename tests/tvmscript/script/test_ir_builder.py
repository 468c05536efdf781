"""Programs that are built by calls are TVM's: the expected texts are what TVM 0.17 prints."""

from __future__ import annotations

import pytest

from tvmscript import tir
from tvmscript.ir.core import DType, PrimType
from tvmscript.script.ir_builder import IRBuilder
from tvmscript.script.ir_builder import ir as I
from tvmscript.script.ir_builder import tir as T
from tvmscript.script.ir_builder.frames import FrameNotOpen
from tvmscript.tir.ir_builder import InvalidBuild, create


def test_a_function_with_a_block() -> None:
    with IRBuilder() as ib, T.prim_func():
        T.func_name("f")
        A = T.arg("A", T.Buffer((128, 128), "float32"))
        B = T.arg("B", T.Buffer((128, 128), "float32"))
        with T.grid(128, 128) as (i, j), T.block("b"):
            vi, vk = T.axis.spatial(128, i), T.axis.reduce(128, j)
            T.where(i < 5)
            T.block_attr({"k": 1})
            with T.init():
                T.buffer_store(B, T.float32(0), [vi, 0])
            T.buffer_store(B, B[vi, 0] + A[vi, vk], [vi, 0])
    assert (
        ib.get()
        .script()
        .endswith(
            """
    # with T.block("root"):
    for v, v_1 in T.grid(128, 128):
        with T.block("b"):
            v_2, v_3 = T.axis.remap("SR", [v, v_1])
            T.where(v < 5)
            T.reads(A[v_2, v_3])
            T.writes(B[v_2, 0])
            T.block_attr({"k": 1})
            with T.init():
                B[v_2, 0] = T.float32(0)
            B[v_2, 0] = B[v_2, 0] + A[v_2, v_3]"""
        )
    )


def test_frames_of_statements() -> None:
    with IRBuilder() as ib, T.prim_func():
        T.func_name("f")
        T.func_ret(PrimType(DType("int32")))
        n = T.arg("n", T.int32())
        with T.If(n < 1):
            with T.Then():
                T.evaluate(1)
            with T.Else():
                T.evaluate(2)
        with T.While(n < 3), T.Assert(n < 1, "msg"), T.LetStmt(n + 1) as v:
            IRBuilder.name("vv", v)
            T.evaluate(v)
        with T.thread_binding(0, 32, thread="threadIdx.x") as tx, T.allocate([10], "float32", scope="local") as data:
            IRBuilder.name_many(["tx", "data"], [tx, data])
            T.buffer_store(T.Buffer((10,), "float32", data=data, scope="local"), 1.0, [0])
    assert (
        ib.get()
        .script()
        .endswith(
            """
def f(n: T.int32) -> T.int32:
    if n < 1:
        T.evaluate(1)
    else:
        T.evaluate(2)
    while n < 3:
        assert n < 1, "msg"
        vv: T.int32 = n + 1
        T.evaluate(vv)
    for tx in T.thread_binding(32, thread="threadIdx.x"):
        data = T.allocate([10], "float32", "local")
        buffer = T.Buffer((10,), data=data, scope="local")
        buffer[0] = T.float32(1)"""
        )
    )


def test_a_module() -> None:
    with IRBuilder() as ib, I.ir_module():
        with T.prim_func():
            T.func_name("foo")
            T.evaluate(1)
        with T.prim_func(is_private=True):
            T.func_name("bar")
            T.evaluate(2)
        I.module_attrs({"a": 1})
    module = ib.get()
    assert [var.name_hint for var in module.get_global_vars()] == ["bar", "foo"]
    assert "global_symbol" in module["foo"].attrs
    assert "global_symbol" not in module["bar"].attrs
    assert module.attrs["a"] == 1


def test_calls_outside_of_their_frames() -> None:
    with pytest.raises(FrameNotOpen, match=r"a frame is inside of IRBuilder\(\) alone"):
        T.evaluate(1)
    with IRBuilder() as ib:
        with pytest.raises(FrameNotOpen, match=r"T.where is inside of T.block alone"):
            T.where(T.int32() < 1)
        with pytest.raises(FrameNotOpen):
            ib.get()


def test_statements_of_a_builder() -> None:
    ib = create()
    n = tir.Var("n", "int32")
    A = ib.pointer("float32", name="A")
    with ib.for_range(0, n, name="i") as i:
        with ib.if_scope(i < 10):
            A[i] = A[i] + 1.0
        with ib.else_scope():
            A[i] = 0.0
    B = ib.allocate("float32", 16, name="B", scope="local")
    v = ib.let("v", tir.const(3))
    with ib.while_loop(B[0] < 10.0):
        B[v] += 1.0
    assert (
        ib.get().script()
        == """\
n = T.int32()
for i in range(n):
    A = T.Buffer((1,))
    if i < 10:
        A[i] = A[i] + T.float32(1)
    else:
        A[i] = T.float32(0)
B = T.allocate([16], "float32", "local")
v: T.int32 = 3
B_1 = T.Buffer((16,), data=B, scope="local")
while B_1[0] < T.float32(10):
    B_1[v] = B_1[v] + T.float32(1)"""
    )


def test_builders_refuse() -> None:
    ib = create()
    with pytest.raises(InvalidBuild, match="an else_scope follows an if_scope"):
        ib.else_scope()
    with pytest.raises(InvalidBuild, match="a value of float32 is stored"):
        ib.pointer("int32")[0] = tir.const(1.5)
    with ib.new_scope(), pytest.raises(InvalidBuild, match="a scope is still open"):
        ib.get()
