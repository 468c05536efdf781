"""Parts of programs, and programs that no text gives: what TVM 0.17 prints for the same nodes made by its API."""

from __future__ import annotations

import math
from typing import Any

import pytest

import tvmscript
from tvmscript.ir.core.equality.equal import assert_structural_equal
from tvmscript.ir.core.module import GlobalVar, IRModule
from tvmscript.ir.core.node import Node
from tvmscript.ir.core.op import Op
from tvmscript.ir.core.types import PointerType, PrimType, TupleType
from tvmscript.ir.tir import expr as E
from tvmscript.ir.tir import stmt as S
from tvmscript.ir.tir.base import Expr, Stmt
from tvmscript.ir.tir.buffer import Buffer, make_buffer
from tvmscript.ir.tir.expr import IntImm, Range, Var, pointer_to
from tvmscript.ir.tir.function import PrimFunc
from tvmscript.ir.tir.intrin.control import ret
from tvmscript.ir.tir.operators import const
from tvmscript.ir.tir.stmt import ForKind


def c(value: int) -> IntImm:
    return IntImm("int32", value)


TRUE = IntImm("bool", 1)
ONE = E.FloatImm("float32", 1.0)
x, y, n, i, j = (Var(name, "int32") for name in ("x", "y", "n", "i", "j"))
m = E.SizeVar("m", "int32")
b = Var("b", "bool")
p = Var("p", pointer_to("float32"))
A = make_buffer((c(16),), "float32", "A")
B = make_buffer((n, m), "float16", "B")
C = make_buffer((c(16),), "float32", "C", data=p)


def ev(value: Expr | int) -> Stmt:
    return S.Evaluate(value if isinstance(value, Expr) else c(value))


def store(buffer: Buffer, index: Expr | int = 0) -> Stmt:
    return S.BufferStore(buffer, ONE, (index if isinstance(index, Expr) else c(index),))


def loop(var: Var, low: Expr, extent: Expr, body: Stmt, kind: ForKind = ForKind.SERIAL, **options: Any) -> S.For:
    return S.For(var, low, extent, kind, body, **options)


def seq(*parts: Stmt) -> Stmt:
    return S.SeqStmt(parts)


vi = Var("vi", "int32")
tx = Var("tx", "int32")
thread = E.IterVar(None, tx, E.IterKind.THREAD_INDEX, "threadIdx.x")
block = S.Block(
    (E.IterVar(Range.from_min_extent(c(0), c(16)), vi, E.IterKind.DATA_PAR),),
    (E.BufferRegion(A, (Range.from_min_extent(vi, c(1)),)),),
    (),
    "blk",
    store(A, vi),
)

EXPRESSIONS: list[tuple[Node, str]] = [
    (A, "A"),
    (E.BufferLoad(A, (x,)), "A[x]"),
    (E.BufferLoad(A, (E.Ramp(x, c(1), 4),)), "A[x:x + 4]"),
    (E.BufferLoad(A, (E.Ramp(x, c(2), 4),)), "A[x:x + 8:2]"),
    (E.BufferLoad(A, (E.Ramp(c(0), c(2), 4),)), "A[0:8:2]"),
    (E.BufferLoad(A, (E.Ramp(x, m, 4),)), "A[T.Ramp(x, m, 4)]"),
    (E.BufferRegion(A, (Range.from_min_extent(c(0), c(16)),)), "A[0:16]"),
    (E.BufferRegion(B, (Range.from_min_extent(x, c(4)), Range.from_min_extent(x, c(1)))), "B[x:x + 4, x]"),
    (Range.from_min_extent(c(0), c(5)), "I.Range(0, 5)"),
    (
        E.IterVar(Range.from_min_extent(c(0), c(5)), x, E.IterKind.DATA_PAR),
        'T.iter_var(x, T.Range(0, 5), "DataPar", "")',
    ),
    (thread, 'T.iter_var(tx, None, "ThreadIndex", "threadIdx.x")'),
    (GlobalVar("main"), 'I.GlobalVar("main")'),
    (x, "x"),
    (m, "m"),
    (PrimType(x.dtype), "T.int32"),
    (pointer_to("float32", ""), 'T.handle("float32", "")'),
    (pointer_to("float32", "shared"), 'T.handle("float32", "shared")'),
    (PointerType(pointer_to("float32", "")), 'T.handle(T.handle("float32", ""), "")'),
    (TupleType(()), "None"),
    (TupleType((PrimType(x.dtype),)), "T.Tuple(T.int32)"),
    (E.FloatImm("float32", math.inf), 'T.float32("inf")'),
    (E.FloatImm("float32", -math.inf), 'T.float32("-inf")'),
    (E.FloatImm("float32", math.nan), 'T.float32("nan")'),
    (E.FloatImm("float32", 0.1), "T.float32(0.10000000000000001)"),
    (E.FloatImm("float32", 5e-324), "T.float32(4.9406564584124654e-324)"),
    (E.FloatImm("float32", 1e16), "T.float32(10000000000000000)"),
    (E.FloatImm("float32", 1e17), "T.float32(1e+17)"),
    (E.StringImm('a"b'), '"a\\"b"'),
    (E.StringImm("a\x01b\x7f\t"), '"a\\x01b\\x7F\\t"'),
    (E.EQ(E.Not(b), b), "(not b) == b"),
    (E.Not(E.LT(x, y)), "not x < y"),
    (E.And(b, E.And(b, b)), "b and (b and b)"),
    (E.And(E.And(b, b), b), "b and b and b"),
    (E.Sub(x, E.Sub(y, x)), "x - (y - x)"),
    (E.Let(x, c(1), E.Add(x, y)), "T.Let(x + y, where={x: 1})"),
]


