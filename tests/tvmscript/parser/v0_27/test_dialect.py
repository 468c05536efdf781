"""Texts of TVM 0.27 are the same programs as their spelling in 0.17."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import tvmscript
from tvmscript.ir.core.equality.equal import assert_structural_equal
from tvmscript.ir.core.errors import DiagnosticError
from tvmscript.parser.source.dialect import is_v0_27

HEAD = "# from tvm.script import {} as T\n\n@T.prim_func\ndef f({}):\n"


def read(module: str, parameters: str, body: str) -> tvmscript.PrimFunc:
    indented = "".join(f"    {line}\n" for line in body.strip().split("\n"))
    found = tvmscript.from_source(HEAD.format(module, parameters) + indented, check_well_formed=False)
    assert isinstance(found, tvmscript.PrimFunc)
    return found


A = 'A: T.Buffer((16,), "float32")'
#: parameters and body in 0.27, parameters and body in 0.17
SAME = {
    "block": (A, 'with T.sblock("b"):\n    T.sblock_attr({"tirx.k": 1})\n'
                 "    B = T.sblock_alloc_buffer((4,))\n    B[0] = A[0]",
              A, 'with T.block("b"):\n    T.block_attr({"tir.k": 1})\n    B = T.alloc_buffer((4,))\n    B[0] = A[0]'),
    "alloc_buffer": (A, "B = T.alloc_buffer((4,))\nB[0] = A[0]", A, "B = T.decl_buffer((4,))\nB[0] = A[0]"),
    "regions of allocations": (
        A, "B = T.alloc_buffer((16,))\nfor i in range(16):\n    with T.sblock('b'):\n"
           "        vi = T.axis.spatial(16, i)\n        B[vi] = A[vi]\n        x: T.float32 = B[vi]\n        A[vi] = x",
        A, "B = T.decl_buffer((16,))\nfor i in range(16):\n    with T.block('b'):\n"
           "        vi = T.axis.spatial(16, i)\n        T.reads(A[vi], B[vi])\n        T.writes(B[vi], A[vi])\n"
           "        B[vi] = A[vi]\n        x = T.decl_buffer((1,), scope='local')\n        x[0] = B[vi]\n"
           "        A[vi] = x[0]"),
    "named sizes": ("a: T.handle", 'n = T.Var("length", "int64")\nA = T.match_buffer(a, (n,))\nA[n - 1] = T.float32(0)',
                    "a: T.handle", "n = T.int64()\nA = T.match_buffer(a, (n,))\nA[n - 1] = T.float32(0)"),
    "loop with a step": (A, "for i in range(1, 16, 3):\n    A[i] = 0.0\n"
                            "for j in T.unroll(0, T.int64(16), step=T.int64(2)):\n    A[j] = 0.0",
                         A, "for k in range(5):\n    i: T.int32 = 1 + k * 3\n    A[i] = T.float32(0)\n"
                            "for k in T.unroll(T.int64(8)):\n    j: T.int64 = k * T.int64(2)\n    A[j] = T.float32(0)"),
    "quoted sizes in the body": ("a: T.handle", 'A = T.match_buffer(a, ("n", "n + 1"), "int8")\nA[0, n] = T.int8(1)',
                                 "a: T.handle", 'n = T.int32()\nA = T.match_buffer(a, (n, n + 1), "int8")\n'
                                                "A[0, n] = T.int8(1)"),
    "dtypes of matrix instructions": (
        A, 'T.ptx_legacy.ldmatrix(False, 4, ".b16", A.data, 0, A.data, 0)\n'
           'T.cuda.mma_fill_legacy(8, A.data, 0, "float32")\n'
           'T.cuda.mma_store_legacy(16, 16, A.data, A.data, 0, 16, dtype="float32")\n'
           'T.ptx_legacy.mma("m16n8k16", "row", "col", "fp16", "fp16", "fp32", A.data, 0, A.data, 0, A.data, 0, False)',
        A, 'T.ptx_ldmatrix("float32", False, 4, ".b16", A.data, 0, A.data, 0)\nT.mma_fill("float32", 8, A.data, 0)\n'
           'T.mma_store("float32", 16, 16, A.data, A.data, 0, 16)\nT.ptx_mma("float32", "m16n8k16", "row", "col", '
           '"fp16", "fp16", "fp32", A.data, 0, A.data, 0, A.data, 0, T.bool(False))'),
    "alloc_local": (A, 'B = T.alloc_local((4,), "int8")\nB[0] = T.int8(1)',
                    A, 'B = T.decl_buffer((4,), "int8", scope="local")\nB[0] = T.int8(1)'),
    "alloc_shared": (A, 'B = T.alloc_shared((4,), annotations={"tirx.volatile": True})\nB[0] = A[0]',
                     A, 'C = T.allocate([4], "float32", "shared", annotations={"tir.volatile": T.bool(True)})\n'
                        'B = T.decl_buffer((4,), data=C, scope="shared")\nB[0] = A[0]'),
    "padded rows": (A, 'B = T.alloc_buffer((4, 3), strides=(8, 1))\nB[0, 0] = A[0]',
                    A, 'C = T.allocate([4, 8], "float32", "global")\n'
                       'B = T.decl_buffer((4, 3), data=C, strides=(8, 1))\nB[0, 0] = A[0]'),
    "view": (A, "B = A.view(4, 4)\nB[0, 1] = A[0]", A, "B = T.decl_buffer((4, 4), data=A.data)\nB[0, 1] = A[0]"),
    "scalar": (A, "x = A[0] + T.float32(1)\nx = x * 2.0\nA[1] = x",
               A, 'x = T.decl_buffer((1,), scope="local")\nx[0] = A[0] + T.float32(1)\n'
                  "x[0] = x[0] * T.float32(2)\nA[1] = x[0]"),
    "typed scalar": (A, "x: T.i32 = 3\nx += 1\nA[x] = 1.0",
                     A, 'x = T.decl_buffer((1,), "int32", scope="local")\nx[0] = 3\nx[0] = x[0] + 1\nA[x[0]] = 1.0'),
    "local array": (A, "x: T.float16[2, 3]\nx[0, 1] = T.f16(1)",
                    A, 'x = T.decl_buffer((2, 3), "float16", scope="local")\nx[0, 1] = T.float16(1)'),
    "let": (A, "x: T.let = A[0] + T.float32(1)\nA[1] = x", A, "x: T.float32 = A[0] + T.float32(1)\nA[1] = x"),
    "typed let": ("n: T.int32", "x: T.let[T.int64] = T.Cast('int64', n)\nT.evaluate(x)",
                  "n: T.int32", "x: T.int64 = T.Cast('int64', n)\nT.evaluate(x)"),
    "bind": (A, "x = T.bind(A[0])\nA[1] = x", A, "with T.LetStmt(A[0]) as x:\n    A[1] = x"),
    "sizes": ('A: T.Buffer(("n", 4), "float32"), B: T.Buffer((n,), "int8")', "n = T.int32()\nT.evaluate(n)",
              "a: T.handle, b: T.handle", "n = T.int32()\nA = T.match_buffer(a, (n, 4))\n"
                                          'B = T.match_buffer(b, (n,), "int8")\nT.evaluate(n)'),
    "attributes": (A, 'T.func_attr({"tirx.noalias": True})\nwith T.attr({"a": 1, "tirx.b": "s"}):\n    T.evaluate(0)',
                   A, 'T.func_attr({"tir.noalias": True})\nT.attr(0, "a", 1)\nT.attr(0, "tir.b", "s")\nT.evaluate(0)'),
    "assert": (A, 'assert A[0] > T.float32(0), ("ValueError", ["A is ", "small"])\nT.evaluate(0)',
               A, 'assert A[0] > T.float32(0), "ValueError: A is small"\nT.evaluate(0)'),
    "usual assert": (A, 'assert A[0] > T.float32(0), ("RuntimeError", ["small"])\nT.evaluate(0)',
                     A, 'assert A[0] > T.float32(0), "small"\nT.evaluate(0)'),
    "Assert": (A, 'with T.Assert(A[0] > T.float32(0), ["a", "b"], error_kind="TypeError"):\n    T.evaluate(0)',
               A, 'with T.Assert(A[0] > T.float32(0), "TypeError: ab"):\n    T.evaluate(0)'),
    "operators": ("n: T.int32", "T.evaluate(T.LShift(n, 1) | T.BitwiseNot(n))",
                  "n: T.int32", "T.evaluate(T.bitwise_or(T.shift_left(n, 1), T.bitwise_not(n)))"),
    "call_intrin": (A, 'A[0] = T.call_intrin("float32", "tirx.exp", A[1])', A, "A[0] = T.exp(A[1])"),
    "Call": (A, 'A[0] = T.Call("prim.ceil", [A[1]], ret_ty="float32")', A, "A[0] = T.ceil(A[1])"),
    "types of handles": ("p: T.handle", "T.evaluate(T.tvm_struct_get(p, 0, 1, T.handle().ty))",
                         "p: T.handle", 'T.evaluate(T.tvm_struct_get(p, 0, 1, "handle"))'),
    "dtypes": (A, "A[0] = T.Cast('float32', T.float8_e4m3fn(1) + T.float8_e5m2x4(0)[0] if False else T.f32(1))",
               A, "A[0] = T.Cast('float32', T.float32(1))"),
    "mask": (A, "T.masked_store(A, T.Broadcast(T.float32(1), 4), T.Ramp(0, 1, 4), T.Broadcast(T.bool(True), 4))",
             A, "T.buffer_store(A, T.Broadcast(T.float32(1), 4), [T.Ramp(0, 1, 4)], T.Broadcast(T.bool(True), 4))"),
    "unroll": (A, "for i in T.serial(4, unroll=2):\n    A[i] = 1.0",
               A, 'for i in T.serial(4, annotations={"pragma_unroll": 2}):\n    A[i] = 1.0'),
    "jumps": (A, "for i in range(4):\n    if i > 2:\n        break\n    else:\n        continue",
              A, "for i in range(4):\n    if i > 2:\n        T.break_loop()\n    else:\n        T.continue_loop()"),
    "shuffles": ("m: T.uint32, v: T.float32", "T.evaluate(T.cuda.__shfl_down_sync(m, v, 1, 32))",
                 "m: T.uint32, v: T.float32",
                 'T.evaluate(T.Call("float32", "tir.cuda.__shfl_down_sync", [m, v, 1, 32]))'),
}  # fmt: skip


@pytest.mark.parametrize("name", SAME)
def test_same_program(name: str) -> None:
    parameters, body, old_parameters, old_body = SAME[name]
    new, old = read("tirx", parameters, body), read("tir", old_parameters, old_body)
    assert_structural_equal(new, old)
    assert_structural_equal(tvmscript.from_source(new.script(dialect="0.27"), check_well_formed=False), new)


def test_sizes_of_64_bits() -> None:
    """A `TypeVar` is an int64 size of each function that names it."""
    text = """from typing import TypeVar
