"""The tile level of 0.27: read, printed as TVM 0.27 prints it, refused where it has no counterpart."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tvmscript
from tvmscript import tir
from tvmscript.ir.core import nodes
from tvmscript.ir.core.equality.equal import assert_structural_equal, structural_equal
from tvmscript.ir.tir.tile import ComposeLayout, LayoutIter, ScopeIdDef, TileCall, TileLayout
from tvmscript.script import register_source, tirx

CASES = sorted((Path(__file__).parents[3] / "cases" / "tile_level").glob("*.py"))
HEAD = '# from tvm.script import tirx as T\n\n@T.prim_func\ndef f(A: T.Buffer((64, 64), "float32")):\n'


def read(*lines: str) -> tvmscript.PrimFunc:
    func = tvmscript.from_source(HEAD + "".join([f"    {line}\n" for line in lines]))
    assert isinstance(func, tvmscript.PrimFunc)
    return func


def only(func: tvmscript.PrimFunc, cls: type) -> object:
    [node] = [node for node in nodes(func) if isinstance(node, cls)]
    return node


@pytest.mark.parametrize("path", CASES, ids=lambda path: path.stem)
def test_cases(path: Path) -> None:
    """The texts are those of TVM 0.27: see tests/current."""
    text = path.read_text()
    func = tvmscript.from_source(text)
    assert func.script(dialect="0.27", comments=False) == text.rstrip("\n")
    assert_structural_equal(tvmscript.from_source(func.script(dialect="0.27")), func)


#: sugar, and what it stands for
SAME = {
    "device_entry": (["T.device_entry()"], ['T.attr({"tirx.device_entry": T.bool(True)})']),
    "scope_id": (['b = T.scope_id([4], "kernel", "cta")', "A[b, 0] = 1.0"], ["b = T.cta_id([4])", "A[b, 0] = 1.0"]),
    "one extent": (["b = T.cta_id(4)", "A[b, 0] = 1.0"], ["b = T.cta_id([4])", "A[b, 0] = 1.0"]),
    "row major": (["B = T.alloc_local((8, 4), layout=T.TileLayout(T.S[8, 4]))", "B[0, 0] = 1.0"],
                  ["B = T.alloc_local((8, 4))", "B[0, 0] = 1.0"]),
    "strides": (["B = T.alloc_local((8, 4), layout=T.TileLayout(T.S[2, 16]))", "B[0, 0] = 1.0"],
                ["B = T.alloc_local((8, 4), layout=T.TileLayout(T.S[(2, 16):(16, 1)]))", "B[0, 0] = 1.0"]),
    "offsets": (["B = T.alloc_local((8,), layout=T.TileLayout(T.S[8:1] + 2 @ Axis.laneid + 3 + 1 @ Axis.laneid))",
                 "B[0] = 1.0"],
                ["B = T.alloc_local((8,), layout=T.TileLayout(3 + (T.S[8:1] + 3 @ Axis.laneid)))", "B[0] = 1.0"]),
    "permute": (["B = A.permute(1, 0)", "B[0, 0] = 1.0"],
                ["B = T.decl_buffer((64, 64), data=A.data, layout=T.TileLayout(T.S[(64, 64):(1, 64)]))",
                 "B[0, 0] = 1.0"]),
    "inferred extent": (["B = A.view(-1, 32)", "B[0, 0] = 1.0"], ["B = A.view(128, 32)", "B[0, 0] = 1.0"]),
    "statement": (["T.add_to_parent(T.evaluate(A[0, 0]))"], ["T.evaluate(A[0, 0])"]),
    "ptr_to": (["T.evaluate(A.ptr_to([1, 2]))"], ["T.evaluate(T.address_of(A[1, 2]))"]),
    "whole buffers": (["T.tile.cta.copy(A, A)"], ["T.cta.copy(A[0:64, 0:64], A[0:64, 0:64])"]),
    "thread scope": (["T.tile.zero(A)"], ["T.tile.thread.zero(A)"]),
    "keywords": (["T.cta.sum(A[0:64, 0], A, accum=True, axes=1)"], ["T.cta.sum(A[0:64, 0], A, [1], True)"]),
    "defaults": (["T.cta.gemm(A, A, A, A, alpha=2.0)"], ["T.cta.gemm(A, A, A, A, False, False, 2.0, 0.0)"]),
    "no scales": (["T.cta.gemm_async(A, A, A, accum=True)"], ["T.cta.gemm_async(A, A, A, False, False, True)"]),
    "operators by name": (['T.cta.reduce_negate(A[0:64, 0], A, "sum")'],
                          ['T.cta.reduce_negate(A[0:64, 0], A, [-1], False, I.Op("tirx.tile.sum"))']),
    "scale alone": (["T.cta.exp(A, scale=2.0)"], ["T.cta.exp(A, A, None, 2.0)"]),
}  # fmt: skip


@pytest.mark.parametrize("name", SAME)
def test_same_program(name: str) -> None:
    short, full = SAME[name]
    if name != "defaults" and name != "scale alone":
        assert_structural_equal(read(*short), read(*full))
    else:
        assert read(*short).script(dialect="0.27") == read(*full).script(dialect="0.27")


DIFFERENT = {
    "scope": ("T.cta.zero(A)", "T.warp.zero(A)"),
    "primitive": ("T.cta.zero(A)", "T.cta.fill(A, 0.0)"),
    "hint": ("T.cta.zero(A, vec_len=4)", "T.cta.zero(A, vec_len=8)"),
    "dispatch": ('T.cta.zero(A, dispatch="a")', "T.cta.zero(A)"),
    "layout": ("B = T.alloc_local((8, 4), layout=T.TileLayout(T.S[(8, 4):(1, 8)]))", "B = T.alloc_local((8, 4))"),
    "swizzle": ("B = T.alloc_local((8,), layout=T.ComposeLayout(3, 3, 3, T.TileLayout(T.S[8:1])))",
                "B = T.alloc_local((8,), layout=T.ComposeLayout(3, 3, 2, T.TileLayout(T.S[8:1])))"),
    "address": ("B = T.alloc_shared((8,), allocated_addr=0)", "B = T.alloc_shared((8,), allocated_addr=64)"),
    "extent": ("b = T.cta_id([4])", "b = T.cta_id([8])"),
    "id": ("b = T.warp_id([4])", "b = T.warp_id_in_wg([4])"),
    "lambda": ("T.tile.select(A, A, 0.0, lambda i, j: i < j)", "T.tile.select(A, A, 0.0, lambda i, j: j < i)"),
}  # fmt: skip


@pytest.mark.parametrize("name", DIFFERENT)
def test_different_programs(name: str) -> None:
    left, right = [read(line, "T.evaluate(0)") for line in DIFFERENT[name]]
    assert not structural_equal(left, right)


def test_lambdas_are_equal_up_to_names() -> None:
    assert_structural_equal(
        read("T.tile.select(A, A, 0.0, lambda i, j: i < j)"), read("T.tile.select(A, A, 0.0, lambda k, l: k < l)")
    )


def test_nodes() -> None:
    func = read("bx, by = T.cta_id([4, 2], preferred=[2, 2])", "T.warp.copy(A[bx, :], A[by, :], vec_len=4)")
    ids, call = only(func, ScopeIdDef), only(func, TileCall)
    assert isinstance(ids, ScopeIdDef)
    assert isinstance(call, TileCall)
    assert [var.name for var in ids.vars] == ["bx", "by"]
    assert (ids.scope, len(ids.extents), len(ids.preferred)) == ("cta_id", 2, 2)
    assert (call.op, call.scope, list(call.options)) == ("copy", "warp", ["vec_len"])


REFUSED = {
    "ids": ("a, b = T.cta_id([4])", "TS2012"),
    "extent": ("b = T.cta_id([0])", "TS1003"),
    "dtype": ('b = T.cta_id([4], dtype="int64")', "TS1003"),
    "scopes": ('b = T.scope_id([4], "warp", "cta")', "TS1003"),
    "axis": ("B = T.alloc_local((8,), layout=T.TileLayout(T.S[8:1 @ Axis.nope]))", "TS2004"),
    "strides": ("B = T.alloc_local((8,), layout=T.TileLayout(T.S[8:(1, 2)]))", "TS1003"),
    "layout": ("B = T.alloc_local((8,), layout=8)", "TS1003"),
    "product": ("B = T.alloc_local((8,), layout=T.TileLayout(T.S[8:1] * 2))", "TS2025"),
    "arguments": ("T.cta.add(A)", "TS1006"),
    "primitive": ("T.cta.nope(A)", "TS2004"),
    "operator": ('T.cta.reduce_negate(A[0:64, 0], A, "nope")', "TS1008"),
    "view": ("B = A.view(-1, 100)", "TS1003"),
    "order": ("B = A.permute(0, 0)", "TS1003"),
    "no statement": ("T.add_to_parent(A[0, 0])", "TS1003"),
    "undefined": ("T.tile.select(A, A, 0.0, lambda i: i < j)", "TS2003"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_refused(name: str) -> None:
    line, code = REFUSED[name]
    with pytest.raises(tvmscript.TVMScriptError) as caught:
        read(line)
    assert caught.value.code == code
    assert caught.value.span is not None


@pytest.mark.parametrize(
    ("lines", "what"),
    [
        (["b = T.cta_id([4])"], "ScopeIdDef of the tile level"),
        (["T.tile.zero(A)"], "TileCall of the tile level"),
        (["B = T.alloc_local((8,), layout=T.TileLayout(T.S[8:2]))", "B[0] = 1.0"], "the layout of the buffer B"),
        (["B = T.alloc_shared((8,), allocated_addr=0)", "B[0] = 1.0"], "the fixed address of the buffer B"),
        (["T.cuda.cta_sync()"], "the device instruction tir.cuda.cta_sync"),
    ],
)
def test_other_dialect(lines: list[str], what: str) -> None:
    with pytest.raises(tvmscript.TVMScriptError, match=what) as caught:
        read(*lines).script()
    assert caught.value.code == "TS3003"
    assert caught.value.hint == 'print it with dialect="0.27"'


@pytest.mark.parametrize("target", ["interp", "llvm"])
@pytest.mark.parametrize(
    "lines",
    [
        ["b = T.cta_id([4])"],
        ["T.tile.zero(A)"],
        ["B = T.alloc_local((8, 8), layout=T.TileLayout(T.S[(8, 8):(1, 8)]))", "B[0, 0] = 1.0", "A[0, 0] = B[0, 0]"],
        ["B = T.alloc_local((8,), allocated_addr=0)", "B[0] = 1.0", "A[0, 0] = B[0]"],
        ["T.cuda.cta_sync()"],
    ],
)
def test_backends(lines: list[str], target: str) -> None:
    func = read(*lines)
    with pytest.raises(tvmscript.TVMScriptError) as caught:
        tvmscript.build(func, target)(np.zeros((64, 64), "float32"))
    assert caught.value.code in ("TS5030", "TS6001", "TS4007", "TS4008")


def test_views_and_conditions_are_printed_short() -> None:
    func = read('B = A.view("uint8")', "if T.cuda.elect_sync():", "    B[0, 0] = T.uint8(1)")
    assert func.script(dialect="0.27", comments=False).split("\n")[-3:] == [
        '    B = A.view("uint8")',
        "    if T.cuda.elect_sync():",
        "        B[0, 0] = T.uint8(1)",
    ]


def test_layouts_in_python() -> None:
    """Layouts are values outside of functions too."""
    T: Any = tirx
    layout = T.TileLayout(T.S[(8, 4) : (4, 1)] + T.R[2:1] + 5)
    assert isinstance(layout, TileLayout)
    assert layout.script(dialect="0.27") == "T.TileLayout(T.S[(8, 4):(4, 1)] + T.R[2:1] + 5)"
    assert isinstance(T.ComposeLayout(3, 3, 3, layout), ComposeLayout)
    assert isinstance(T.Iter(4, 1, "laneid"), LayoutIter)


@pytest.mark.parametrize(
    ("name", "part", "hint"),
    [
        ("SwizzleLayout", "TVM before 0.27", "write T.ComposeLayout(per_element, swizzle_len, atom_len, "),
        ("elected", "TVM before 0.27", "write if T.cuda.elect_sync():"),
        ("ScopeIdDef", "the classes of TVM 0.27's nodes", "write x = T.thread_id([128])"),
        ("call_kernel", "TVM's compilation of kernels of other languages", "write T.call_packed"),
    ],
)
def test_names_that_say_what_to_write(name: str, part: str, hint: str) -> None:
    with pytest.raises(tvmscript.TVMScriptError, match=f"T.{name} is part of {part}") as caught:
        read(f"T.{name}()")
    assert caught.value.code == "TS2040"
    assert (caught.value.hint or "").startswith(hint)


def _add_twice(value: Any) -> None:
    T: Any = tirx
    T.add_to_parent(T.evaluate(value))
    T.add_to_parent(tir.Evaluate(value))


def test_statements_that_python_adds() -> None:
    head = "# from tvm.script import tirx as T\n\n@T.prim_func\ndef f(n: T.int32):\n"
    names: dict[str, Any] = {"T": tirx, "add_twice": _add_twice}
    text = f"{head}    add_twice(n)\n"
    exec(compile(text, register_source(text), "exec"), names)
    assert_structural_equal(names["f"], tvmscript.from_source(f"{head}    T.evaluate(n)\n    T.evaluate(n)\n"))


def test_a_free_tensor_map_reads_back() -> None:
    body = f"{HEAD}    t = T.TensorMap()\n    T.evaluate(T.address_of(t))\n"
    func = tvmscript.from_source(body, check_well_formed=False)
    text = func.script(dialect="0.27")
    assert 't = T.Var("t", T.TensorMap())' in text
    assert_structural_equal(tvmscript.from_source(text, check_well_formed=False), func, map_free_vars=True)


POOL = """
    pool = T.SMEMPool()
    X = pool.alloc((8, 16), "float16", align=128)
    Y = pool.alloc((3,), "float32")
    Z = pool.alloc((4,), "float32", align=16)
    pool.move_base_to(512)
    W = pool.alloc((4,), "float32", layout=None)
    pool.commit()
