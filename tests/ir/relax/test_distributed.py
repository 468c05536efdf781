"""Distributed tensors: results agree with TVM's, which the tables quote."""

from __future__ import annotations

import re

import pytest

from tvmscript.ir.core import TVMScriptError, WrongType
from tvmscript.ir.core.equality.equal import structural_equal
from tvmscript.ir.relax.distributed import DeviceMesh, DTensorStructInfo, InvalidMesh, Placement, PlacementSpec
from tvmscript.ir.relax.infer_call import erase_to_well_defined
from tvmscript.ir.relax.struct_info import ObjectStructInfo, TensorStructInfo
from tvmscript.ir.relax.struct_info_lattice import struct_info_base_check, struct_info_lca
from tvmscript.ir.tir.expr import Range
from tvmscript.ir.tir.operators import const
from tvmscript.ir.tir.var import Var as SizeVar
from tvmscript.parser import from_source

SQUARE = DeviceMesh((2, 2), Range.from_min_extent(const(0), const(4)))
LINE = DeviceMesh((4,), (0, 1, 2, 3))
ROWS = Placement.from_text("S[0], R")
TENSOR = TensorStructInfo([4, 4], "float32")
INFOS = [
    DTensorStructInfo(TENSOR, SQUARE, ROWS),
    DTensorStructInfo(TENSOR, LINE, Placement.from_text("S[1]")),
    DTensorStructInfo(TensorStructInfo([4, 5], "float32"), SQUARE, ROWS),
    DTensorStructInfo(TensorStructInfo(None, "float32", 2), SQUARE, ROWS),
    TENSOR,
    ObjectStructInfo(),
]


def test_checks_as_tvm_makes_them() -> None:
    actual = ["".join(str(int(struct_info_base_check(base, item))) for item in INFOS) for base in INFOS]
    assert actual == ["310201", "130101", "003201", "313301", "000031", "333333"]


def test_common_bases() -> None:
    assert struct_info_lca(INFOS[0], INFOS[0]) is INFOS[0]
    assert isinstance(struct_info_lca(INFOS[0], INFOS[1]), ObjectStructInfo)
    assert structural_equal(struct_info_lca(INFOS[0], INFOS[2]), INFOS[3])
    assert struct_info_lca(INFOS[3], INFOS[0]) is INFOS[3]


@pytest.mark.parametrize(
    ("text", "printed"),
    [("S[0]", "S[0]"), ("R", "R"), ("S[3], S[0]", "S[3], S[0]"), ("", ""), (" R", "R"), ("R,R", "R, R")],
)
def test_placements(text: str, printed: str) -> None:
    assert ", ".join(map(str, Placement.from_text(text).dim_specs)) == printed


@pytest.mark.parametrize("text", ["X", "S[", "S[a]", "R;R"])
def test_what_is_no_placement(text: str) -> None:
    with pytest.raises(InvalidMesh):
        Placement.from_text(text)


def test_what_does_not_go_together() -> None:
    with pytest.raises(InvalidMesh, match="4 devices"):
        DeviceMesh((2, 2), (0, 1, 2))
    with pytest.raises(InvalidMesh, match="2 entries"):
        DTensorStructInfo(TENSOR, SQUARE, Placement((PlacementSpec.sharding(0),)))
    with pytest.raises(InvalidMesh, match=r"S\[5\]"):
        DTensorStructInfo(TENSOR, SQUARE, Placement((PlacementSpec.sharding(5), PlacementSpec.replica())))
    first, last = SizeVar("first", "int64"), SizeVar("last", "int64")
    with pytest.raises(WrongType, match="a range of constants"):
        DeviceMesh((2, 2), Range(first, last))


#: what is wrong -> a call on tensors of several meshes
CALLS = {
    "x2 takes a distributed tensor (R.DTensor), as the others, but got a tensor": "R.add(d, x)",
    "x2 takes a tensor on the mesh of the others, but got one on another mesh": "R.add(d, e)",
    "x2 takes a placement that shards axis 0 of the result as the others do, but got S[1], S[0]": "R.add(f, g)",
    "input takes a tensor replicated over a mesh of one dimension": "R.dist.redistribute_replica_to_shard(d, 2, 0)",
}


@pytest.mark.parametrize("what", CALLS)
def test_calls_of_what_does_not_go_together(what: str) -> None:
    with pytest.raises(TVMScriptError, match=re.escape(what)):
        from_source(f"""
@I.ir_module
class Module:
    I.module_attrs({{"device_num": 8}})
    I.module_global_infos({{"mesh": [
        R.device_mesh((2,), I.Range(0, 2)), R.device_mesh((2,), I.Range(2, 4)), R.device_mesh((2, 2), I.Range(4, 8))
    ]}})
    @R.function
    def main(
        x: R.Tensor((4, 4), "float32"), d: R.DTensor((4, 4), "float32", "mesh[0]", "S[0]"),
        e: R.DTensor((4, 4), "float32", "mesh[1]", "S[0]"), f: R.DTensor((4, 4), "float32", "mesh[2]", "S[0], S[1]"),
        g: R.DTensor((4, 4), "float32", "mesh[2]", "S[1], S[0]"),
    ):
        z = {CALLS[what]}
        return z
""")


def test_sizes_are_erased() -> None:
    n = SizeVar("n", "int64")
    info = DTensorStructInfo(TensorStructInfo([n, 4], "float32"), SQUARE, ROWS)
    assert structural_equal(erase_to_well_defined(info), INFOS[3])
    assert erase_to_well_defined(info, {n: n}) is info