from tvm.script import tirx as T
n = TypeVar("n")
@T.prim_func(s_tir=True)
def f(A: T.Buffer((n, 4), "float32"), B: T.Buffer(("n * T.int64(2)",), "float32")):
    A[0, 0] = B[T.int64(0)]
"""
    func = tvmscript.from_source(text)
    old = read("tir", "a: T.handle, b: T.handle", "n = T.int64()\nA = T.match_buffer(a, (n, 4))\n"
               "B = T.match_buffer(b, (n * T.int64(2),))\nA[0, 0] = B[T.int64(0)]")  # fmt: skip
    assert_structural_equal(func, old)
    assert "TypeVar" in func.script(dialect="0.27")


def test_macros() -> None:
    text = """from tvm.script import tirx as T
@T.inline
def twice(A, i):
    A[i] = A[i] * 2.0
@T.prim_func
def f(A: T.Buffer((4,), "float32")):
    twice(A, 1)
"""
    assert_structural_equal(
        tvmscript.from_source(text), read("tir", 'A: T.Buffer((4,), "float32")', "A[1] = A[1] * 2.0")
    )


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("from tvm.script import tirx as T", True),
        ("# from tvm.script import ir as I\n# from tvm.script import tirx as T", True),
        ("from tvm.script import ir as I, tirx as T", True),
        ("@T.prim_func(s_tir=True)", True),
        ("@T.prim_func\ndef f():\n    x: T.let = 1", True),
        ("from tvm.script import tir as T\n@T.prim_func(s_tir=True)", False),
        ("from tvm.script import tir as T\n# about tirx", False),
        ("@T.prim_func\ndef f(): ...", False),
    ],
)
def test_which_dialect(text: str, found: bool) -> None:
    assert is_v0_27(text) is found


NEW_NAMES = Path(__file__).parents[5] / "shared" / "parity" / "script_new_in_0_27.tsv"


def test_every_new_name_is_known() -> None:
    """No name of T, R or I in 0.27 is called unknown: it is read, or refused for a reason."""
    if not NEW_NAMES.exists():
        pytest.skip("no parity tables: ../shared/parity is not there")
    names = [line.split("\t")[0] for line in NEW_NAMES.read_text().splitlines()[1:]]
    unknown = []
    head = "from tvm.script import ir as I, relax as R, tirx as T\n@T.prim_func\ndef f():\n"
    for name in names:
        text = f"{head}    x = T.meta_var({name})\n"
        try:
            tvmscript.from_source(text)
        except tvmscript.DiagnosticError as error:
            if error.code == "TS2004":
                unknown.append(name)
    assert unknown == []
    assert len(names) > 280


GRAPH = """# from tvm.script import tirx as T
# from tvm.script import relax as R
@R.function
def f(x: R.Tensor((4, 8), "float32")) -> R.Tensor((4, 8), "float32"):
    {}
    return y
