"""Whole texts: headers, constants, several definitions, names from outside."""

from __future__ import annotations

import pytest

import tvmscript
from tvmscript.ir.core.equality.equal import assert_structural_equal
from tvmscript.ir.core.errors import DiagnosticError
from tvmscript.ir.core.module import IRModule
from tvmscript.ir.tir.expr import Var
from tvmscript.ir.tir.function import PrimFunc
from tvmscript.ir.tir.stmt import Evaluate
from tvmscript.parser import from_source, parse_program

PLAIN = '@T.prim_func\ndef f(A: T.Buffer((16,), "float32")):\n    A[0] = 1.0\n'


@pytest.mark.parametrize(
    "header",
    [
        "",
        "# from tvm.script import tir as T\n",
        "from tvm.script import ir as I\nfrom tvm.script import tir as T\n",
        "import tvmscript as tvm\nfrom tvmscript import T, I\n",
        "from tvmscript.script import ir as I, tir as T\n",
        "from __future__ import annotations\nimport tvm\nfrom tvm import tir\nfrom tvm.script import tir as T\n",
        '"""A docstring."""\nN: int = 4\nM = N * 2\npass\n',
        "\ufeff",
        "# -*- coding: utf-8 -*-\n",
    ],
)
def test_headers(header: str) -> None:
    assert_structural_equal(from_source(header + PLAIN), from_source(PLAIN))


def test_aliases() -> None:
    text = PLAIN.replace("T.", "tt.")
    assert_structural_equal(from_source("from tvm.script import tir as tt\n" + text), from_source(PLAIN))
    dotted = PLAIN.replace("T.", "tvm.script.tir.")
    assert_structural_equal(from_source("import tvm.script.tir\n" + dotted), from_source(PLAIN))


def test_constants() -> None:
    text = 'N, (M, K) = 4, (2, 2)\n@T.prim_func\ndef f(A: T.Buffer((N * M * K,), "float32")):\n    A[N // 8] = 1.0\n'
    assert_structural_equal(from_source(text), from_source(PLAIN))


def test_extra_vars() -> None:
    n = Var("n", "int32")
    inner = from_source(PLAIN)
    text = "@T.prim_func\ndef f(A: T.Buffer(shape, dtype)):\n    A[0] = scale\n    T.evaluate(n)\n"
    made = from_source(
        text, check_well_formed=False, extra_vars={"shape": (16,), "dtype": "float32", "scale": 1.0, "n": n, "g": inner}
    )
    assert isinstance(made, PrimFunc)
    last = made.body.seq[-1]  # type: ignore[attr-defined]
    assert isinstance(last, Evaluate)
    assert last.value is n


def test_all_definitions() -> None:
    text = PLAIN + "\n\n@I.ir_module\nclass Module:\n    pass\n\n\n" + PLAIN.replace("def f", "def g")
    found = parse_program(text)
    assert list(found) == ["f", "Module", "g"]
    assert isinstance(found["f"], PrimFunc)
    assert isinstance(found["Module"], IRModule)


def test_one_module_among_functions_is_the_program() -> None:
    text = PLAIN + "\n\n@I.ir_module\nclass Module:\n    pass\n"
    assert isinstance(from_source(text), IRModule)


def test_several_functions_are_named() -> None:
    with pytest.raises(DiagnosticError, match="f, g"):
        from_source(PLAIN + PLAIN.replace("def f", "def g"))


def test_nothing_is_executed() -> None:
    for text in (
        "__import__('os').system('true')\n",
        "@T.prim_func\ndef f(n: T.int32):\n    T.evaluate(n.__class__)\n",
        "@T.prim_func\ndef f(n: T.int32):\n    T.evaluate(().__class__.__bases__[0])\n",
        "@T.prim_func\ndef f(n: T.int32):\n    input(n)\n",
        "@T.prim_func\ndef f(n: T.int32):\n    T.evaluate(open('/etc/passwd'))\n",
        "@(lambda f: f)\ndef f(n: T.int32):\n    pass\n",
        "@T.prim_func\ndef f(n: T.int32):\n    T.evaluate([x for x in (1,)][0])\n",
        "@T.prim_func\ndef f(n: T.int32):\n    T.evaluate(T.exp.function(1.0))\n",
    ):
        with pytest.raises(DiagnosticError):
            from_source(text)


def test_calls_between_functions_take_the_declared_type() -> None:
    text = (
        "@I.ir_module\nclass Module:\n"
        "    @T.prim_func\n    def main(n: T.int32):\n        T.evaluate(Module.add(n, 1) + cls.add(2, n))\n"
        "    @T.prim_func\n    def add(x: T.int32, y: T.int32) -> T.int32:\n        return x + y\n"
    )
    module = from_source(text)
    assert isinstance(module, IRModule)
    call = module["main"].body.value.a
    assert call.dtype == "int32"
    assert call.op is module.get_global_var("add")


def test_names_are_kept() -> None:
    text = (
        "@T.prim_func\ndef f(var_A: T.handle, n: T.int32):\n"
        '    my_A = T.match_buffer(var_A, (n,), "float32")\n'
        "    for some_index in range(n):\n        my_A[some_index] = 1.0\n"
    )
    func = tvmscript.from_source(text)
    assert [param.name for param in func.params] == ["var_A", "n"]
    assert func.body.loop_var.name == "some_index"
    (buffer,) = func.buffer_map.values()
    assert (buffer.name, buffer.data.name) == ("my_A", "my_A")


def test_nothing_is_folded() -> None:
    header = "@T.prim_func\ndef f(n: T.int32):\n"
    text = header + "    T.evaluate(n + 0)\n    T.evaluate(T.int32(1) + 2)\n    T.evaluate(1 + 2)\n"
    body = tvmscript.from_source(text).body
    assert [type(item.value).__name__ for item in body.seq] == ["Add", "Add", "IntImm"]


def test_spans() -> None:
    func = tvmscript.from_source(PLAIN)
    store = func.body
    assert (store.span.line, store.span.column, store.span.end_column) == (3, 5, 15)
    assert (func.span.line, func.span.column) == (2, 1)


def test_underscore_may_be_used_again() -> None:
    text = (
        '@T.prim_func\ndef f(A: T.Buffer((16,), "float32")):\n    for _, _, i in T.grid(2, 3, 4):\n        A[i] = 1.0\n'
    )
    func = tvmscript.from_source(text)
    assert func.body.body.body.body.indices[0].name == "i"
    assert [func.body.loop_var.name, func.body.body.loop_var.name] == ["_", "_"]


@pytest.mark.parametrize(
    ("given", "plain"),
    [
        ("B.vstore([0], value=A[0:4])", "B[0:4] = A[0:4]"),
        ("T.evaluate(T.Select(condition=A[0:4], true_value=A[0:4], false_value=A[4:8]))",
         "T.evaluate(T.Select(A[0:4], A[0:4], A[4:8]))"),
        ("B.vstore([T.Ramp(0, 1, 4)], A[0:4], predicate=A[4:8])",
         "T.buffer_store(B, A[0:4], [T.Ramp(0, 1, 4)], predicate=A[4:8])"),
    ],
)  # fmt: skip
def test_slices_by_keyword_are_vectors(given: str, plain: str) -> None:
    head = '@T.prim_func\ndef f(A: T.Buffer((16,), "bool"), B: T.Buffer((16,), "bool")):\n    '
    assert_structural_equal(tvmscript.from_source(head + given), tvmscript.from_source(head + plain))
