"""Views and regions of buffers that methods of 0.27 describe."""

from __future__ import annotations

import pytest

import tvmscript

HEAD = """# from tvm.script import tirx as T

@T.prim_func
def f(A: T.Buffer((64, 64), "float32")):
    L = T.alloc_local((8, 4, 4), layout=T.TileLayout(T.S[(8, 4, 4):(4 @ Axis.laneid, 1 @ Axis.laneid, 1)]))
"""


def read(line: str) -> tvmscript.PrimFunc:
    func = tvmscript.from_source(f"{HEAD}    {line}\n    T.evaluate(0)\n")
    assert isinstance(func, tvmscript.PrimFunc)
    return func


#: what is written -> the declarations, as TVM 0.27 prints them
VIEWS = {
    'A.rearrange("(a b) c -> a (b c)", a=8)': [
        "buffer = A.view(8, 8, 64)",
        "buffer_1 = T.decl_buffer((8, 8, 64), data=buffer.data)",
        "B = buffer_1.view(8, 512)",
    ],
    'A.rearrange("(a b) (c d) -> (a c) b d", b=16, d=4)': [
        "buffer = A.view(4, 16, 16, 4)",
        "buffer_1 = T.decl_buffer((4, 16, 16, 4), data=buffer.data, "
        "layout=T.TileLayout(T.S[(4, 16, 16, 4):(1024, 4, 64, 1)]))",
        "B = buffer_1.view(64, 16, 4)",
    ],
    'A.rearrange("a b -> b a")': [
        "buffer = T.decl_buffer((64, 64), data=A.data)",
        "buffer_1 = T.decl_buffer((64, 64), data=buffer.data, layout=T.TileLayout(T.S[(64, 64):(1, 64)]))",
        "B = T.decl_buffer((64, 64), data=buffer_1.data, layout=T.TileLayout(T.S[(64, 64):(1, 64)]))",
    ],
    "A.sub[8:16, 4:]": [
        "buffer = T.decl_buffer((8, 64), data=A.data, elem_offset=512)",
        "B = T.decl_buffer((8, 60), data=buffer.data, elem_offset=516, layout=T.TileLayout(T.S[(8, 60):(64, 1)]))",
    ],
    "A.sub[3]": ["B = T.decl_buffer((64,), data=A.data, elem_offset=192)"],
    "A.sub[2:6, 5]": [
        "buffer = T.decl_buffer((4, 64), data=A.data, elem_offset=128)",
        "B = T.decl_buffer((4,), data=buffer.data, elem_offset=133, layout=T.TileLayout(T.S[4:64]))",
    ],
    "A.sub[1::4]": [
        "buffer = A.view(16, 4, 64)",
        "B = T.decl_buffer((16, 64), data=buffer.data, elem_offset=64, layout=T.TileLayout(T.S[(16, 64):(256, 1)]))",
    ],
    "A.tile((0, (8, -1)))[2, :]": [
        "buffer = A.view(8, 8, 64)",
        "B = T.decl_buffer((8, 64), data=buffer.data, elem_offset=1024)",
    ],
    "A.tile(0, (8, 8))[:, 3]": [
        "buffer = A.view(8, 8, 64)",
        "B = T.decl_buffer((8, 64), data=buffer.data, elem_offset=192, layout=T.TileLayout(T.S[(8, 64):(512, 1)]))",
    ],
    "A.tile((0, (8, -1)), (1, (4, 2, -1)))[2, :, :, 1, :]": [
        "buffer = A.view(64, 4, 2, 8)",
        "buffer_1 = T.decl_buffer((64, 4, 8), data=buffer.data, elem_offset=8, "
        "layout=T.TileLayout(T.S[(64, 4, 8):(64, 16, 1)]))",
        "buffer_2 = buffer_1.view(64, 32)",
        "buffer_3 = buffer_2.view(8, 8, 32)",
        "B = T.decl_buffer((8, 32), data=buffer_3.data, elem_offset=1032, "
        "layout=T.TileLayout(T.S[(8, 4, 8):(64, 16, 1)]))",
    ],
    "L.local()": ["B = L.local()"],
    "L.local(2, 2)": ["B = L.local(2, 2)"],
    "L.local(2, 2, layout=T.TileLayout(T.S[(2, 2):(1, 2)]))": [
        "B = L.local(2, 2, layout=T.TileLayout(T.S[(2, 2):(1, 2)]))"
    ],
}


@pytest.mark.parametrize("view", VIEWS)
def test_views(view: str) -> None:
    lines = read(f"B = {view}").script(dialect="0.27", comments=False).splitlines()
    assert [line.strip() for line in lines if line.startswith(("    B = ", "    buffer"))] == VIEWS[view]


def test_a_whole_part_is_a_view_of_the_same_shape() -> None:
    """TVM has no view here: B is A."""
    assert "B = T.decl_buffer((64, 64), data=A.data)" in read("B = A.sub[:, :]").script(dialect="0.27")


@pytest.mark.parametrize(
    ("part", "region"),
    [
        ("A.chunk((4, None))[1, 8:24]", "A[16:32, 8:24]"),
        ("A.chunk((4, 2))[1, 1]", "A[16:32, 32:64]"),
        ("A.chunk((4, 2))[0, 0]", "A[0:16, 0:32]"),
    ],
)
def test_regions(part: str, region: str) -> None:
    assert f"T.cta.zero({region})" in read(f"T.cta.zero({part})").script(dialect="0.27")


@pytest.mark.parametrize(
    ("view", "expected", "got"),
    [
        ('A.rearrange("a b, b a")', "the same names on both sides of ->, for 2 dimensions", "'a b, b a'"),
        ('A.rearrange("a b c -> a b c")', "the same names on both sides of ->, for 2 dimensions", "'a b c -> a b c'"),
        ('A.rearrange("a b -> a c")', "the same names on both sides of ->, for 2 dimensions", "'a b -> a c'"),
        ('A.rearrange("(a b) c -> a b c")', "sizes for all but one of a b, whose product divides 64", "{}"),
        ('A.rearrange("(a b) c -> a b c", a=5)', "sizes for all but one of a b, whose product divides 64", "{'a': 5}"),
        ('A.rearrange("a b -> b a", a=32)', "sizes for all but one of a, whose product divides 64", "{'a': 32}"),
        ("A.sub[0, 0, 0]", "at most 2 indices", "3"),
        ("A.sub[0:32:4]", "a step that divides 64, without an end", "4"),
        ("A.sub[::3]", "a step that divides 64, without an end", "3"),
        ("A.tile((0, 8))[2, :]", "a dimension and its factors", r"\(0, 8\)"),
        ("A.tile(0, (8, 8))[:]", "2 indices", "1"),
        ("A.tile(0, (8, 8))[:, :]", "an index for a factor", "only :"),
        ("A.tile(0, (8, 5))[:, 0]", "factors of 64", r"\(8, 5\)"),
        ("A.chunk((4,))[0]", "a number or None for each of 2 dimensions", "1"),
        ("A.permute(0, 0)", "the numbers of 2 dimensions", r"\[0, 0\]"),
        ("L.local(3)", "4 elements", "3"),
    ],
)
def test_refused(view: str, expected: str, got: str) -> None:
    with pytest.raises(tvmscript.TVMScriptError, match=f"{expected}.*{got}"):
        read(f"B = {view}")
