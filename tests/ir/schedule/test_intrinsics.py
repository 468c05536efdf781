"""The intrinsics that are known without registration: what they compute, that they are TVM's, when they are made."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tvmscript
from tvmscript.backends import interp
from tvmscript.ir.core.equality.equal import assert_structural_equal, structural_equal
from tvmscript.ir.core.errors import UnknownName
from tvmscript.ir.schedule.intrinsics import amx, packing, wgmma
from tvmscript.ir.schedule.intrinsics.dot import PANELS
from tvmscript.ir.schedule.intrinsics.mma import OWN_MAKERS
from tvmscript.ir.schedule.intrinsics.registry import CATALOGUE, TensorIntrin
from tvmscript.ir.tir.function import PrimFunc
from tvmscript.ir.tir.verify import verify

_ORACLE = Path(__file__).parents[4] / "shared" / "oracle" / "oracle.py"
#: the texts of TVM's own intrinsics, as JSON: name -> [description, implementation]
_ASK = """
import json, sys
from tvm import tir
import tvm.tir.tensor_intrin, tvm.tir.tensor_intrin.x86, tvm.tir.tensor_intrin.arm_cpu, tvm.tir.tensor_intrin.cuda
found = {}
for name in json.loads(sys.argv[1]):
    intrin = tir.TensorIntrin.get(name, allow_missing=True)
    found[name] = intrin and [intrin.desc.script(), intrin.impl.script()]