"""
#: a binding in 0.27, and what it means
BINDINGS = {
    "relu6": ("y = R.nn.relu6(x)", "y = R.clip(x, R.prim_value(0), R.prim_value(6))"),
    "unknown dtype": (
        'y: R.Tensor((4, 8), "float32") = R.memory.view(x, R.tuple(), R.null_value(), R.tuple())',
        'z = R.null_value()\n    y: R.Tensor((4, 8), "float32") = R.memory.view(x, R.tuple(), z, R.tuple())',
    ),
}


@pytest.mark.parametrize("name", BINDINGS)
def test_same_binding(name: str) -> None:
    short, full = [tvmscript.from_source(GRAPH.format(text)) for text in BINDINGS[name]]
    assert_structural_equal(short, full)
    assert_structural_equal(tvmscript.from_source(short.script(dialect="0.27")), short)


#: a split into one section in 0.27, where it is no tuple, and the statements that mean it in 0.17
SECTIONS = {
    "result": ("y = R.split(x, 1, axis=1)", "z = R.split(x, 1, axis=1)\n    y = z[0]"),
    "no places": ("y = R.split(x, [], axis=1)", "z = R.split(x, [], axis=1)\n    y = z[0]"),
    "tuple": ("z = (R.split(x, 1, axis=1),)\n    y = z[0]", "z = R.split(x, 1, axis=1)\n    y = z[0]"),
    "two": ("z = R.split(x, 2, axis=0)\n    y = R.concat((z[1], z[0]))",
            "z = R.split(x, 2, axis=0)\n    y = R.concat((z[1], z[0]))"),
}  # fmt: skip


@pytest.mark.parametrize("name", SECTIONS)
def test_sections(name: str) -> None:
    current, earlier = SECTIONS[name]
    func = tvmscript.from_source(GRAPH.format(current))
    assert_structural_equal(func, tvmscript.from_source(GRAPH.replace("tirx", "tir").format(earlier)))
    assert_structural_equal(tvmscript.from_source(func.script(dialect="0.27")), func)
    assert_structural_equal(tvmscript.from_source(func.script()), func)


def test_one_section_tells_the_dialect() -> None:
    """An annotation says that the result is no tuple; without one, a text is of 0.17."""
    annotated = """# from tvm.script import relax as R