"""
#: what apache-tvm 0.27 prints
BUFFERS_OF_POOL = """
    pool_buf = T.alloc_buffer((0,), "uint8", scope="shared.dyn")
    X = T.decl_buffer((8, 16), "float16", data=pool_buf.data, scope="shared.dyn", align=128)
    Y = T.decl_buffer((3,), data=pool_buf.data, elem_offset=64, scope="shared.dyn")
    Z = T.decl_buffer((4,), data=pool_buf.data, elem_offset=68, scope="shared.dyn", align=16)
    W = T.decl_buffer((4,), data=pool_buf.data, elem_offset=128, scope="shared.dyn", layout=None)
    with T.attr({"tirx.dyn_smem_bytes": T.int64(528)}):
        T.evaluate(0)
"""


def test_pools_of_shared_memory() -> None:
    assert_same(POOL, BUFFERS_OF_POOL)
    memory = '    M = T.alloc_buffer((64,), "uint8", scope="shared.dyn")\n'
    assert_same(
        f"{memory}    pool = T.SMEMPool(M.data)\n    X = pool.alloc((4,), 'float32')\n    pool.commit()\n",
        f'{memory}    X = T.decl_buffer((4,), "float32", data=M.data, scope="shared.dyn")\n',
    )
    for text, message in (
        ("for i in range(4):\n        Y = pool.alloc((i,))", "SMEMPool.alloc takes a constant shape"),
        ("pool.commit(8)", "commit takes at least 16 bytes, but got 8"),
    ):
        with pytest.raises(tvmscript.DiagnosticError, match=message):
            tvmscript.from_source(f"{HEAD}    pool = T.SMEMPool()\n    X = pool.alloc((4,))\n    {text}\n")


def assert_same(body: str, expected: str) -> None:
    """Assert that two bodies in 0.27 are the same program."""
    read = [tvmscript.from_source(f"{HEAD}{text.lstrip(chr(10))}    A[0, 0] = 1.0\n") for text in (body, expected)]
    assert_structural_equal(*read)
