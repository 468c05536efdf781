"""Products of int8 whose first factor is made unsigned, and groups of a transposed B, against NumPy."""

from __future__ import annotations

import numpy as np
import pytest

import tvmscript
from tests.ir.schedule.default.test_dot_product import check, product_text
from tvmscript.backends.llvm.target import Target
from tvmscript.ir.core.targets.machine_model import machine_model
from tvmscript.ir.schedule.default.cpu.signed_products import make_factors_unsigned
from tvmscript.ir.tir import PrimFunc

VNNI, OLD = (f"llvm -mtriple=x86_64-linux-gnu -mcpu={cpu}" for cpu in ("icelake-server", "haswell"))
needs_vnni = pytest.mark.skipif(not Target.parse("llvm").has_feature("avx512vnni"), reason="no AVX512-VNNI here")


def is_changed(text: str, target: str = VNNI) -> bool:
    func = tvmscript.from_source(text)
    assert isinstance(func, PrimFunc)
    return make_factors_unsigned(func, machine_model(target)) is not func


def test_only_large_products_for_vnni_change() -> None:
    dtypes = ("int8", "int8", "int32")
    text = product_text((64, 64, 3), dtypes)
    assert is_changed(text)
    assert not is_changed(text, OLD)
    assert not is_changed(product_text((63, 64, 64), dtypes))
    assert not is_changed(product_text((64, 64, 64), ("uint8", "int8", "int32")))
    assert not is_changed(
        text.replace("            with T.init", "            T.where(i < 60)\n            with T.init")
    )


@needs_vnni
@pytest.mark.parametrize(
    ("sizes", "left", "layout", "batch"),
    [
        ((67, 70, 75), "int8", "nnn", ()),
        ((64, 96, 128), "int8", "ntn", (2,)),
        ((5, 40, 128), "int8", "ntn", ()),
        ((1, 70, 75), "int8", "nnn", ()),
    ],
)
def test_values(sizes: tuple[int, int, int], left: str, layout: str, batch: tuple[int, ...]) -> None:
    check(sizes, left, "int8", layout, batch, "llvm")


@needs_vnni
def test_extreme_values() -> None:
    """Sums of the largest products are exact: no step saturates."""
    built = tvmscript.build(tvmscript.from_source(product_text((64, 64, 128), ("int8", "int8", "int32"))))
    lowest, c = np.full((64, 128), -128, "int8"), np.zeros((64, 64), "int32")
    built["main"](lowest, lowest.reshape(128, 64), c)
    assert (c == 128 * 128 * 128).all()