@R.function
def f(x: R.Tensor((4, 6), dtype="float32")) -> R.Tensor((4, 6), dtype="float32"):
    y: R.Tensor((4, 6), dtype="float32") = R.split(x, indices_or_sections=1, axis=1)
    return y
"""
    assert is_v0_27(annotated)
    plain = annotated.replace(': R.Tensor((4, 6), dtype="float32") = ', " = ").replace(
        ' -> R.Tensor((4, 6), dtype="float32")', ""
    )
    assert not is_v0_27(plain)
    assert str(tvmscript.from_source(annotated).ret_struct_info) == 'R.Tensor((4, 6), dtype="float32")'
    assert str(tvmscript.from_source(plain).ret_struct_info) == 'R.Tuple(R.Tensor((4, 6), dtype="float32"))'


@pytest.mark.parametrize("name", ["rewriter", "dist.DTensorType", "vision.Expr"])
def test_names_that_are_refused(name: str) -> None:
    with pytest.raises(DiagnosticError, match=f"R.{name}") as caught:
        tvmscript.from_source(GRAPH.format(f"y = R.{name}"))
    assert caught.value.code == "TS2040"


@pytest.mark.parametrize(
    ("call", "message"),
    [
        ("T.attr(A.data)", "T.attr: missing the argument attr_key"),
        ("T.attr(A.data, value=1)", "T.attr: missing the argument attr_key"),
        ('T.attr(A.data, "key")', "T.attr: missing the argument value"),
        (
            'T.attr({"key": 1}, "other", 1)',
            "T.attr takes a node, a key and a value, or a dict, but got a dict and a key",
        ),
    ],
)
def test_attributes_without_a_key_or_a_value(call: str, message: str) -> None:
    with pytest.raises(DiagnosticError, match=re.escape(message)):
        tvmscript.from_source(HEAD.format("tirx", A) + f"    {call}\n    A[0] = T.float32(0)")


def test_names_of_attributes_stay_in_their_dialect() -> None:
    """In 0.17 `tirx.` is an ordinary beginning of a name."""
    text = (
        HEAD.format("tir", A)
        + '    T.func_attr({"nested": {"tirx.b": 1}, "tirx.a": 1})\n'
        + '    T.attr(0, "tirx.c", 1)\n'
        + '    for i in T.serial(16, annotations={"tirx.d": 1}):\n'
        + "        A[i] = T.float32(0)"
    )
    func = tvmscript.from_source(text)
    assert func.attrs.keys() == {"tirx.a", "nested", "global_symbol"}
    assert func.script() == text
    assert_structural_equal(tvmscript.from_source(func.script()), func)


TYPE_PARAMETERS = """# from tvm.script import ir as I
# from tvm.script import tirx as T
# from tvm.script import relax as R
@I.ir_module
class Module:
    @T.prim_func
    def main[n, m](A: T.Buffer((n, m), "float32"), B: T.Buffer((n, m), "float32")):
        for i, j in T.grid(n, m):
            B[i, j] = A[i, j] + T.float32(1)
    @R.function
    def graph[
        n, k,
    ](x: R.Tensor((n, k), "float32")) -> R.Tensor((n, k), "float32"):
        return x
