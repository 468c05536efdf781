"""Programs that are built by calls are TVM's: the expected texts are what TVM 0.17 prints."""

from __future__ import annotations

import pytest

from tvmscript import relax, tir
from tvmscript.ir.core import DType, PrimType, TVMScriptError
from tvmscript.ir.relax.verify import verify
from tvmscript.ir.tir.ir_builder import InvalidBuild
from tvmscript.parser.diagnostics.errors import NotInside
from tvmscript.parser.names.namespace import OutsideOfKernel
from tvmscript.script.ir_builder import IRBuilder
from tvmscript.script.ir_builder import ir as I
from tvmscript.script.ir_builder import relax as R
from tvmscript.script.ir_builder import tir as T
from tvmscript.script.ir_builder.frames import FrameNotOpen
from tvmscript.script.ir_builder.relax import DifferentBranches, IncompleteFrame
from tvmscript.tir.ir_builder import create


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


def test_statements_without_a_function() -> None:
    with IRBuilder() as ib:
        A = IRBuilder.name("A", T.Buffer((128, 128), "float32"))
        with T.block("b"):
            axes = [T.axis.S(128, 0), T.axis.R((2, 5), 3), T.axis.opaque(4, 1), T.axis.scan(3, 2)]
            IRBuilder.name_many(["vi", "vj", "vk", "vs"], axes)
            T.reads(A[axes[0], axes[1] : axes[1] + 2])
            T.writes([A[axes[0], 0]])
            IRBuilder.name("C", T.match_buffer(A[0:4, 0:4], (4, 4), "float32"))
            T.evaluate(axes[2])
        with T.realize(A[0:16, 3], "local"), T.attr(A.data, "k", 2), T.decl_buffer((4,)) as B:
            T.buffer_store(B, 1.0, [2])
    assert (
        ib.get().script()
        == """\
A = T.Buffer((128, 128))
with T.block("b"):
    vi = T.axis.spatial(128, 0)
    vj = T.axis.reduce((2, 5), 3)
    vk = T.axis.opaque(4, 1)
    vs = T.axis.scan(3, 2)
    T.reads(A[vi, vj:vj + 2])
    T.writes(A[vi, 0])
    C = T.match_buffer(A[0:4, 0:4], (4, 4))
    T.evaluate(vk)
T.realize(A[0:16, 3:4], "local")
T.attr(A.data, "k", 2)
buffer = T.decl_buffer((4,))
buffer[2] = T.float32(1)"""
    )


def test_calls_outside_of_their_frames() -> None:
    with pytest.raises(OutsideOfKernel, match=r"T.evaluate is only valid inside"):
        T.evaluate(1)
    with pytest.raises(FrameNotOpen, match=r"a frame is inside of IRBuilder\(\) alone"), T.prim_func():
        T.evaluate(1)
    with IRBuilder() as ib:
        with pytest.raises(NotInside, match=r"T.where must be inside a block") as caught:
            T.where(T.int32() < 1)
        assert caught.value.span is None
        with pytest.raises(TVMScriptError, match=r"TS1003.*but got \(1, 4\)$"):
            T.grid(3, (1, 4))
        with pytest.raises(FrameNotOpen):
            ib.get()


GRAPH = """
        with R.dataflow():
            lv0: R.Tensor((4,), dtype="float32") = R.add(x, R.const(1, "float32"))
            lv1 = R.call_tir(cls.f, (lv0,), out_sinfo=R.Tensor((4,), dtype="float32"))
            gv: R.Tensor((4,), dtype="float32") = R.multiply(lv1, lv0)
            R.output(gv)
        if p:
            a: R.Tensor((4,), dtype="float32") = R.add(gv, gv)
            w_then: R.Tensor((4,), dtype="float32") = R.add(a, a)
            w: R.Tensor((4,), dtype="float32") = w_then
        else:
            w_else: R.Tensor((4,), dtype="float32") = R.subtract(gv, gv)
            w: R.Tensor((4,), dtype="float32") = w_else
        q: R.Tuple(R.Tensor((4,), dtype="float32"), R.Tensor((4,), dtype="float32")) = w, gv
        return q"""


