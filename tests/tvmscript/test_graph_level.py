"""The graph level as text: what is read is printed as TVM prints it, and reads back to the same program."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import tvmscript
from tvmscript.ir.core.equality.equal import structural_equal
from tvmscript.ir.core.values.constant_data import Data
from tvmscript.ir.relax.expr import Constant, DataflowBlock, DataflowVar, Tuple
from tvmscript.ir.relax.function import Function

_CASES = sorted((Path(__file__).parents[1] / "cases" / "relax").glob("*.py"))
#: printed texts, which are printed as they are
_PRINTED = ("from_torch", "from_nn", "tutorial_fused", "tutorial_legalized")


def body(text: str) -> str:
    """A text without its constants, which TVM and we write in different ways."""
    return re.split(r"\n\n(?:# Metadata omitted|metadata = )", text)[0].rstrip()


@pytest.mark.oracle
@pytest.mark.parametrize("path", _CASES, ids=lambda path: path.stem)
def test_same_text(oracle: Any, path: Path) -> None:
    text = path.read_text()
    theirs = oracle.request("print", text=text, check=False)["text"]
    assert body(tvmscript.from_source(text).script()) == body(theirs)


@pytest.mark.parametrize("path", _CASES, ids=lambda path: path.stem)
def test_round_trip(path: Path) -> None:
    program = tvmscript.from_source(path.read_text())
    text = program.script()
    again = tvmscript.from_source(text)
    assert again.script() == text
    assert structural_equal(program, again)
    assert tvmscript.from_source(program.script(module_alias="")).script() == text


@pytest.mark.parametrize("name", _PRINTED)
def test_printed_texts_stay(name: str) -> None:
    text = next(path for path in _CASES if path.stem == name).read_text()
    assert tvmscript.from_source(text).script() + "\n" == text


_DECORATED = """
from tvmscript import R, T

N = 4

@R.function(pure=False)
def made(x: R.Tensor(("n", N), "float32")) -> R.Tensor(("n", 4), "float32"):
    n = T.int64()
    y: R.Tensor((n, N), "float32") = x
    return R.nn.relu(y)
"""


def test_decorated_functions_capture_python() -> None:
    namespace: dict[str, Any] = {"__name__": "made_here"}
    exec(_DECORATED, namespace)
    made = namespace["made"]
    assert isinstance(made, Function)
    assert made.script().split("\n")[3:] == [
        "@R.function(pure=False)",
        'def made(x: R.Tensor(("n", 4), dtype="float32")) -> R.Tensor(("n", 4), dtype="float32"):',
        "    n = T.int64()",
        '    y: R.Tensor((n, 4), dtype="float32") = x',
        '    gv1: R.Tensor((n, 4), dtype="float32") = R.nn.relu(y)',
        "    return gv1",
    ]


def test_outputs_of_a_dataflow_block_are_seen_behind_it() -> None:
    func = tvmscript.from_source(
        """
@R.function
def main(x: R.Tensor((4,), "float32")):
    with R.dataflow():
        lv = R.add(x, x)
        gv = R.add(lv, lv)
        R.output(gv)
    return gv
"""
    )
    (block,) = func.body.blocks
    assert isinstance(block, DataflowBlock)
    assert [type(item.var) is DataflowVar for item in block.bindings] == [True, False]  # type: ignore[attr-defined]
    assert func.body.body is block.bindings[1].var  # type: ignore[attr-defined]


def test_constants_of_tvm_are_read() -> None:
    text = (Path(__file__).parents[1] / "cases" / "relax" / "constants.py").read_text()
    func = tvmscript.from_source(text)
    assert isinstance(func.body.body, Tuple)
    values = [item.value for block in func.body.blocks for item in block.bindings]
    bfloat = next(value for value in values if isinstance(value, Constant) and value.dtype == "bfloat16")
    assert isinstance(bfloat.data, Data)
    assert bfloat.data.tobytes() == bytes.fromhex("803f00c0")  # the upper halves of 1.0 and -2.0 as float32


def test_a_shared_constant_is_one() -> None:
    text = """
@R.function
def main(x: R.Tensor((2,), "float32")):
    a = R.add(x, metadata["relax.expr.Constant"][0])
    b = R.add(a, metadata["relax.expr.Constant"][0])
    return b

