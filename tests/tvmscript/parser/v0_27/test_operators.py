"""Operators of 0.27: their texts are those that TVM 0.27 prints, also where it does not read them back."""

from __future__ import annotations

from pathlib import Path

import pytest

import tvmscript
from tvmscript.ir.core import Op
from tvmscript.ir.core.equality.equal import assert_structural_equal
from tvmscript.parser.names.namespace import Namespace
from tvmscript.parser.v0_27.builtins import TIR_V0_27

ROOT = Path(__file__).parents[4]
CASES = sorted((ROOT / "tests" / "cases" / "operators_0_27").glob("*.py"))
INTRINSICS = ROOT.parent / "shared" / "parity" / "tir_intrinsics.tsv"
HEAD = '# from tvm.script import tirx as T\n\n@T.prim_func\ndef f(A: T.Buffer((4, 4), "float32"), n: T.int32):\n'


def read(*lines: str) -> tvmscript.PrimFunc:
    func = tvmscript.from_source(HEAD + "".join([f"    {line}\n" for line in lines]), check_well_formed=False)
    assert isinstance(func, tvmscript.PrimFunc)
    return func


@pytest.mark.parametrize("path", CASES, ids=lambda path: path.stem)
def test_cases(path: Path) -> None:
    text = path.read_text()
    func = tvmscript.from_source(text, check_well_formed=False)
    assert func.script(dialect="0.27", comments=False) == text.rstrip("\n")
    assert_structural_equal(tvmscript.from_source(func.script(dialect="0.27"), check_well_formed=False), func)


#: what is written, and what it means
SAME = {
    "place": ("T.evaluate(A.elem_offset_of([1, 2]))", "T.evaluate(T.buffer_offset(A[1, 2]))"),
    "place in memory": ("T.evaluate(A.elem_offset_of([n, 2], inner=False))", "T.evaluate(T.buffer_offset(A[n, 2]))"),
    "place in bytes": ("T.evaluate(A.byte_offset_of([1, n]))", "T.evaluate(T.buffer_offset(A[1, n]) * 32 // 8)"),
    "bytes": ("T.evaluate(A.byte_offset)", "T.evaluate(0)"),
    "no scalar": ("T.evaluate(A.is_scalar())", "T.evaluate(T.bool(False))"),
    "two widths": ("T.evaluate(T.LT(n, T.int64(4)))", "T.evaluate(T.Cast('int64', n) < T.int64(4))"),
    "atomic_add": ("T.evaluate(T.atomic_add(A.data, n))", "T.evaluate(T.cuda.atomic_add(A.data, n))"),
    "atomic_add of a number": ("T.cuda.atomic_add(A.data, 1)", "T.cuda.atomic_add(A.data, T.float32(1))"),
    "atomic_add to an element": (
        "T.cuda.atomic_add(T.address_of(A[0, n]), 1)",
        "T.cuda.atomic_add(T.address_of(A[0, n]), T.float32(1))",
    ),
    "dtype of an operator": ("T.evaluate(T.custom_op.x(n))", 'T.evaluate(T.custom_op.x(n, dtype="int32"))'),
    "matrix": ('T.cuda.mma_fill("float32", 8, A.data, 0)', 'T.cuda.mma_fill(8, A.data, 0, dtype="float32")'),
    "product": (
        'T.ptx_legacy.mma("m8n8k4", "row", "col", "fp16", "fp16", "fp32", A.data, 0, A.data, 0, A.data, 0, False)',
        'T.ptx_legacy.mma("float32", "m8n8k4", "row", "col", "fp16", "fp16", "fp32", A.data, 0, A.data, 0, A.data, 0, '
        "False)",
    ),
}


@pytest.mark.parametrize("name", SAME)
def test_same_program(name: str) -> None:
    short, full = SAME[name]
    assert_structural_equal(read(short), read(full))


def test_operators_of_users() -> None:
    """Their calls have the dtype of the first argument, or the one that is given."""
    lines = "x: T.let = T.custom_op.x(A[0, 0])", 'y: T.let = T.custom_op.y(n, dtype="float16")', "T.evaluate(y + x)"
    func = read(*lines)
    assert 'T.Call("float16", "custom_op.y", [n])' in func.script()
    assert "T.custom_op.x(A[0, 0])" in func.script()
    assert_structural_equal(tvmscript.from_source(func.script(), check_well_formed=False), func)
    assert Op.get("custom_op.x") is Op.get("custom_op.x")
    with pytest.raises(tvmscript.TVMScriptError, match="no operator"):
        Op.get("other_op.x")


def _entry(space: object, name: str) -> object:
    assert isinstance(space, Namespace)
    return space.entry(name)


def test_every_operator_has_a_name() -> None:
    """The operators of 0.17 that 0.27 keeps are read under the names of 0.27."""
    if not INTRINSICS.exists():
        pytest.skip("no parity tables: ../shared/parity is not there")
    header, *rows = [line.split("\t") for line in INTRINSICS.read_text().splitlines()]
    names = [dict(zip(header, row, strict=True)) for row in rows]
    unread = []
    for row in names:
        dialect, _, name = row["name_0_27"].partition(".")
        if dialect not in ("tirx", "prim"):
            continue
        path = (row["printed_name"] or name).split(".")
        entry = TIR_V0_27.get(path[0]) or _entry(TIR_V0_27["tirx"], path[0])
        for part in path[1:]:
            entry = _entry(entry, part)
        if entry is None:
            unread.append(name)
    assert unread == []
    assert len(names) == 158


@pytest.mark.parametrize("written", ['"f", (x,), ty_args=', '"f", x, ty_args=', '"f", x, out_ty='])
def test_the_arguments_of_python_functions_may_be_a_tuple(written: str) -> None:
    module = tvmscript.from_source(
        "# from tvm.script import relax as R\n\n@R.function\n"
        'def main(x: R.Tensor((2,), "float32")) -> R.Tensor((2,), "float32"):\n'
        f'    y = R.call_py_func({written}R.Tensor((2,), "float32"))\n    return y\n'
    )
    assert 'R.call_py_func("f", x, out_sinfo=R.Tensor((2,), dtype="float32"))' in module.script()
