"""ExtractPrimFuncConstants: each allocation tells which of the module's constants it is."""

from __future__ import annotations

import tvmscript
from tvmscript.ir.core.visit import nodes
from tvmscript.ir.tir.stmt import AllocateConst
from tvmscript.ir.transform.functions.extract_prim_func_constants import ExtractPrimFuncConstants

_SOURCE = """
@I.ir_module
class Module:
    @T.prim_func
    def main(B: T.Buffer((2,), "int32")):
        c = T.allocate_const([1, 2], "int32", [2])
        d = T.allocate_const([3, 4], "int32", [2])
        C = T.Buffer((2,), "int32", data=c)
        D = T.Buffer((2,), "int32", data=d)
        B[0] = C[0] + D[0]

    @T.prim_func
    def other(B: T.Buffer((2,), "int64")):
        c = T.allocate_const([3, 4], "int32", [2])
        d = T.allocate_const([3, 4], "int64", [2])
        C = T.Buffer((2,), "int32", data=c)
        D = T.Buffer((2,), "int64", data=d)
        B[0] = T.Cast("int64", C[0]) + D[0]
"""


def test_places() -> None:
    made = ExtractPrimFuncConstants()(tvmscript.from_source(_SOURCE))
    constants = made.attrs["constants"]
    assert [(each.dtype, each.tolist()) for each in constants] == [
        ("int32", [1, 2]),
        ("int32", [3, 4]),
        ("int64", [3, 4]),
    ]
    places = {
        var.name_hint: [each.irmod_storage_idx for each in nodes(func) if isinstance(each, AllocateConst)]
        for var, func in made.items()
    }
    assert places == {"main": [0, 1], "other": [1, 2]}


def test_what_is_listed_already() -> None:
    module = tvmscript.from_source(_SOURCE)
    known = ExtractPrimFuncConstants()(module).attrs["constants"]
    again = ExtractPrimFuncConstants()(module.with_attr("constants", list(known)[::-1]))
    assert [each.tolist() for each in again.attrs["constants"]] == [[3, 4], [3, 4], [1, 2]]
    assert ExtractPrimFuncConstants()(again) is again
