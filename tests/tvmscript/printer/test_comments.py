"""Comments of a text are printed at the statements they stood at, each once, and stay there."""

from __future__ import annotations

import importlib.util
import pickle
import re
import tokenize
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import tvmscript
from tvmscript.ir.core.equality.equal import assert_structural_equal
from tvmscript.ir.core.module import IRModule
from tvmscript.ir.tir.function import PrimFunc
from tvmscript.ir.transform.pipeline import llvm_passes
from tvmscript.testing.strategies import block_funcs, prim_funcs

TEXT = '''# Licence line
from tvm.script import tir as T, ir as I  # imports
N = 4  # constant

# The module
@I.ir_module  # decorator
class Mod:  # class line
    """class docstring"""
    # before f
    @T.prim_func
    # between
    def f(
        # the first
        A: T.Buffer((16,), "float32"),  # input
        x: T.int32,
    ):  # end of def
        """Docstring of f
        more."""
        # attr
        T.func_attr({"tir.noalias": True})  # noalias
        # root comment
        B = T.alloc_buffer((16,))  # scratch
        # loop
        for i in T.serial(16):  # for
            # before block
            with T.block("b"):  # blk
                # axes
                vi = T.axis.spatial(16, i)  # ax
                # reads
                T.reads(A[vi])
                T.writes(B[vi])
                B[vi] = A[vi] * T.float32(2)  # twice
                # end of block
            # end of loop
        # if
        if x > 0:  # pos
            T.evaluate(x)
            # end of then
        # before else
        else:  # otherwise
            # in else
            T.evaluate(
                # inner
                0  # zero
            )  # last
        for k in range(2):
            for j in range(2):
                T.evaluate(k + j)
            # end of k
        T.evaluate("# no comment")  # a "quoted" comment
        # end of f
    # end of class, before g

    @T.prim_func
    def g(A: T.Buffer((16,), "float32")):
        y = T.int32(3)  # y
        # after y
        A[y] = 1.0
    # after g
# end of file
'''

PRINTED = '''# from tvm.script import ir as I
# from tvm.script import tir as T

# Licence line
# imports
# constant
# The module
# decorator
@I.ir_module
class Module:  # class line
    """class docstring"""
    # before f
    # between
    @T.prim_func
    def f(A: T.Buffer((16,), "float32"), x: T.int32):  # the first  # input  # end of def
        """Docstring of f
        more."""
        # attr
        T.func_attr({"tir.noalias": T.bool(True)})  # noalias
        # with T.block("root"):
        # root comment
        B = T.alloc_buffer((16,))  # scratch
        # loop
        for i in range(16):  # for
            # before block
            with T.block("b"):  # blk
                # axes
                vi = T.axis.spatial(16, i)  # ax
                # reads
                T.reads(A[vi])
                T.writes(B[vi])
                B[vi] = A[vi] * T.float32(2)  # twice
                # end of block
            # end of loop
        # if
        if x > 0:  # pos
            T.evaluate(x)
            # end of then
        else:
            # before else
            # otherwise
            # in else
            T.evaluate(0)  # inner  # zero  # last
        for k in range(2):
            for j in range(2):
                T.evaluate(k + j)
            # end of k
        T.evaluate("# no comment")  # a "quoted" comment
        # end of f

    # end of class, before g
    @T.prim_func
    def g(A: T.Buffer((16,), "float32")):
        y: T.int32 = 3  # y
        # after y
        A[y] = T.float32(1)
    # after g
# end of file'''


@pytest.fixture(scope="module")
def module() -> Any:
    return tvmscript.from_source(TEXT)


def test_comments_are_kept(module: Any) -> None:
    assert module.script() == PRINTED


def test_they_stay_where_they_are(module: Any) -> None:
    text = module.script()
    assert tvmscript.from_source(text).script() == text


def test_the_option(module: Any) -> None:
    text = module.script(comments=False)
    assert [line.strip() for line in text.split("\n") if line.strip().startswith("#")] == [
        "# from tvm.script import ir as I", "# from tvm.script import tir as T", '# with T.block("root"):'
    ]  # fmt: skip
    assert tvmscript.from_source(text).script() == text