metadata = {"relax.expr.Constant": [R.const([1.0, 2.0], "float32")]}
"""
    func = tvmscript.from_source(text)
    first, second = (item.value.args[1] for item in func.body.blocks[0].bindings)
    assert first is second
    assert func.script().count("R.const(") == 1


def test_structinfo_that_follows_may_be_left_out() -> None:
    func = tvmscript.from_source("@R.function\ndef main(x: R.Tensor((4,), 'float32')):\n    return R.add(x, x)\n")
    assert "    gv = R.add(x, x)\n" in func.script(show_all_struct_info=False)


@pytest.mark.parametrize(
    ("statement", "code", "message"),
    [
        ("y = R.add(x, 3)", "TS1200", "R.add"),
        ("y = R.foo(x)", "TS2004", "R has no foo"),
        ("y = x + 1", "TS2014", "1 is not an expression"),
        ("y = x[0]", "TS2025", "the value is not a tuple"),
        ("y: R.Shape(ndim=2) = x", "TS1003", "an annotation"),
        ("R.output(x)", "TS2017", "R.output must be inside a dataflow block"),
        ("if x:\n        y = x", "TS2005", "if without else"),
        ("for i in x:\n        y = x", "TS2005", "for"),
        ("with x:\n        y = x", "TS2010", "with cannot be used"),
        ("y: 3 = x", "TS2016", "3 is not the type of a variable"),
        ("a, b = x", "TS2012", "several names"),
        ("z = R.call_packed('f', x, sinfo_args=3)", "TS1003", "R.call_packed"),
        ("with R.dataflow():\n        lv = x\n        R.output(x)", "TS1003", "R.output"),
    ],
)
def test_errors(statement: str, code: str, message: str) -> None:
    text = f"@R.function\ndef main(x: R.Tensor((4,), 'float32')):\n    {statement}\n    return x\n"
    with pytest.raises(tvmscript.DiagnosticError) as caught:
        tvmscript.from_source(text)
    assert caught.value.code == code
    assert message in str(caught.value)
    assert caught.value.line in (3, 5)


def test_several_errors_in_one_report() -> None:
    with pytest.raises(tvmscript.DiagnosticError) as caught:
        tvmscript.from_source(
            "@R.function\ndef main(x: R.Tensor((4,), 'float32')):\n"
            "    y = R.foo(x)\n    z = R.bar(x)\n    w = R.foo(x)\n    return w\n"
        )
    assert [error.line for error in caught.value.errors] == [3, 4, 5]


def test_kernels_do_not_load_the_graph_level() -> None:
    code = (
        "import sys, tvmscript; f = tvmscript.from_source('@T.prim_func\\ndef f(A: T.Buffer((4,))):\\n    A[0] = 1.0');"
        "f.script(); print([m for m in sys.modules if 'relax' in m])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_parts_of_functions_print() -> None:
    text = next(path for path in _CASES if path.stem == "branches").read_text()
    func = tvmscript.from_source(text)
    (first, *_), dataflow = func.body.blocks[0].bindings, func.body.blocks[1]
    assert str(first) == 'c: R.Tensor((), dtype="bool")\ngv6: R.Tensor((), dtype="bool") = R.logical_not(c)'
    assert str(first.value) == "R.logical_not(c)"
    assert str(func.params[0].struct_info) == 'R.Tensor((4, 4), dtype="float32")'
    assert str(dataflow).split("\n")[:2] == ['y: R.Tensor((4, 4), dtype="float32")', "with R.dataflow():"]
    branch = func.body.blocks[0].bindings[1].value
    assert str(branch).split("\n")[2:5] == ["if gv6:", "    with R.dataflow():",
        '        lv: R.Tensor((4, 4), dtype="float32") = R.add(x, x)']  # fmt: skip
    assert str(branch.false_branch).split("\n")[-1] == "z"


_EXTERN = """# from tvm.script import ir as I
# from tvm.script import tir as T
# from tvm.script import relax as R

