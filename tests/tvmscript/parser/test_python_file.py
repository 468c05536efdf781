"""Definitions in Python files: which are found, what they take from the file around them, what needs Python."""

from __future__ import annotations

import pytest

import tvmscript
from tvmscript.ir.core.equality.equal import assert_structural_equal
from tvmscript.ir.core.errors import DiagnosticError
from tvmscript.parser.python_file import Definition, definitions_of, is_python, language_names, read_definition
from tvmscript.parser.source.tree import SourceTree, text_source

FILE = '''
"""A file as people write them."""
import math
import numpy as np
from tvm.script import ir as I, tir as tt
from tvm import te
import tilelang.language as TL

N, M = 16, 4
LANES = 2 * 8
TYPE: str = "float32"
size = len("abc")


@tt.macro
def clear(buffer, i):
    buffer[i] = tt.float32(0)


@tt.prim_func
def plain(A: tt.Buffer((16,), "float32")):
    for i in range(16):
        A[i] = tt.float32(1)


@tt.prim_func
def constants(A: tt.Buffer((LANES,), TYPE)):
    A[0] = tt.float32(1)


@tt.prim_func
def macros(A: tt.Buffer((16,), "float32")):
    clear(A, 0)


@tt.prim_func
def python(A: tt.Buffer((size,), "float32")):
    A[0] = tt.float32(math.pi) + np.float32(N) + sorted([1, 2])[0]


def test(n):
    if n:
        @tt.prim_func(private=True)
        def nested(A: tt.Buffer((8,), "float32")):
            A[0] = tt.float32(1)

        @tt.prim_func
        def of_parameter(A: tt.Buffer((n,), "float32")):
            A[0] = tt.float32(1)


@I.ir_module
class Module:
    @tt.prim_func
    def main(A: tt.Buffer((16,), "float32")):
        cls.helper(A.data)

    @tt.prim_func(private=True)
    def helper(a: tt.handle("float32")):
        tt.evaluate(0)


@TL.prim_func
def of_another_language(A: TL.Tensor((16,), "float32")):
    A[0] = 1


@te.prim_func
def not_ours(): ...


def undecorated(): ...
'''


def tree_of(text: str) -> SourceTree:
    return SourceTree(text_source(text, "file.py"))


TREE = tree_of(FILE)
FOUND = {each.name: each for each in definitions_of(TREE)}


def test_definitions_are_found_wherever_they_stand() -> None:
    names = ["plain", "constants", "macros", "python", "nested", "of_parameter", "Module"]
    assert [name for name in FOUND if name != "not_ours"] == names
    assert is_python(TREE)
    assert language_names(TREE) == {"I": "I", "T": "tt"}


@pytest.mark.parametrize(
    ("name", "captures", "needs"),
    [
        ("plain", (), ()),
        ("constants", ("LANES", "TYPE"), ()),
        ("macros", ("clear",), ()),
        ("python", (), ("size", "math", "np", "N", "sorted")),
        ("nested", (), ()),
        ("of_parameter", (), ("n",)),
        ("Module", (), ()),
    ],
)
def test_what_they_take_from_around_them(name: str, captures: tuple[str, ...], needs: tuple[str, ...]) -> None:
    assert FOUND[name].captures == captures
    assert FOUND[name].needs == needs


@pytest.mark.parametrize("name", [name for name, each in FOUND.items() if not each.needs and name != "not_ours"])
def test_they_are_read_as_the_text_that_they_are(name: str) -> None:
    program = read_definition(TREE, FOUND[name])
    assert_structural_equal(program, tvmscript.from_source(program.script()))


def test_values_of_constants() -> None:
    program = read_definition(TREE, FOUND["constants"])
    assert '"float32"' in program.script()
    assert "(16,)" in program.script()


def test_places_are_those_of_the_file() -> None:
    text = (
        "from tvmscript import T\n\nclass Tests:\n    # é\n    @T.prim_func\n    def f(A: T.Buffer((4,), 'int32')):\n"
        "        'é'; A[0] = nope\n"
    )
    tree = tree_of(text)
    (definition,) = definitions_of(tree)
    assert (definition.first_line, definition.last_line(tree.source.lines)) == (5, 7)
    with pytest.raises(DiagnosticError) as info:
        read_definition(tree, definition)
    assert (info.value.line, info.value.column) == (7, 21)
    assert "7 |         'é'; A[0] = nope\n" in str(info.value)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("@T.prim_func\ndef f(): ...\n", ["f"]),
        ("T = 1\n@T.prim_func\ndef f(): ...\n", []),
        ("import numpy as T\n@T.prim_func\ndef f(): ...\n", []),
        ("import tvm\n@tvm.script.ir_module\nclass M: ...\n", ["M"]),
        ("from tvm.script import prim_func\n@prim_func\ndef f(): ...\n", ["f"]),
        ("from . import T\n@T.prim_func\ndef f(): ...\n", []),
        ("from tvm.script import *\n@T.prim_func\ndef f(): ...\n", ["f"]),
        ("@other\n@T.prim_func(private=True)\ndef f(): ...\n", ["f"]),
        ("class A:\n  for i in x:\n    try: ...\n    except E:\n      @T.prim_func\n      def f(): ...\n", ["f"]),
    ],
)
def test_whose_decorators_they_are(text: str, found: list[str]) -> None:
    assert [each.name for each in definitions_of(tree_of(text))] == found


@pytest.mark.parametrize(
    ("around", "needs"),
    [
        ("N = 4", ()),
        ("N: int = 4", ()),
        ("M = 2\nN = (M * 2, M)[0]", ("N",)),
        ("M = 2\nN = M * 2", ()),
        ("N = 4\nN = 5", ("N",)),
        ("for N in (1, 2): ...", ("N",)),
        ("with a as N: ...", ("N",)),
        ("def N(): ...", ("N",)),
        ("N = N", ("N",)),
        ("from other import *", ("N",)),
        ("from tvm.script import N", ("N",)),
        ("if (N := 4): ...", ("N",)),
        ("", ()),
    ],
)
def test_which_names_a_text_knows(around: str, needs: tuple[str, ...]) -> None:
    text = f"{around}\n@T.prim_func\ndef f(A: T.Buffer((N,), 'int32')):\n    A[0] = 1\n"
    (definition,) = [each for each in definitions_of(tree_of(text)) if each.name == "f"]
    assert definition.needs == needs


def test_own_names_are_not_captured() -> None:
    text = (
        "i = j = x = B = y = [1]\n@T.prim_func\ndef f(x: T.int32):\n    B = T.alloc_buffer((x,))\n"
        "    for i, j in T.grid(4, 4):\n        with T.let(y, x):\n            B[i] = y\n"
    )
    (definition,) = definitions_of(tree_of(text))
    # `y` of T.let is looked up before it is bound: it is the file's
    assert definition.captures == ("y",)
    assert isinstance(definition, Definition)