def test_functions_have_their_own(module: Any) -> None:
    text = module["g"].script()
    assert text.split("\n")[2:] == [
        "# end of class, before g",
        "@T.prim_func",
        'def g(A: T.Buffer((16,), "float32")):',
        "    y: T.int32 = 3  # y",
        "    # after y",
        "    A[y] = T.float32(1)",
        "# after g",
    ]


def test_statements_have_their_own(module: Any) -> None:
    text = module["f"].body.block.body.seq[1].script()
    assert text.split("\n") == [
        "x = T.int32()", "# if", "if x > 0:  # pos", "    T.evaluate(x)", "    # end of then", "else:",
        "    # before else", "    # otherwise", "    # in else", "    T.evaluate(0)  # inner  # zero  # last",
    ]  # fmt: skip


def test_other_layouts(module: Any) -> None:
    for options in ({"syntax_sugar": False}, {"indent_spaces": 2}, {"tir_prefix": "tt", "ir_prefix": "ii"}):
        text = module.script(**options)
        words = [word for line in TEXT.split("\n") for word in re.findall(r"# [a-z ]+$", line)]
        assert [word for word in words if len(re.findall(rf"{word}(\n|  #|$)", text)) != 1] == []
        assert tvmscript.from_source(text).script(**options) == text


def test_copies_keep_them(module: Any) -> None:
    assert pickle.loads(pickle.dumps(module)).script() == module.script()


def test_passes_keep_them_once(module: Any) -> None:
    lowered = module
    for each in llvm_passes({}):
        lowered = each(lowered)
        text = lowered.script()
        assert text.count("# loop\n") == 1
        assert text.count("# twice") == 1
        assert tvmscript.from_source(text, check_well_formed=False).script() == text


def test_copies_of_a_statement_share_its_comment() -> None:
    func = tvmscript.from_source(
        "@T.prim_func\ndef f(A: T.Buffer((4,), 'int32')):\n    # all\n    for i in T.unroll(4):\n"
        "        A[i] = 1  # one\n"
    )
    lowered: Any = IRModule({"f": func})
    for each in llvm_passes({}):
        lowered = each(lowered)
    text = lowered.script()
    assert text.count("= 1") == 4
    assert text.count("# one") == 1


@settings(max_examples=80)
@given(st.one_of(prim_funcs(), block_funcs()), st.data())
def test_comments_anywhere(func: PrimFunc, data: st.DataObject) -> None:
    """Whatever is written between or behind the lines is printed once, and stands still from then on."""
    lines = func.script().split("\n")
    written = []
    for number in range(data.draw(st.integers(1, 4))):
        place = data.draw(st.integers(2, len(lines) - 1))
        comment = f"# comment {number}."
        written.append(comment)
        if data.draw(st.booleans()) and lines[place] and "#" not in lines[place]:
            lines[place] += f"  {comment}"
        else:
            near = lines[place if data.draw(st.booleans()) else place - 1]
            lines.insert(place, near[: len(near) - len(near.lstrip())] + comment)
    program: Any = tvmscript.from_source("\n".join(lines), check_well_formed=False)
    text = program.script()
    assert_structural_equal(program, func)
    assert [comment for comment in written if text.count(comment) != 1] == []
    assert tvmscript.from_source(text, check_well_formed=False).script() == text


def test_decorated_functions(tmp_path: Path) -> None:
    path = tmp_path / "kernels.py"
    path.write_text(
        "from tvmscript import T\n\n\ndef make():\n    # not in the source of the function\n    @T.prim_func\n"
        '    def f(A: T.Buffer((4,), "int32")):\n        # first\n        for i in range(4):\n'
        "            A[i] = i  # store\n"
        "        # last\n    return f\n"
    )
    spec = importlib.util.spec_from_file_location("kernels", path)
    assert spec is not None
    assert spec.loader is not None
    loaded = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(loaded)
    assert loaded.make().script().split("\n")[3:] == [
        'def f(A: T.Buffer((4,), "int32")):', "    # first", "    for i in range(4):", "        A[i] = i  # store",
        "    # last",
    ]  # fmt: skip