@I.ir_module
class Module:
    @T.prim_func
    def kernel(A: T.Buffer((4,), "float32")):
        A[0] = T.float32(1)

    ext = R.ExternFunc("my_ext")
    typed = R.ExternFunc("t", R.Callable((R.Tensor((4,), dtype="float32"),), R.Tensor((4,), dtype="float32"), True))
    @R.function
    def foo(x: R.Tensor((4,), dtype="float32")) -> R.Tensor((4,), dtype="float32"):
        cls = Module
        gv: R.Tensor((4,), dtype="float32") = cls.typed(x)
        return gv

    @R.function(pure=False)
    def main(x: R.Tensor((4,), dtype="float32")) -> R.Tensor((4,), dtype="float32"):
        cls = Module
        gv: R.Tensor((4,), dtype="float32") = cls.ext(x, sinfo_args=(R.Tensor((4,), dtype="float32"),))
        return gv"""


def test_functions_outside_of_the_program_are_members_of_modules() -> None:
    module = tvmscript.from_source(_EXTERN)
    assert module.script() == _EXTERN
    assert module["ext"].global_symbol == "my_ext"
    assert structural_equal(tvmscript.from_source(_EXTERN), module)
    module["late"] = module["ext"]
    assert "    ext = R.ExternFunc" in module.script()
    assert "    late = R.ExternFunc" in module.script()
    with pytest.raises(tvmscript.DiagnosticError) as caught:
        tvmscript.from_source(_EXTERN.replace("    ext = ", "    foo = "))
    assert (caught.value.code, caught.value.line) == ("TS2008", 11)
    with pytest.raises(tvmscript.DiagnosticError) as caught:
        tvmscript.from_source(_EXTERN.replace('"my_ext")', "3)"))
    assert caught.value.line == 11


def test_functions_outside_of_the_program_in_a_decorated_class() -> None:
    text = "from tvmscript import I, R, T\n\n" + _EXTERN
    namespace: dict[str, Any] = {"__name__": "made_here"}
    exec(text, namespace)
    assert namespace["Module"].script() == _EXTERN


def test_sizes_in_quotation_marks_are_those_of_the_function_that_names_them() -> None:
    """Without quotation marks they are those around it. TVM 0.17 was asked for both texts."""
    text = """@R.function
def main(x: R.Tensor(("n", 4), "float32")):
    n = T.int64()

    @R.function
    def inner(y: R.Tensor(({0}, 4), "float32"), z: R.Tensor(("m", 4), "float32")):
        return R.concat((y, z), 0)

    return inner(x, x)
"""
    shared, own = (tvmscript.from_source(text.format(size)) for size in ("n", '"n"'))
    assert "def inner(y: R.Tensor((n, 4)" in shared.script()
    assert "def inner(y: R.Tensor((n_1, 4)" in own.script()
    for func in (shared, own):
        assert structural_equal(func, tvmscript.from_source(func.script()))
    assert not structural_equal(shared, own)


_NOT_ALL_SAID = """
@R.function(pure=False)
def main(x: R.Tensor((4,), "float32"), f: R.Callable((R.Tensor,), R.Tensor)):
    a = x
    b: R.Object = R.exp(x)
    c = R.exp(a)
    d = f(x)
    e = R.call_packed("g", x, sinfo_args=R.Tensor)
    g = R.match_cast(e, R.Tensor((4,), "float32"))
    h: R.Tensor = R.match_cast(e, R.Tensor((4,), "float32"))
    i = R.const(1.0)
    return (b, c, d, g, h, i)
"""


def test_what_follows_is_left_out_where_that_is_asked_for() -> None:
    """As both TVMs do: not for calls of other functions, constants, and what says less than is known."""
    program = tvmscript.from_source(_NOT_ALL_SAID)
    text = program.script(show_all_struct_info=False)
    assert [line.strip() for line in text.splitlines()[4:-1]] == [
        "a = x",
        "b: R.Object = R.exp(x)",
        "c = R.exp(a)",
        "d: R.Tensor = f(x)",
        'e: R.Tensor = R.call_packed("g", x, sinfo_args=(R.Tensor,))',
        'g = R.match_cast(e, R.Tensor((4,), dtype="float32"))',
        'h: R.Tensor = R.match_cast(e, R.Tensor((4,), dtype="float32"))',
        'i: R.Tensor((), dtype="float32") = R.const(1, "float32")',
    ]
    assert structural_equal(tvmscript.from_source(text), program)
