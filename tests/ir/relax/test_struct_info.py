"""Base checks, joins, erasure and calls of struct info agree with TVM, whose answers a file keeps."""

from __future__ import annotations

import json
from types import SimpleNamespace
from typing import Any

import pytest

import tvmscript as tvmscript  # installs the printer: sizes are compared as text
from tests.ir.relax import infos
from tests.ir.relax.infos import Made, answers, told
from tests.ir.relax.peer import check_kept_answers, kept_answers
from tvmscript.ir.core.module import VDevice
from tvmscript.ir.relax import expr, struct_info
from tvmscript.ir.relax.base import StructInfo
from tvmscript.ir.relax.errors import InvalidCall
from tvmscript.ir.relax.infer_call import derive_call_ret_struct_info, erase_to_well_defined
from tvmscript.ir.relax.struct_info import FuncStructInfo, PrimStructInfo, TensorStructInfo, TupleStructInfo
from tvmscript.ir.relax.struct_info_lattice import struct_info_base_check, struct_info_lca
from tvmscript.ir.relax.symbolic_shape import definable_tir_vars_in_struct_info
from tvmscript.ir.tir.var import Var


def _call(func: FuncStructInfo, args: list[StructInfo]) -> Any:
    try:
        return told(derive_call_ret_struct_info("f", func, [expr.Var("x", arg) for arg in args]))
    except InvalidCall:
        return "refused"


@pytest.fixture(scope="module")
def made() -> Made:
    return Made(
        SimpleNamespace(**vars(struct_info), Var=expr.Var, ExternFunc=expr.ExternFunc),
        Var,
        VDevice,
        lambda ndim, dtype, device=None: TensorStructInfo(None, dtype or "void", ndim, device),
        lambda ret: FuncStructInfo(None, ret, purity=False),
    )


@pytest.fixture(scope="module")
def ours(made: Made) -> dict[str, Any]:
    functions = struct_info_base_check, struct_info_lca, erase_to_well_defined
    found = answers(made, *functions, _call, definable_tir_vars_in_struct_info)
    return dict(json.loads(json.dumps(found)))


@pytest.fixture(scope="module")
def theirs() -> dict[str, Any]:
    return dict(kept_answers(infos.__file__))


@pytest.mark.oracle
def test_the_kept_answers_are_those_of_tvm(oracle: Any) -> None:
    check_kept_answers(infos.__file__)


def test_the_infos_are_the_same(ours: dict[str, Any], theirs: dict[str, Any]) -> None:
    assert ours["infos"] == theirs["infos"]


#: (base, derived) of the check where ours says more: TVM stops at the first fact that may turn out right, although
#: another contradicts; and it does not pair variables of functions of another purity
STRICTER_CHECKS = {(18, 20), (22, 20), (23, 20), (24, 20), (24, 26), (37, 36)}
#: pairs whose common base TVM gives as the left one, although the values or the purity differ
STRICTER_BASES = {(2, 1), (2, 3), (3, 1), (3, 2), (35, 37), (36, 37), (37, 36), (38, 37)}
#: `R.Prim(value=n)`: as a parameter it defines n
MORE_VARIABLES = {2}


@pytest.mark.parametrize("question", ["erase", "call"])
def test_erasure_and_calls(ours: dict[str, Any], theirs: dict[str, Any], question: str) -> None:
    assert ours[question] == theirs[question]


@pytest.mark.parametrize(("question", "known"), [("check", STRICTER_CHECKS), ("common", STRICTER_BASES)])
def test_pairs(ours: dict[str, Any], theirs: dict[str, Any], question: str, known: set[tuple[int, int]]) -> None:
    mine, other = ours[question], theirs[question]
    places = [(row, column) for row in range(len(mine)) for column in range(len(mine))]
    assert {(row, column) for row, column in places if mine[row][column] != other[row][column]} == known


def test_variables(ours: dict[str, Any], theirs: dict[str, Any]) -> None:
    pairs = enumerate(zip(ours["variables"], theirs["variables"], strict=True))
    assert {index for index, (mine, other) in pairs if mine != other} == MORE_VARIABLES


def test_contradicting_arguments_are_refused(made: Made) -> None:
    n, m, k = made.n, made.m, made.k
    func = FuncStructInfo((TensorStructInfo([n, m]), TensorStructInfo([m, n])), TensorStructInfo([n]))
    args = [expr.Var("x", TensorStructInfo([k, 4])), expr.Var("y", TensorStructInfo([5, k]))]
    with pytest.raises(InvalidCall, match="argument 2"):
        derive_call_ret_struct_info("f", func, args)


def test_sinfo_args_say_what_external_functions_give() -> None:
    extern, info = expr.ExternFunc("f"), TensorStructInfo(ndim=1)
    assert expr.Call(extern, (), sinfo_args=(info,)).struct_info is info
    both = expr.Call(extern, (), sinfo_args=(info, PrimStructInfo("int64"))).struct_info
    assert isinstance(both, TupleStructInfo)
    assert both.fields[0] is info


@pytest.mark.parametrize(
    ("bounds", "has_floats"),
    [
        ("n, 8, 2", False),
        ("n, 8, T.float32(0.5)", True),
        ("T.float32(1), n, 1", True),
    ],
)
def test_extents_of_ranges_of_integers_and_of_floats(bounds: str, has_floats: bool) -> None:
    func: Any = tvmscript.from_source(f"""
@R.function
def main(x: R.Tensor(("n",), "float32")):
    n = T.int64()
    y = R.arange({bounds}, dtype="float32")
    return y
""")
    (extent,) = func.body.blocks[0].bindings[0].var.struct_info.shape.values
    assert ("T.ceil" in str(extent)) is has_floats
    assert ("//" in str(extent)) is (not has_floats)