@pytest.mark.parametrize(("node", "text"), EXPRESSIONS, ids=[text for _, text in EXPRESSIONS])
def test_expressions(node: Node, text: str) -> None:
    assert node.script() == text
    assert str(node) == text
    assert repr(node) == text


def test_verbose_expressions_declare_their_names() -> None:
    assert E.Add(x, y).script(verbose_expr=True) == "x = T.int32()\ny = T.int32()\nx + y"
    assert E.Add(m, y).script(verbose_expr=True) == "m = T.int32(is_size_var=True)\ny = T.int32()\nm + y"
    assert E.BufferLoad(A, (x,)).script(verbose_expr=True) == "A = T.Buffer((16,))\nx = T.int32()\nA[x]"


STATEMENTS: list[tuple[str, Node, str]] = [
    ("store", S.BufferStore(A, E.BufferLoad(A, (x,)), (x,)), "A = T.Buffer((16,))\nx = T.int32()\nA[x] = A[x]"),
    (
        "loop",
        loop(i, c(0), c(16), store(A, x)),
        """
for i in range(16):
    A = T.Buffer((16,))
    x = T.int32()
    A[x] = T.float32(1)""",
    ),
    (
        "shared bound",
        seq(loop(i, c(0), n, ev(i)), ev(n)),
        "n = T.int32()\nfor i in range(n):\n    T.evaluate(i)\nT.evaluate(n)",
    ),
    ("own bound", loop(i, c(0), n, ev(i)), "n = T.int32()\nfor i in range(n):\n    T.evaluate(i)"),
    ("no min", loop(i, n, c(4), ev(i)), "n = T.int32()\nfor i in range(n, n + 4):\n    T.evaluate(i)"),
    (
        "grid that is none",
        loop(i, c(0), c(16), loop(j, c(0), i, ev(j))),
        "for i in range(16):\n    for j in range(i):\n        T.evaluate(j)",
    ),
    (
        "thread loop",
        loop(i, c(0), c(16), ev(i), ForKind.THREAD_BINDING, thread_binding=thread),
        'for i in T.thread_binding(16, thread="threadIdx.x"):\n    T.evaluate(i)',
    ),
    (
        "else if",
        S.IfThenElse(E.LT(x, c(1)), ev(x), S.IfThenElse(E.LT(x, c(2)), ev(x), ev(1))),
        """
x = T.int32()
if x < 1:
    T.evaluate(x)
else:
    if x < 2:
        T.evaluate(x)
    else:
        T.evaluate(1)""",
    ),
    ("while", S.While(E.LT(x, c(1)), ev(x)), "x = T.int32()\nwhile x < 1:\n    T.evaluate(x)"),
    ("let", S.LetStmt(x, E.Add(n, c(1)), ev(x)), "n = T.int32()\nwith T.LetStmt(n + 1) as x:\n    T.evaluate(x)"),
    (
        "lets",
        seq(S.LetStmt(x, n, ev(x)), S.LetStmt(y, n, ev(y))),
        "n = T.int32()\nwith T.LetStmt(n) as x:\n    T.evaluate(x)\ny: T.int32 = n\nT.evaluate(y)",
    ),
    (
        "asserts",
        seq(S.AssertStmt(E.LT(x, c(1)), E.StringImm("m"), ev(2)), S.AssertStmt(E.LT(x, c(1)), E.StringImm("m"), ev(1))),
        'x = T.int32()\nwith T.Assert(x < 1, "m"):\n    T.evaluate(2)\nassert x < 1, "m"\nT.evaluate(1)',
    ),
    (
        "allocations",
        seq(
            S.Allocate(p, C.dtype, (c(16),), TRUE, ev(p)),
            S.Allocate(p, C.dtype, (c(16),), E.LT(x, c(1)), ev(p), {"k": c(1)}),
        ),
        """
with T.allocate([16], "float32", "global") as p:
    T.evaluate(p)
x = T.int32()
p = T.allocate([16], "float32", "global", x < 1, annotations={"k": 1})
T.evaluate(p)""",
    ),
    (
        "allocated buffer",
        S.Allocate(p, C.dtype, (c(16),), TRUE, S.DeclBuffer(C, store(C))),
        "with T.decl_buffer((16,)) as C:\n    C[0] = T.float32(1)",
    ),
    (
        "declared buffer",
        S.DeclBuffer(C, store(C)),
        'p = T.handle("float32", "global")\nwith T.decl_buffer((16,), data=p) as C:\n    C[0] = T.float32(1)',
    ),
    (
        "attributes",
        S.AttrStmt(A, "key", E.StringImm("v"), ev(0)),
        'A = T.Buffer((16,))\nwith T.attr(A, "key", "v"):\n    T.evaluate(0)',
    ),
    (
        "thread",
        S.AttrStmt(thread, "thread_extent", c(16), ev(tx)),
        'with T.launch_thread("threadIdx.x", 16) as tx:\n    T.evaluate(tx)',
    ),
    (
        "shared thread",
        seq(S.AttrStmt(thread, "thread_extent", c(16), ev(tx)), S.AttrStmt(thread, "thread_extent", c(16), ev(tx))),
        """
tx = T.env_thread("threadIdx.x")
with T.launch_thread(tx, 16):
    T.evaluate(tx)
T.launch_thread(tx, 16)
T.evaluate(tx)""",
    ),
    ("return", ev(ret(x)), "x = T.int32()\nreturn x"),
    (
        "block",
        block,
        """
with T.block("blk", no_realize=True):
    vi = T.axis.spatial(16)
    A = T.Buffer((16,))
    T.reads(A[vi])
    T.writes()
    A[vi] = T.float32(1)""",
    ),
    (
        "realized block",
        loop(x, c(0), c(16), S.BlockRealize((x,), E.LT(x, c(3)), block)),
        """
for x in range(16):
    with T.block("blk"):
        vi = T.axis.spatial(16, x)
        T.where(x < 3)
        A = T.Buffer((16,))
        T.reads(A[vi])
        T.writes()
        A[vi] = T.float32(1)""",
    ),
    (
        "block with everything",
        S.BlockRealize(
            (x,),
            TRUE,
            S.Block(
                (E.IterVar(Range.from_min_extent(x, E.Sub(n, x)), vi, E.IterKind.DATA_PAR),),
                (),
                (),
                "",
                ev(vi),
                init=ev(0),
                alloc_buffers=(B,),
                annotations={"z": (c(1), {"a": c(1)}), "b": TRUE},
            ),
        ),
        """
x = T.int32()
with T.block(""):
    n = T.int32()
    vi = T.axis.spatial((x, x + (n - x)), x)
    T.reads()
    T.writes()
    T.block_attr({"b": T.bool(True), "z": [1, {"a": 1}]})
    m = T.int32(is_size_var=True)
    B = T.alloc_buffer((n, m), "float16")
    with T.init():
        T.evaluate(0)
    T.evaluate(vi)""",
    ),
    (
        "match",
        S.MatchBufferRegion(C, E.BufferRegion(A, (Range.from_min_extent(c(0), c(16)),))),
        "A = T.Buffer((16,))\nC = T.match_buffer(A[0:16], (16,))",
    ),
]


