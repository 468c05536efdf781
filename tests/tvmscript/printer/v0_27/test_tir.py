"""The dialect 0.27: what it has no form for is refused, what it has no scopes for runs to the end of the body."""

from __future__ import annotations

from typing import Any

import pytest

import tvmscript
from tvmscript.ir.core.equality.equal import assert_structural_equal, structural_equal
from tvmscript.ir.tir.buffer import make_buffer
from tvmscript.ir.tir.expr import IntImm, Var
from tvmscript.ir.tir.stmt import BufferStore, LetStmt
from tvmscript.parser import parse_program

HEAD = "# from tvm.script import tir as T\n\n@T.prim_func\ndef f({}):\n"


def read(parameters: str, body: str) -> tvmscript.PrimFunc:
    indented = "".join(f"    {line}\n" for line in body.strip().split("\n"))
    found = tvmscript.from_source(HEAD.format(parameters) + indented, check_well_formed=False)
    assert isinstance(found, tvmscript.PrimFunc)
    return found


REFUSED = {
    "allocate_const": ("", 'a = T.allocate_const([1, 2], "int32", [2])\nT.evaluate(a)', "AllocateConst"),
    "condition": ("n: T.int32", 'a = T.allocate([4], "int32", "global", n > 2)\nT.evaluate(a)', "conditional"),
    "axis separators": ("", "A = T.alloc_buffer((4, 4), axis_separators=[1])\nA[0, 0] = 1.0", "axis separators"),
    "broadcast": ("a: T.handle", 'A = T.match_buffer(a, (4,), buffer_type="auto")\nA[0] = 1.0', "auto_broadcast"),
    "handle": ("a: T.handle", 'A = T.match_buffer(a, (4,))\nT.call_packed("f", a, A[0])', "the handle of a buffer"),
    "data": ("a: T.handle, b: T.handle", "A = T.match_buffer(a, (4,))\nB = T.match_buffer(b, (4,), data=A.data)\n"
                                         "A[0] = B[0]", "which another one shares"),
    "operators": ("", 'T.ptx_commit_group()', "tir.ptx_commit_group"),
        "size": ("a: T.handle", "n = T.int16()\nA = T.match_buffer(a, (n,))\nT.evaluate(A.data)", "int16"),
    "another function": ("", 'T.Call("int32", I.GlobalVar("g"), [])', "g, which is not in the text"),
}  # fmt: skip


@pytest.mark.parametrize("name", REFUSED)
def test_refused(name: str) -> None:
    parameters, body, told = REFUSED[name]
    with pytest.raises(tvmscript.TVMScriptError, match=told) as caught:
        read(parameters, body).script(dialect="0.27")
    assert caught.value.code == "TS3003"
    assert "0.27" in str(caught.value)


def test_scopes_run_to_the_end() -> None:
    """What stood behind the scope of a variable comes to stand in it; everything else is as it was."""
    func = read(
        "x: T.int32", "with T.LetStmt(x + 1) as y:\n    T.evaluate(y)\nwith T.LetStmt(x + 2) as y:\n    T.evaluate(y)"
    )
    again = tvmscript.from_source(func.script(dialect="0.27"))
    assert not structural_equal(func, again)
    flat = read("x: T.int32", "y: T.int32 = x + 1\nT.evaluate(y)\nz: T.int32 = x + 2\nT.evaluate(z)")
    assert_structural_equal(again, flat)
    assert again.script(dialect="0.27") == func.script(dialect="0.27")


@pytest.mark.parametrize(
    ("extents", "shape", "is_one"),
    [("4, 8", "4, 8", True), ("4, 8", "4, 6", False), ("4, 8", "2, 8", False), ("32", "4, 8", False)],
)
def test_a_buffer_on_all_of_its_memory_is_one_line(extents: str, shape: str, is_one: bool) -> None:
    func = tvmscript.from_source(
        "# from tvm.script import tir as T\n@T.prim_func\ndef f():\n"
        f'    B = T.allocate([{extents}], "float32", "global")\n    C = T.decl_buffer(({shape}), data=B)\n'
        "    C[0, 0] = T.float32(1)\n"
    )
    assert ("C = B.view(" not in func.script(dialect="0.27")) is is_one