"""


def test_type_parameters() -> None:
    """PEP 695 on every Python: `def main[n, m]` says what `n = TypeVar("n")` says in front of the module."""
    names = "".join(f'{name} = TypeVar("{name}")\n' for name in "nmk")
    plain = TYPE_PARAMETERS.replace("main[n, m]", "main").replace("graph[\n        n, k,\n    ]", "graph")
    other = plain.replace("@I.ir_module", f"from typing import TypeVar\n{names}@I.ir_module").replace(
        "@T.prim_func", "@T.prim_func(s_tir=True)"
    )
    assert_structural_equal(tvmscript.from_source(TYPE_PARAMETERS), tvmscript.from_source(other))


def test_bounds_of_type_parameters() -> None:
    """TVM 0.27 takes the bound `int`, which says the same, and no other one."""
    bounded = tvmscript.from_source(TYPE_PARAMETERS.replace("main[n, m]", "main[n: int, m]"))
    assert_structural_equal(bounded, tvmscript.from_source(TYPE_PARAMETERS))
    with pytest.raises(DiagnosticError, match=r"its bound is T\.int64") as caught:
        tvmscript.from_source(TYPE_PARAMETERS.replace("main[n, m]", "main[n: T.int64, m]"))
    assert caught.value.code == "TS2001"


@pytest.mark.parametrize(("wrong", "place"), [("B[i, l]", (9, 18)), ("B[i, = j]", (9, 18))])
def test_places_behind_type_parameters(wrong: str, place: tuple[int, int]) -> None:
    with pytest.raises(DiagnosticError) as caught:
        tvmscript.from_source(TYPE_PARAMETERS.replace("B[i, j]", wrong))
    assert (caught.value.line, caught.value.column) == place