@pytest.mark.parametrize(("node", "text"), [case[1:] for case in STATEMENTS], ids=[case[0] for case in STATEMENTS])
def test_statements(node: Node, text: str) -> None:
    assert node.script() == text.lstrip("\n")


def assert_reads_back(node: Node) -> None:
    text = node.script(verbose_expr=True)
    again = tvmscript.from_source(text)
    assert_structural_equal(node, again, map_free_vars=True)
    assert again.script(verbose_expr=True) == text


@pytest.mark.parametrize(
    "node", [node for node, _ in EXPRESSIONS], ids=[f"{type(node).__name__} {text}" for node, text in EXPRESSIONS]
)
def test_expressions_read_back(node: Node) -> None:
    assert_reads_back(node)


# one variable that two statements define is no program that a text can say
_WELL_FORMED = [case for case in STATEMENTS if case[0] != "allocations"]


@pytest.mark.parametrize("node", [case[1] for case in _WELL_FORMED], ids=[case[0] for case in _WELL_FORMED])
def test_statements_read_back(node: Node) -> None:
    assert_reads_back(node)


def function(body: Stmt, *params: Var, **options: Any) -> str:
    text = PrimFunc(params, body, **options).script()
    assert text.startswith("# from tvm.script import tir as T\n\n@T.prim_func(private=True)\n")
    return text.split("\n", 3)[3]