def test_numbers_that_have_no_literal() -> None:
    text = read("", "T.evaluate(T.uint64(18446744073709551615))\nT.evaluate(T.float64(1e300))").script(dialect="0.27")
    assert 'T.Cast("uint64", T.int64(-1))' in text
    assert 'T.FloatImm("float64", 1e+300)' in text


def test_dialect_is_checked() -> None:
    with pytest.raises(tvmscript.TVMScriptError, match="dialect"):
        read("", "T.evaluate(0)").script(dialect="0.28")


def test_functions_that_were_plain() -> None:
    """A function of 0.27 whose text does not say `s_tir=True` is written so again."""
    head = "# from tvm.script import tirx as T\n# from tvm.tirx.layout import Axis\n\n"
    text = f"{head}@T.prim_func\ndef f(n: T.int32):\n    T.evaluate(n)"
    func = tvmscript.from_source(text)
    assert func.script(dialect="0.27") == text
    assert "@T.prim_func\n" in func.script()


def test_nothing_is_written_behind_what_holds_to_the_end() -> None:
    func = read("n: T.int32", 'y: T.int32 = n + 1\nif y > 0:\n    assert n > 0, "positive"\n    T.evaluate(0)')
    text = func.script(dialect="0.27")
    assert text.splitlines()[-2:] == ["    if y > 0:", '        assert n > 0, ("RuntimeError", ["positive"])']
    assert_structural_equal(tvmscript.from_source(text), func)


def test_sizes_are_declared_by_parameter() -> None:
    """Asked from TVM 0.27."""
    func = read(
        "a: T.handle, b: T.handle",
        "n, k, m = T.int32(), T.int32(), T.int32()\nA = T.match_buffer(a, (n, k))\nB = T.match_buffer(b, (k, m))\n"
        "A[0, 0] = B[0, 0]",
    )
    assert func.script(dialect="0.27").splitlines()[5:7] == ["    n, k = T.int32(), T.int32()", "    m = T.int32()"]


@pytest.mark.parametrize(
    ("shape", "dtype", "view", "result"),
    [
        ("(16,)", "float32", "int8", '(64,), "int8"'),
        ("(16,)", "float32", "int32", '(16,), "int32"'),
        ("(4, 16)", "float16", "float32", "(4, 8)"),
        ("(10,)", "bool", "int8", '(10,), "int8"'),
    ],
)
def test_views_of_other_dtypes(shape: str, dtype: str, view: str, result: str) -> None:
    """TVM 0.27 prints them so, and does not read them."""
    text = f"""# from tvm.script import tirx as T

@T.prim_func(s_tir=True)
def f(A: T.Buffer({shape}, "{dtype}")):
    B = A.view("{view}")
    T.evaluate(B.data)
"""
    func = tvmscript.from_source(text)
    assert f"B = T.decl_buffer({result}, data=A.data)" in func.script()
    assert_structural_equal(tvmscript.from_source(func.script(dialect="0.27")), func)


@pytest.mark.parametrize(
    ("owner", "layout", "written"),
    [
        ("(4, 8):(1, 4)", "(4, 8):(1, 4)", "A.view(32)"),
        (
            "(4, 8):(1, 4)",
            "(4, 8):(8, 1)",
            "A.view(32, layout=T.TileLayout(T.S[(4, 8):(8, 1)]))",
        ),
    ],
)
def test_views_of_the_same_layout(owner: str, layout: str, written: str) -> None:
    func = tvmscript.from_source(
        "# from tvm.script import tirx as T\n@T.prim_func\ndef f():\n"
        f"    A = T.alloc_buffer((4, 8), layout=T.TileLayout(T.S[{owner}]))\n"
        f"    B = T.decl_buffer((32,), data=A.data, layout=T.TileLayout(T.S[{layout}]))\n    B[0] = T.float32(1)\n"
    )
    assert f"    B = {written}\n" in func.script(dialect="0.27")


