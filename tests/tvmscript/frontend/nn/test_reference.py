"""Compiled models compute what the operators' NumPy references compute, operator by operator."""

from __future__ import annotations

from collections.abc import Sequence
from copy import deepcopy
from typing import Any

import numpy as np
import pytest

from tests.tvmscript.frontend.nn.test_texts_of_tvm import load_models
from tvmscript import T, relax
from tvmscript.backends.runtime.errors import Unsupported
from tvmscript.ir.relax.struct_info import ShapeStructInfo, TensorStructInfo, TupleStructInfo
from tvmscript.ir.tir import IntImm
from tvmscript.relax.frontend import nn

#: functions that nothing defines, other workers, elements that are not set, state beside the results
LEFT_OUT = {"extern", "ccl", "empty", "object", "debug", "KVCache", "KVCache_packed", "KVCache_debug"}
#: models with operators that have no NumPy reference
WITHOUT_REFERENCE = ["interpolate_size", "interpolate_factor", "interpolate_corners"]
RNG = np.random.default_rng(11)


def value_of(info: Any) -> Any:
    """A random value; sizes that have a name are 3."""
    if isinstance(info, TupleStructInfo):
        return [value_of(field) for field in info.fields]
    if isinstance(info, ShapeStructInfo):
        return tuple([3 for _ in info.values or ()])
    assert isinstance(info, TensorStructInfo)
    shape = [size.value if isinstance(size, IntImm) else 3 for size in info.extents or ()]
    if "int" in str(info.dtype):
        return RNG.integers(0, 2, shape).astype(str(info.dtype))
    return RNG.uniform(0.1, 1, shape).astype(str(info.dtype))


def flat(value: Any) -> list[Any]:
    if isinstance(value, (list, tuple)):
        fields: Sequence[Any] = value
        return [leaf for field in fields for leaf in flat(field)]
    return [value.numpy()]


def check(name: str, mod: Any, methods: Sequence[str]) -> None:
    """Compare a compiled module with one whose operators NumPy computes. Raises `Unsupported` without a reference."""
    compiled = relax.build(mod, "llvm", pipeline="default")
    reference = relax.build(mod, "llvm", pipeline=lambda operators: operators, exec_mode="bytecode")
    rtol = 2e-2 if '"float16"' in mod.script() else 1e-4
    for method in methods:
        values = [value_of(param.struct_info) for param in mod[method].params]
        # functions may write into their arguments
        pairs = zip(flat(compiled[method](*deepcopy(values))), flat(reference[method](*values)), strict=True)
        for result, expected in pairs:
            np.testing.assert_allclose(result, expected, rtol, 1e-5, err_msg=name)


@pytest.mark.long
def test_models() -> None:
    checked: list[str] = []
    without: list[str] = []
    for name, module, spec, options in load_models().models(nn, T):
        if name not in LEFT_OUT:
            try:
                check(name, module.export_tvm(spec, **options)[0], list(spec))
                checked.append(name)
            except Unsupported:
                without.append(name)
    assert without == WITHOUT_REFERENCE
    assert len(checked) > 90