def test_free_names_stand_in_the_innermost_scope_that_holds_their_uses() -> None:
    k = Var("k", "int32")
    inner = seq(loop(j, c(0), c(4), ev(E.Add(n, c(1)))), loop(k, c(0), c(4), ev(E.Add(n, x))))
    assert (
        function(loop(i, c(0), c(4), inner))
        == """def main():
    for i in range(4):
        n = T.int32()  # tvmscript: n is undefined here
        for j in range(4):
            T.evaluate(n + 1)
        for k in range(4):
            x = T.int32()  # tvmscript: x is undefined here
            T.evaluate(n + x)"""
    )


def test_a_branch_of_one_statement_is_the_scope_around_it() -> None:
    body = S.IfThenElse(b, S.LetStmt(x, c(1), ev(E.Add(x, n))))
    assert function(body, b).splitlines()[1:] == [
        "    if b:",
        "        n = T.int32()  # tvmscript: n is undefined here",
        "        x: T.int32 = 1",
        "        T.evaluate(x + n)",
    ]


def test_buffers_of_two_scopes_share_their_data() -> None:
    other = make_buffer((c(16),), "float32", "B", data=A.data)
    text = seq(loop(i, c(0), c(4), store(A)), loop(j, c(0), c(4), store(other))).script()
    assert (
        text
        == """A_1 = T.handle("float32", "global")
for i in range(4):
    A = T.Buffer((16,), data=A_1)
    A[0] = T.float32(1)
for j in range(4):
    B = T.Buffer((16,), data=A_1)
    B[0] = T.float32(1)"""
    )


def test_aliases_of_a_parameter() -> None:
    handle, other = Var("a", "handle"), make_buffer((c(16),), "float32", "B", data=A.data)
    assert (
        function(seq(store(A), store(other)), handle, buffer_map={handle: A})
        == """def main(A: T.Buffer((16,), "float32")):
    A[0] = T.float32(1)
    B = T.Buffer((16,), data=A.data)
    B[0] = T.float32(1)"""
    )


def test_a_handle_that_is_used_is_a_parameter() -> None:
    handle = Var("a", "handle")
    body = loop(i, c(0), c(4), loop(j, c(0), i, seq(store(A), ev(handle))))
    lines = function(body, handle, buffer_map={handle: A}).splitlines()
    assert lines[:2] == ["def main(a: T.handle):", "    A = T.match_buffer(a, (16,))"]
    assert lines[-1] == "            T.evaluate(a)"