def test_pointers_to_nothing() -> None:
    head = "# from tvm.script import tirx as T\n\n@T.prim_func(s_tir=True)\n"
    text = f'{head}def f(p: T.handle("void")):\n    T.evaluate(p)\n'
    assert "def f(p: T.handle):" in tvmscript.from_source(text).script(dialect="0.27")


def test_offsets_of_another_dtype_are_kept_in_either_dialect() -> None:
    """0.27 writes an offset of 0 that is no int64 beside a shape that is; 0.17 has no short form for that."""
    head = '@T.prim_func(s_tir=True)\ndef f(A: T.Buffer((T.int64(4),), "float32", elem_offset=0)):\n'
    made = tvmscript.from_source(f"# from tvm.script import tirx as T\n\n{head}    A[0] = T.float32(1)\n")
    for dialect in ("0.17", "0.27"):
        assert_structural_equal(made, tvmscript.from_source(made.script(dialect=dialect)))
    assert "T.match_buffer(A_handle, (T.int64(4),), elem_offset=0)" in made.script()


def test_strides_of_one_name() -> None:
    """In quotation marks a stride has a name of the whole function: two of one name are told apart."""
    four = IntImm("int32", 4)
    handles = [Var(name, "handle") for name in "ab"]
    buffers = [
        make_buffer((four, four), "float32", name, strides=(Var("s", "int32"), Var("s", "int32"))) for name in "AB"
    ]
    body = BufferStore(buffers[0], buffers[1][four, four], (four, four))
    attrs = {"global_symbol": "f"}
    func = tvmscript.PrimFunc(tuple(handles), body, None, dict(zip(handles, buffers, strict=True)), attrs)
    text = func.script(dialect="0.27")
    assert 'strides=("s", "s_1")' in text
    assert 'strides=("s_2", "s_3")' in text
    again = tvmscript.from_source(text)
    assert_structural_equal(again, func)
    assert again.script(dialect="0.27") == text


def test_pointers_of_declarations() -> None:
    """A pointer that a declaration makes is written in it, unless it is that of another buffer."""
    text = """# from tvm.script import tirx as T

@T.prim_func
def f(A: T.Buffer((4,), "float32"), n: T.uint64):
    B = T.decl_buffer((4,), "float32", data=T.reinterpret("handle", n))
    B[0] = T.float32(1)
"""
    func: Any = tvmscript.from_source(text, check_well_formed=False)
    assert isinstance(func.body, LetStmt)
    printed = func.script(dialect="0.27")
    assert "B = T.decl_buffer((4,), data=T.reinterpret(" in printed
    assert_structural_equal(tvmscript.from_source(printed, check_well_formed=False), func)
    (buffer,) = func.buffer_map.values()
    of_another = func.replace(body=func.body.replace(value=buffer.data))
    assert "] = A.data\n" in of_another.script(dialect="0.27")


SEVERAL = """# from tvm.script import tirx as T

@T.prim_func
def first(A: T.Buffer((4,), "float32")):
    A[0] = T.float32(1)

@T.prim_func(s_tir=True)
def second(A: T.Buffer((4,), "float32")):
    A[0] = T.float32(1)

@T.prim_func(
    private=True)
def third(
    A: T.Buffer((4,), "float32"),
):
    A[0] = T.float32(1)

@T.prim_func
# of no account

def fourth(A: T.Buffer((4,), "float32")):
    A[0] = T.float32(1)
"""


@pytest.mark.parametrize("head", ["", "\n\n"])
def test_functions_are_plain_as_their_own_decorator_says(head: str) -> None:
    programs = parse_program(f"{head}{SEVERAL}")
    found = [program.script(dialect="0.27") for program in programs.values()]
    decorators = ["@T.prim_func", "@T.prim_func(s_tir=True)", "@T.prim_func(private=True)", "@T.prim_func"]
    assert [next(line for line in text.splitlines() if "@" in line) for text in found] == decorators