print(json.dumps(found))
"""


def described(name: str) -> PrimFunc:
    """The description of an intrinsic as a function that can be called."""
    found = TensorIntrin.get(name)
    return found.desc.with_attr("global_symbol", "main")


def run(name: str, *arrays: Any) -> None:
    """Do what the description of an intrinsic says."""
    interp.build(described(name))["main"](*arrays)


def integers(rng: np.random.Generator, shape: tuple[int, ...], dtype: str) -> Any:
    return rng.integers(0 if dtype.startswith("u") else -5, 6, shape).astype(dtype)


@pytest.mark.parametrize("name", CATALOGUE)
def test_both_parts_are_well_formed_and_read_back(name: str) -> None:
    intrinsic = TensorIntrin.get(name)
    dialect = "0.27" if name.startswith("wgmma") else "0.17"
    for part in (intrinsic.desc, intrinsic.impl):
        verify(part)
        assert_structural_equal(tvmscript.from_source(part.script(dialect=dialect)), part)
    kinds = [
        [(b.dtype, b.storage_scope, [str(size) for size in b.shape]) for b in part.buffer_map.values()]
        for part in (intrinsic.desc, intrinsic.impl)
    ]
    assert kinds[0] == kinds[1]


def test_they_are_made_once_and_late() -> None:
    assert TensorIntrin.get("mma_f16f16f32") is TensorIntrin.get("mma_f16f16f32")
    script = (
        "import tvmscript\n"
        "from tvmscript.schedule import Schedule\n"
        "from tvmscript.ir.tir.tensor_intrin import TensorIntrin\n"
        "print(len(TensorIntrin.registry), len(TensorIntrin._made))"
    )
    found = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert found.stdout.split() == ["0", "0"]


def test_an_unknown_name_has_a_proposal() -> None:
    with pytest.raises(UnknownName, match="did you mean dot_16x4_vnni"):
        TensorIntrin.get("dot_16x4_vni")


def test_what_is_registered_comes_first(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(TensorIntrin, "registry", {})
    other = TensorIntrin.get("mma_store_m16n8k8_f32_global")
    TensorIntrin.register("dp4a_s8s8s32", other.desc, other.impl)
    assert TensorIntrin.get("dp4a_s8s8s32").desc is other.desc


@pytest.mark.parametrize("name", [name for name in CATALOGUE if re.match(r"dp4a|dot_", name)])
def test_dot_products(name: str) -> None:
    rng = np.random.default_rng(0)
    shapes = [tuple(int(str(size)) for size in b.shape) for b in described(name).buffer_map.values()]
    dtypes = [str(b.dtype) for b in described(name).buffer_map.values()]
    a, b, c = (integers(rng, shape, dtype) for shape, dtype in zip(shapes, dtypes, strict=True))
    columns = b.swapaxes(0, 1).reshape(b.shape[1], -1) if b.ndim == 3 else np.atleast_2d(b)
    expected = c + (a.astype("int64") @ columns.astype("int64").T).astype(c.dtype)
    run(name, a, b, c)
    np.testing.assert_array_equal(c, expected)


@pytest.mark.parametrize("name", [name for name in CATALOGUE if re.match(r"wmma_sync_16|mma_sync", name)])
def test_products_of_tiles(name: str) -> None:
    rng = np.random.default_rng(0)
    buffers = list(described(name).buffer_map.values())
    a, b, c = (integers(rng, tuple(int(str(n)) for n in item.shape), str(item.dtype)) for item in buffers)
    wide = "int32" if c.dtype.kind == "i" else "float32"
    right = b.T if name.endswith("_trans") else b
    expected = c + (a.astype(wide) @ right.astype(wide)).astype(c.dtype)
    run(name, a, b, c)
    np.testing.assert_array_equal(c, expected)


@pytest.mark.parametrize("factor", ["f16", "i8"])
@pytest.mark.parametrize("transposed", ["", "_trans"])
def test_tiles_spread_over_a_warp(factor: str, transposed: str) -> None:
    """Loads, a product and a store together compute a product of matrices."""
    rng = np.random.default_rng(0)
    dtype, total, short, depth = {"f16": ("float16", "float32", "f32", 16), "i8": ("int8", "int32", "i32", 32)}[factor]
    a, b = integers(rng, (16, depth), dtype), integers(rng, (depth, 16), dtype)
    given = np.ascontiguousarray(b.T) if transposed else b
    count = 16 * depth // 32
    spread_a, spread_b = np.zeros((32, count), dtype), np.zeros((32, count), dtype)
    sums, result = np.ones((32, 8), total), np.zeros((16, 16), total)
    run(f"mma_ldmatrix_{factor}_a", spread_a, a)
    run(f"mma_ldmatrix_{factor}_b{transposed}", spread_b, given)
    run(f"mma_fill_16x16_{short}", sums)
    assert not sums.any()
    run(f"mma_{factor}{factor}{short}{'_trans_b' if transposed else ''}", spread_a, spread_b, sums)
    run(f"mma_store_16x16_{short}_global_", sums, result)
    np.testing.assert_array_equal(result, a.astype(total) @ b.astype(total))


@pytest.mark.parametrize(
    "name", [name for name in CATALOGUE if re.match(r"wmma_(load|store)_16|mma_store_m|mma_load_m", name)]
)
def test_copies(name: str) -> None:
    rng = np.random.default_rng(0)
    source, target = described(name).buffer_map.values()
    given = integers(rng, tuple(int(str(n)) for n in source.shape), str(source.dtype))
    made = np.zeros([int(str(n)) for n in target.shape], str(target.dtype))
    run(name, given, made)
    np.testing.assert_array_equal(made, given)


@pytest.mark.parametrize("name", packing.MAKERS)
def test_packing(name: str) -> None:
    """What is packed is what the description and the name say, also by the instructions."""
    rng = np.random.default_rng(0)
    source, target = described(name).buffer_map.values()
    given = integers(rng, tuple(int(str(n)) for n in source.shape), str(source.dtype).replace("bfloat16", "uint16"))
    if name.startswith("regroup"):
        words, _, terms = (int(str(n)) for n in target.shape)
        expected = given.reshape(-1, words, terms).swapaxes(0, 1)
    else:
        expected = given.T
    for part in (TensorIntrin.get(name).desc, TensorIntrin.get(name).impl):
        made = np.zeros(expected.shape, given.dtype)
        tvmscript.build(part.with_attr("global_symbol", "main"))["main"](given, made)
        np.testing.assert_array_equal(made, expected)


@pytest.mark.fuzz
@pytest.mark.oracle
def test_they_are_those_of_tvm(oracle: Any, tmp_path: Path) -> None:
    # TVM takes half a minute to make its own
    script = tmp_path / "ask.py"
    script.write_text(_ASK)
    own = {*PANELS, *packing.MAKERS, *amx.MAKERS, *OWN_MAKERS, *wgmma.MAKERS}
    command = [
        sys.executable,
        str(_ORACLE),
        "exec",
        str(script),
        json.dumps([name for name in CATALOGUE if name not in own]),
    ]
    found = subprocess.run(command, capture_output=True, text=True, check=True)
    theirs: dict[str, list[str] | None] = json.loads(found.stdout.splitlines()[-1])
    different: list[str] = []
    for name, texts in theirs.items():
        assert texts is not None, name
        ours = TensorIntrin.get(name)
        for text, part in zip(texts, (ours.desc, ours.impl), strict=True):
            made = tvmscript.from_source(text, check_well_formed=False)
            assert isinstance(made, PrimFunc)
            if not structural_equal(made.replace(attrs={}), part):
                different.append(name)
    assert not different