def test_a_graph_function() -> None:
    with IRBuilder() as ib, I.ir_module():
        f = I.decl_function("f", tir.PrimFunc((), tir.Evaluate(tir.const(0))))
        with R.function():
            R.func_name("main")
            x = R.arg("x", relax.TensorStructInfo((4,), "float32"))
            p = R.arg("p", relax.TensorStructInfo((), "bool"))
            with R.dataflow() as frame:
                lv0 = IRBuilder.name("lv0", R.emit(R.add(x, R.const(1, "float32"))))
                info = relax.TensorStructInfo((4,), "float32")
                lv1 = IRBuilder.name("lv1", R.emit(R.call_tir(f, (lv0,), out_sinfo=info)))
                R.output(IRBuilder.name("gv", R.emit(R.multiply(lv1, lv0))))
            (gv,) = frame.output_vars
            with R.If(p) as conditional:
                with R.Then():
                    a = IRBuilder.name("a", R.emit(R.add(gv, gv)))
                    IRBuilder.name("w", R.emit(R.add(a, a)))
                with R.Else():
                    IRBuilder.name("w", R.emit(R.subtract(gv, gv)))
            R.func_ret_value(IRBuilder.name("q", R.emit(R.tuple(conditional.var, gv))))
    module = ib.get()
    assert module.script().endswith(GRAPH)
    verify(module, kernel_calls=False)


def test_casts_and_annotations_of_a_graph_function() -> None:
    n = tir.Var("n", "int64")
    with IRBuilder() as ib, R.function(is_pure=False, is_private=True):
        R.func_name("main")
        R.func_attr({"a": 1})
        R.func_ret_struct_info(relax.TensorStructInfo(ndim=1))
        x = R.arg("x", relax.TensorStructInfo(ndim=1, dtype="float32"))
        c = IRBuilder.name("c", R.emit_match_cast(x, relax.TensorStructInfo((n,), "float32")))
        d = IRBuilder.name("d", R.emit(R.add(c, c), relax.TensorStructInfo(ndim=1)))
        e = R.emit_var_binding(relax.VarBinding(relax.Var("e", d.struct_info), d))
        R.func_ret_value(e)
    assert (
        ib.get()
        .script()
        .endswith(
            """
@R.function(pure=False, private=True)
def main(x: R.Tensor(dtype="float32", ndim=1)) -> R.Tensor(dtype="float32", ndim=1):
    R.func_attr({"a": 1})
    n = T.int64()
    c: R.Tensor((n,), dtype="float32") = R.match_cast(x, R.Tensor((n,), dtype="float32"))
    d: R.Tensor(dtype="float32", ndim=1) = R.add(c, c)
    e: R.Tensor(dtype="float32", ndim=1) = d
    return e"""
        )
    )


def test_incomplete_graph_functions() -> None:
    with pytest.raises(IncompleteFrame, match=r"R.function needs a result: R.func_"), IRBuilder(), R.function():
        pass
    with pytest.raises(FrameNotOpen, match=r"R.output is inside of R.dataflow alone"), IRBuilder(), R.function():
        R.output()
    with IRBuilder(), R.function():
        x = R.arg("x", relax.TensorStructInfo((), "bool"))
        R.func_ret_value(x)
        with pytest.raises(IncompleteFrame, match=r"R.If needs both"), R.If(x), R.Then():
            R.emit(R.logical_not(x))
        with pytest.raises(IncompleteFrame, match=r"R.Then needs a binding"), R.If(x), R.Then():
            pass
        conditional = R.If(x)
        conditional.__enter__()
        with R.Then():
            IRBuilder.name("a", R.emit(R.logical_not(x)))
        with R.Else():
            IRBuilder.name("b", R.emit(R.logical_not(x)))
        with pytest.raises(DifferentBranches, match=r"variables a and b; they need one name"):
            conditional.__exit__(None)
    with pytest.raises(AttributeError, match="R has no nope"):
        R.nope  # noqa: B018 -- reading it is the test


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


def test_names_of_loops_without_names() -> None:
    """TVM's: letters from i on, then numbers; loops with names of their own do not count."""
    ib = create()
    names: list[str] = []
    for name in ("i", None, "k", None, None):
        with ib.for_range(0, 4) if name is None else ib.for_range(0, 4, name=name) as var:
            names.append(var.name)
            ib.emit(tir.Evaluate(var))
    assert names == ["i", "j", "k", "k", "i_0"]