def test_root_blocks() -> None:
    def body(inner: Stmt, **options: Any) -> list[str]:
        root = S.BlockRealize((), TRUE, S.Block((), (), (), "root", inner, **options))
        return function(root).splitlines()[1:]

    realized = S.BlockRealize((c(0),), TRUE, block)
    plain = S.BlockRealize((), TRUE, S.Block((), (), (), "x", ev(0)))
    comment, written = '    # with T.block("root"):', '    with T.block("root"):'
    assert body(realized)[0] == comment
    assert body(loop(i, c(0), c(4), plain))[0] == comment
    assert body(ev(1), alloc_buffers=(A,))[:2] == [comment, "    A = T.alloc_buffer((16,))"]
    assert body(plain)[0] == written
    assert body(ev(0))[0] == written
    assert body(realized, annotations={"k": c(1)})[0] == written


def test_modules_show_main_last_and_call_by_class_name() -> None:
    g = GlobalVar("g")
    helper = PrimFunc((x,), ev(x))
    main = PrimFunc((x,), ev(E.Call("void", g, (x,))), attrs={"global_symbol": "main"})
    renamed = PrimFunc((x,), ev(x), attrs={"global_symbol": "zz2"})
    module = IRModule({GlobalVar("main"): main, g: helper, GlobalVar("zz"): renamed})
    assert (
        module.script()
        == """# from tvm.script import ir as I
# from tvm.script import tir as T

@I.ir_module
class Module:
    @T.prim_func(private=True)
    def g(x: T.int32):
        T.evaluate(x)

    @T.prim_func
    def zz(x: T.int32):
        T.func_attr({"global_symbol": "zz2"})
        T.evaluate(x)

    @T.prim_func
    def main(x: T.int32):
        Module.g(x)"""
    )
    assert IRModule({}).script() == "# from tvm.script import ir as I\n\n@I.ir_module\nclass Module:\n    pass"


def test_calls_of_what_the_text_does_not_have() -> None:
    call = ev(E.Call("int32", GlobalVar("foo"), (c(1),)))
    assert call.script() == 'T.evaluate(T.Call("int32", I.GlobalVar("foo"), [1]))'
    unknown = Op("tir.test_printer_unknown")
    call = ev(E.Call("int32", unknown, (c(1),)))
    assert call.script() == 'T.evaluate(T.Call("int32", "tir.test_printer_unknown", [1]))'


@pytest.mark.parametrize(
    ("hint", "first", "second"),
    [
        ("x", "x", "x_1"), ("x_1", "x_1", "x_1_1"), ("", "v", "v_1"), ("_", "_", "__1"), ("match", "match", "match_1"),
        ("class", "class_1", "class_2"), ("None", "None_1", "None_2"), ("range", "range_1", "range_2"),
        ("T", "T_1", "T_2"), ("I", "I_1", "I_2"), ("R", "R_1", "R_2"), ("cls", "cls_1", "cls_2"),
        ("a.b", "a_b", "a_b_1"), ("a b", "a_b", "a_b_1"), ("1x", "_1x", "_1x_1"), ("é", "__", "___1"),
    ],
)  # fmt: skip
def test_names(hint: str, first: str, second: str) -> None:
    outer, inner = Var(hint, "int32"), Var(hint, "int32")
    text = S.LetStmt(outer, c(1), S.LetStmt(inner, c(2), ev(E.Add(outer, inner)))).script()
    assert text == f"with T.LetStmt(1) as {first}:\n    {second}: T.int32 = 2\n    T.evaluate({first} + {second})"


def test_deep_programs() -> None:
    value: Expr = x
    for _ in range(5000):
        value = E.Add(value, y)
    assert value.script() == "x" + " + y" * 5000
    body: Stmt = ev(0)
    for _ in range(300):
        body = S.IfThenElse(b, body)
    assert len(body.script().splitlines()) == 302


def test_constants_of_both_operands_are_never_bare() -> None:
    assert E.FloorMod(const(7, "uint8"), const(2, "uint8")).script() == "T.uint8(7) % T.uint8(2)"
    assert E.FloorMod(const(7, "uint8"), const(2, "uint8")).script(int_dtype="uint8") == "T.FloorMod(7, 2)"
