"""Memory of TE schedules: rolling buffers and flattened regions compute what the schedule says; TVM flattens alike."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest

import tvmscript
from tvmscript.ir.core.equality.equal import structural_equal
from tvmscript.ir.tir.function import PrimFunc
from tvmscript.ir.transform.errors import CannotRoll, TensorLevelLeft
from tvmscript.ir.transform.memory.inject_rolling_buffer import InjectRollingBuffer
from tvmscript.ir.transform.memory.storage_flatten import StorageFlatten

#: two pools of three rows; the first for as many rows as four rows of the second need
_POOLS = """
@T.prim_func
def main(A: T.Buffer((12, 14), "int8"), B: T.Buffer((8, 14), "int8")):
    T.func_attr({"from_legacy_te_schedule": True})
    for i in range(2):
        a = T.Buffer((10, 14), "int8")
        T.realize(a[i * 4:i * 4 + 6, 0:14], "")
        T.attr(a, "rolling_buffer_scope", T.bool(True))
        for k, j in T.grid(6, 14):
            a[i * 4 + k, j] = T.max(T.max(A[i * 4 + k, j], A[i * 4 + k + 1, j]), A[i * 4 + k + 2, j])
        for k, j in T.grid(4, 14):
            B[k + i * 4, j] = T.max(T.max(a[k + i * 4, j], a[k + i * 4 + 1, j]), a[k + i * 4 + 2, j])
"""


def _called(func: PrimFunc, given: Any, shape: tuple[int, ...]) -> Any:
    out = np.zeros(shape, given.dtype)
    tvmscript.build(func, target="interp")["main"](given, out)
    return out


def _pool(rows: Any) -> Any:
    return np.maximum(np.maximum(rows[:-2], rows[1:-1]), rows[2:])


@pytest.mark.parametrize("is_rolling", [False, True])
def test_pools(is_rolling: bool) -> None:
    func = tvmscript.from_source(_POOLS)
    if is_rolling:
        func = InjectRollingBuffer()(func)
        assert "% 6" in func.script()
    given = np.random.default_rng(0).integers(-100, 100, (12, 14), "int8")
    np.testing.assert_array_equal(_called(StorageFlatten(64)(func), given, (8, 14)), _pool(_pool(given)))


def test_aligned_rows() -> None:
    func = tvmscript.from_source("""
@T.prim_func
def main(A: T.Buffer((8, 8), "float32"), B: T.Buffer((8, 8), "float32")):
    T.func_attr({"from_legacy_te_schedule": True})
    C = T.Buffer((8, 8), "float32")
    with T.attr(C, "buffer_dim_align", T.tvm_tuple(0, 16, 5)):
        T.realize(C[0:8, 0:8], "")
        for i, j in T.grid(8, 8):
            C[i, j] = A[i, j]
        for i, j in T.grid(8, 8):
            B[i, j] = C[j, i]
""")
    made = StorageFlatten(64)(func)
    assert "T.allocate([168]" in made.script()
    given = np.random.default_rng(0).uniform(-1, 1, (8, 8)).astype("float32")
    np.testing.assert_array_equal(_called(made, given, (8, 8)), given.T)


@pytest.mark.parametrize(
    ("region", "reason"),
    [
        ("a[0:6, 0:14]", "does not move"),
        ("a[i * i:i * i + 6, 0:14]", "not a multiple"),
        ("a[i:i + m, 0:14]", "not a multiple"),
    ],
)
def test_what_cannot_roll(region: str, reason: str) -> None:
    text = _POOLS.replace("a[i * 4:i * 4 + 6, 0:14]", region).replace('"int8")):', '"int8"), m: T.int32):')
    with pytest.raises(CannotRoll, match=reason):
        InjectRollingBuffer()(tvmscript.from_source(text))


def test_buffers_of_tensor_intrinsics() -> None:
    func = tvmscript.from_source("""
@T.prim_func
def main(A: T.Buffer((8, 8), "float32")):
    T.func_attr({"from_legacy_te_schedule": True})
    with T.attr(A, "buffer_bind_scope", T.tvm_tuple(0, 8, 0, 8)):
        A[0, 0] = T.float32(1)
""")
    with pytest.raises(TensorLevelLeft):
        StorageFlatten(64)(func)


def _readable(text: str) -> str:
    """TVM's text, without what it does not read back itself: attributes of buffers before their memory is there."""
    for name in re.findall(r"^\s*(\w+)\.data = T\.allocate", text, flags=re.MULTILINE):
        text = re.sub(rf"\b{name}\.data\b", f"{name}_data", text)
    return "\n".join(line for line in text.splitlines() if '"realize_scope"' not in line) + "\n"


@pytest.mark.oracle
@pytest.mark.parametrize("is_rolling", [False, True])
def test_as_tvm(oracle: Any, is_rolling: bool) -> None:
    passes = "tir.InjectRollingBuffer,tir.StorageFlatten(64)" if is_rolling else "tir.StorageFlatten(64)"
    source = _POOLS if is_rolling else _POOLS.replace("rolling_buffer_scope", "realize_scope")
    theirs = tvmscript.from_source(_readable(oracle.apply(passes, source, check=False)), check_well_formed=False)
    func = tvmscript.from_source(source)
    ours = StorageFlatten(64)(InjectRollingBuffer()(func) if is_rolling else func)
    assert structural_equal(ours.with_attr("global_symbol", "main"), theirs["main"].with_attr("global_symbol", "main"))