def test_undefined_names_are_no_comments_of_a_person() -> None:
    text = "@T.prim_func\ndef f():\n    x = T.int32()  # tvmscript: x is undefined here\n    T.evaluate(x)  # mine\n"
    func: Any = tvmscript.from_source(text, check_well_formed=False)
    assert func.script().split("\n")[4:] == [
        "    x = T.int32()  # tvmscript: x is undefined here",
        "    T.evaluate(x)  # mine",
    ]


def test_control_characters() -> None:
    func: Any = tvmscript.from_source("@T.prim_func\ndef f():\n    # a\x01b\x04\n    T.evaluate(0)\n")
    assert "    # a\\x01b\\x04\n    T.evaluate(0)" in func.script()
    assert func.script(obj_to_underline=[func.body]).endswith("    T.evaluate(0)\n    ^^^^^^^^^^^^^")


def test_programs_without_comments_are_not_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    text = tvmscript.from_source(TEXT).script(comments=False)
    again: Any = tvmscript.from_source(text.replace('"# no comment"', '"no"'))

    def refuse(*_: object) -> None:
        raise AssertionError("the text was read once more")

    monkeypatch.setattr(tokenize, "generate_tokens", refuse)
    assert again.script() == text.replace('"# no comment"', '"no"')


def test_comments_behind_strings_and_decorators() -> None:
    text = '''@T.prim_func  # decorator
# between
def f(A: T.Buffer((16,), "float32")):  # parameters
    """What f does."""  # docstring
    A[0] = T.float32(1)
    "a string"  # string
    A[1] = T.float32(1)
'''
    kept = text.splitlines()[2:]
    printed = tvmscript.from_source(text).script().removeprefix("# from tvm.script import tir as T\n\n")
    assert printed.splitlines() == ["# decorator", "# between", "@T.prim_func", *kept]
    assert tvmscript.from_source(printed).script().endswith(printed)


_GRAPH = """
@R.function
def main(x: R.Tensor((4,), "float32"), c: R.Tensor((), "bool")):
    # attributes
    R.func_attr({"num_input": 1})  # one
    # a block
    with R.dataflow():
        # in the block
        lv = R.exp(x)
        gv = R.exp(lv)  # the last
        # the output
        R.output(gv)
    # a choice
    if c:
        # chosen
        y = R.exp(gv)
    else:
        # not chosen
        y = R.sin(gv)
    # the result
    return y
"""


def test_graph_functions_keep_their_comments() -> None:
    program = tvmscript.from_source(_GRAPH)
    text = program.script()
    lines = [line.strip() for line in text.split("\n")]
    below = {line: lines[number + 1].split(" ")[0].rstrip(":") for number, line in enumerate(lines) if line[:1] == "#"}
    assert below.pop("# from tvm.script import relax as R") == ""
    assert below == {
        "# attributes": 'R.func_attr({"num_input"',
        "# a block": "with",
        "# in the block": "lv",
        "# the output": "R.output(gv)",
        "# a choice": "if",
        "# chosen": "y_then",
        "# not chosen": "y_else",
        "# the result": "return",
    }
    assert 'R.func_attr({"num_input": 1})  # one' in lines
    assert 'gv: R.Tensor((4,), dtype="float32") = R.exp(lv)  # the last' in lines
    assert tvmscript.from_source(text).script() == text


def test_comments_of_a_graph_function_without_bindings() -> None:
    program = tvmscript.from_source(
        "@R.function\ndef main(x: R.Tensor((4,), 'float32')):\n    # nothing\n    return x\n"
    )
    assert program.script().endswith(":\n    # nothing\n    return x")


def test_branches_of_the_graph_level_keep_the_comments_at_their_values() -> None:
    text = """# from tvm.script import relax as R

@R.function
def main(c: R.Tensor((), dtype="bool"), x: R.Tensor((4,), dtype="float32")) -> R.Tensor((4,), dtype="float32"):
    # before
    if c:  # at if
        # above x
        y: R.Tensor((4,), dtype="float32") = x  # behind x
        # below x
    else:
        # above exp
        z: R.Tensor((4,), dtype="float32") = R.exp(x)  # behind exp
        # above z
        y: R.Tensor((4,), dtype="float32") = z
        # below z
    # return
    return y"""
    assert tvmscript.from_source(text).script() == text
