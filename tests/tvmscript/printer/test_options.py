"""Options of script(), and what it refuses."""

from __future__ import annotations

import gc
import html
import re
import subprocess
import sys
from dataclasses import fields
from importlib import import_module
from typing import Any

import pytest

import tvmscript
from tvmscript.ir.core.equality.equal import structural_equal
from tvmscript.ir.core.errors import InvalidDType
from tvmscript.ir.core.module import IRModule
from tvmscript.ir.core.node import Node
from tvmscript.ir.tir import expr as E
from tvmscript.ir.tir import stmt as S
from tvmscript.ir.tir.function import PrimFunc
from tvmscript.printer import InvalidOption, NoText, UnknownOption, script, script_with_ranges, show
from tvmscript.printer.options import Options
from tvmscript.printer.printer import V0_17
from tvmscript.printer.v0_27.dialect import V0_27

TEXT = """
@I.ir_module
class Module:
    @T.prim_func(private=True)
    def g(x: T.int32):
        T.evaluate(x)

    @T.prim_func
    def main(A: T.Buffer((16,), "int8"), x: T.int32):
        # with T.block("root"):
        for i, j in T.grid(4, 4):
            with T.block("b"):
                vi, vj = T.axis.remap("SS", [i, j])
                T.reads(A[vi])
                T.writes()
                T.evaluate(T.Cast("float32", A[vi]) + T.float32(1) + T.float32(0.5))
        Module.g(x)
"""


@pytest.fixture(scope="module")
def module() -> Any:
    return tvmscript.from_source(TEXT)


def test_prefixes(module: Any) -> None:
    text = module.script(tir_prefix="tt", ir_prefix="ii")
    assert text.startswith("# from tvm.script import ir as ii\n# from tvm.script import tir as tt\n\n@ii.ir_module\n")
    assert "T." not in text
    assert 'vi, vj = tt.axis.remap("SS", [i, j])' in text


def test_names_of_functions_and_classes(module: Any) -> None:
    text = module.script(name="Mine")
    assert "class Mine:" in text
    assert "Mine.g(x)" in text
    function = module["main"]
    assert "def other(" in function.script(name="other")
    assert 'T.func_attr({"global_symbol": "main"})' in function.script(name="other")


def test_names_that_are_no_identifiers(module: Any) -> None:
    """They get free ones: members that have their own name keep it, whatever comes first."""
    function = module["main"]
    text = IRModule({"a b": function, "a-b": function, "a_b": function, "a_b_1": function}).script()
    names = re.findall(r'@T.prim_func(?:\(name="(.*)"\))?\n +def (\w+)', text)
    assert sorted(names) == [("", "a_b"), ("", "a_b_1"), ("a b", "a_b_2"), ("a-b", "a_b_3")]


def test_dtypes_of_bare_numbers() -> None:
    constants = S.SeqStmt(
        tuple(
            S.Evaluate(value)
            for value in (
                E.FloatImm("float32", 1.0),
                E.FloatImm("float32", 0.5),
                E.FloatImm("float32", float("nan")),
                E.IntImm("int64", 1),
                E.IntImm("int32", 1),
            )
        )
    )
    assert constants.script(float_dtype="float32", int_dtype="int64").splitlines() == [
        '# tvmscript: int_dtype="int64"',
        "T.evaluate(1.0)",
        "T.evaluate(0.5)",
        'T.evaluate(T.float32("nan"))',
        "T.evaluate(1)",
        "T.evaluate(T.int32(1))",
    ]


def test_without_sugar(module: Any) -> None:
    text = module["main"].script(syntax_sugar=False, buffer_dtype="int8", indent_spaces=2)
    assert (
        text
        == """# from tvm.script import tir as T
# tvmscript: buffer_dtype="int8"

@T.prim_func
def main(A_handle: T.handle, x: T.int32):
  A = T.match_buffer(A_handle, (16,))
  with T.block("root"):
    T.reads()
    T.writes()
    for i in range(4):
      for j in range(4):
        with T.block("b"):
          vi = T.axis.spatial(4, i)
          vj = T.axis.spatial(4, j)
          T.reads(A[vi])
          T.writes()
          T.evaluate(T.Cast("float32", A[vi]) + T.float32(1) + T.float32(0.5))
    T.Call("void", I.GlobalVar("g"), [x])""".replace(
            "# from tvm.script import tir", "# from tvm.script import ir as I\n# from tvm.script import tir"
        )
    )


def test_line_numbers() -> None:
    body = S.SeqStmt(tuple(S.Evaluate(E.IntImm("int32", k)) for k in range(12)))
    lines = body.script(print_line_numbers=True).splitlines()
    assert lines[0] == " 1 T.evaluate(0)"
    assert lines[11] == "12 T.evaluate(11)"
    assert body.script(num_context_lines=1) == body.script()


def test_addresses() -> None:
    x = E.Var("x", "int32")
    assert S.Evaluate(x).script(show_object_address=True) == f"x_{id(x):#x} = T.int32()\nT.evaluate(x_{id(x):#x})"


def test_unknown_options_name_the_closest() -> None:
    with pytest.raises(UnknownOption, match="tir_prefix") as caught:
        script(E.IntImm("int32", 1), tir_prefx="T")
    assert caught.value.code == "TS3001"
    assert isinstance(caught.value, TypeError)


@pytest.mark.parametrize(
    ("option", "value"),
    [("indent_spaces", "4"), ("indent_spaces", True), ("tir_prefix", "a b"), ("syntax_sugar", 1), ("name", 3)],
)
def test_wrong_values_of_options(option: str, value: object) -> None:
    with pytest.raises(InvalidOption, match=option):
        script(E.IntImm("int32", 1), **{option: value})


def test_wrong_dtypes_of_options() -> None:
    with pytest.raises(InvalidDType):
        script(E.IntImm("int32", 1), int_dtype="int3x")


def test_the_options_are_tvms() -> None:
    # show_all_struct_info is of 0.17.0, not of the build of the oracle
    ours = {"comments", "annotated", "dialect", "show_all_struct_info", "underline_heads", "float_points"}
    assert [entry.name for entry in fields(Options) if entry.name not in ours] == [
        "name", "show_meta", "ir_prefix", "tir_prefix", "relax_prefix", "module_alias", "buffer_dtype", "int_dtype",
        "float_dtype", "verbose_expr", "indent_spaces", "print_line_numbers", "num_context_lines", "syntax_sugar",
        "show_object_address", "obj_to_underline", "path_to_underline", "obj_to_annotate", "path_to_annotate",
    ]  # fmt: skip


class Thing:
    def tobytes(self) -> bytes:
        return b""

    dtype = "float32"


def test_attributes_that_cannot_be_written() -> None:
    func = PrimFunc((), S.Evaluate(E.IntImm("int32", 0)), attrs={"data": Thing()})
    with pytest.raises(NoText, match="Thing") as caught:
        func.script()
    assert caught.value.code == "TS3003"


def subclasses(cls: type[Node]) -> set[type[Node]]:
    return {cls} | {found for sub in cls.__subclasses__() for found in subclasses(sub)}


def test_every_node_has_a_rule() -> None:
    """Every class of nodes that is not a base of others, up to the tensor level; those of 0.27 in its dialect."""
    import_module("tvmscript.printer.v0_27.tile")
    gc.collect()  # the classes that `dataclass(slots=True)` replaced
    rules = {
        *V0_17.expr_rules.rules,
        *V0_17.stmt_rules.rules,
        *V0_27.expr_rules.rules,
        *V0_27.stmt_rules.rules,
    }
    missing = [
        cls.__name__
        for cls in subclasses(Node)
        if cls.__module__.startswith(("tvmscript.ir.core", "tvmscript.ir.tir"))
        and rules.isdisjoint(cls.__mro__)
        and not cls.__subclasses__()
    ]
    assert missing == []


def test_ranges_point_at_nodes() -> None:
    func = tvmscript.from_source("@T.prim_func\ndef main(x: T.int32):\n    if x + 1 < 2:\n        T.evaluate(x * 3)\n")
    text, ranges = script_with_ranges(func)
    assert text == func.script()
    found = {type(item.node).__name__: text[item.begin : item.end] for item in ranges}
    assert found["LT"] == "x + 1 < 2"
    assert found["Add"] == "x + 1"
    assert found["Mul"] == "x * 3"
    assert found["Evaluate"].strip() == "T.evaluate(x * 3)"
    assert found["PrimFunc"].startswith("@T.prim_func\ndef main(x: T.int32):")


def test_show_prints_the_script(capsys: pytest.CaptureFixture[str]) -> None:
    node = E.Add(E.Var("x", "int32"), E.IntImm("int32", 1))
    node.show()
    show(node, style="dark", black_format=True)
    assert capsys.readouterr().out == "x + 1\nx + 1\n"
    with pytest.raises(InvalidOption, match="style"):
        show(node, style="no such style")


def test_colours_of_terminals(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    node = E.Add(E.Var("x", "int32"), E.IntImm("int32", 1))
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True, raising=False)
    monkeypatch.delenv("NO_COLOR", raising=False)
    node.show()
    assert "\x1b[" in capsys.readouterr().out
    monkeypatch.setenv("NO_COLOR", "1")
    node.show()
    assert capsys.readouterr().out == "x + 1\n"


def test_programs_in_notebooks() -> None:
    """The HTML has the text of the script, escaped, and neither styles nor scripts of its own."""
    func: Any = tvmscript.from_source('@T.prim_func\ndef f(x: T.int32):\n    T.evaluate(x < 2)  # <b>&"\n')
    mod = tvmscript.IRModule({"f": func})
    for shown, program in ((func, func), (mod, mod), (tvmscript.tir.Schedule(mod), mod)):
        page = getattr(shown, "_repr_html_")()  # noqa: B009
        text = html.unescape(re.sub(r"<[^>]*>", "", page))
        assert text.strip() == program.script().strip()
        assert "<b>" not in page
        assert "<script" not in page
        assert "color:" in page


def test_printing_loads_neither_numpy_nor_pygments() -> None:
    code = (
        "import sys, tvmscript; from tvmscript.ir.tir.expr import IntImm; assert str(IntImm('int32', 1)) == '1';"
        "print(sorted({'numpy', 'pygments', 'rich', 'llvmlite'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_whole_floats_have_a_point() -> None:
    head = "@T.prim_func\ndef f(A: T.Buffer((3,), 'float32')):\n"
    text = f"{head}    A[0] = 2.0\n    A[1] = 0.5\n    A[2] = T.float32('inf')\n"
    printed = tvmscript.from_source(text).script(float_points=True)
    assert 'A[0] = T.float32(2.0)\n    A[1] = T.float32(0.5)\n    A[2] = T.float32("inf")' in printed
    assert structural_equal(tvmscript.from_source(printed), tvmscript.from_source(text))


@pytest.mark.parametrize(
    ("name", "make"),
    [
        ("obj_to_underline", lambda node: [node, 1]),
        ("obj_to_underline", lambda node: [1, node]),
        ("obj_to_annotate", lambda node: {node: "a", 1: "b"}),
        ("obj_to_annotate", lambda node: {1: "b", node: "a"}),
        ("obj_to_annotate", lambda node: {node: 1}),
        ("path_to_annotate", lambda _: {".body": "a", ".attrs": 1}),
        ("path_to_annotate", lambda _: {".attrs": 1, ".body": "a"}),
        ("path_to_underline", lambda _: [["body", 1.5]]),
        ("path_to_underline", lambda _: [[1.5, "body"]]),
    ],
)
def test_one_of_several_is_wrong(module: Any, name: str, make: Any) -> None:
    with pytest.raises(InvalidOption, match=name):
        module.script(**{name: make(module)})


@pytest.mark.parametrize(
    ("extents", "shape", "is_one"),
    [("4, 8", "4, 8", True), ("4, 8", "4, 6", False), ("4, 8", "2, 8", False), ("32", "4, 8", False)],
)
def test_a_buffer_on_all_of_its_memory_is_one_line(extents: str, shape: str, is_one: bool) -> None:
    func = tvmscript.from_source(
        f'@T.prim_func\ndef f():\n    B = T.allocate([{extents}], "float32", "global")\n'
        f"    C = T.decl_buffer(({shape}), data=B)\n    C[0, 0] = T.float32(1)\n"
    )
    assert ("T.allocate(" not in func.script()) is is_one
    assert structural_equal(tvmscript.from_source(func.script()), func)
