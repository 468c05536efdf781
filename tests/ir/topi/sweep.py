"""Each operator over dtypes, ranks, extents 0 and 1, symbolic sizes: `tests/cases/topi/sweep`, against NumPy."""

from __future__ import annotations

import warnings
from pathlib import Path
from typing import Any

import ml_dtypes
import numpy as np

import tvmscript
from tests.ir.topi import cases
from tests.ir.topi.cases import Case, function_of

FILES = sorted((cases.FOLDER / "sweep").glob("*.py"))
#: values of the symbolic sizes
SIZES = ({"n": 5, "m": 3, "k": 4}, {"n": 1, "m": 2, "k": 1}, {"n": 0, "m": 1, "k": 3}, {"n": 2, "m": 0, "k": 0})
#: relative and absolute tolerances
TOLERANCES = {"bfloat16": 6e-2, "float16": 1e-2, "float32": 2e-5, "float64": 1e-6}
#: ranges of the values of inputs that say none, by bool and by the kinds of NumPy's dtypes; V: bfloat16
RANGES = {"bool": "0:2", "u": "0:5", "i": "-4:5", "f": "-2:2", "V": "-2:2"}
SPECIAL = (np.nan, np.inf, -np.inf, -0.0, 0.0, 0.5, 1.5, 2.5, -0.5, -1.5, 1.0)

Array = np.ndarray[Any, Any]


def numpy_dtype(name: str) -> Any:
    """The dtype of NumPy, or of ml_dtypes, of this name."""
    return np.dtype(getattr(ml_dtypes, name, None) or name)


#: what case files may use beside the names of the other ones
NAMES = {"numpy_dtype": numpy_dtype, "numpy_finfo": ml_dtypes.finfo}


def load(path: Path) -> dict[str, Case]:
    """The cases of a file by name."""
    return cases.load(path, NAMES)[0]


def sizes_of(case: Case) -> list[dict[str, int]]:
    """The different values of the symbolic sizes of a case."""
    names = {dim for _, _, dims, _ in cases.inputs_of(case) for dim in dims if dim.isalpha()}
    found = [{name: value for name, value in sizes.items() if name in names} for sizes in SIZES]
    if len(case) > 3 and case[3].get("positive"):
        found = [sizes for sizes in found if 0 not in sizes.values()]
    return [sizes for number, sizes in enumerate(found) if sizes not in found[:number]]


def values_of(case: Case, sizes: dict[str, int], seed: int) -> list[Array]:
    """Inputs of a case: random numbers of its range, or all special values."""
    generator = np.random.default_rng(seed)
    arrays: list[Array] = []
    for _, name, dims, values in cases.inputs_of(case):
        dtype = numpy_dtype(name)
        shape = [sizes[dim] if dim in sizes else int(dim) for dim in dims]
        if values == "special":
            array = np.resize(SPECIAL, shape)
        else:
            low, high = (values or RANGES[name if name == "bool" else dtype.kind]).split(":")
            if dtype.kind in "iub":
                array = np.asarray(generator.integers(int(low), int(high), shape))
            else:
                array = np.asarray(generator.uniform(float(low), float(high), shape))
        arrays.append(array.astype(dtype))
    return arrays


def check(case: Case) -> None:
    """Compare what a case computes by LLVM and by the interpreter with its reference; memory begins as 77."""
    func = function_of(case)
    options: dict[str, Any] = case[3] if len(case) > 3 else {}
    modules = [tvmscript.build(func, target) for target in ("llvm", "interp")]
    for number, sizes in enumerate(sizes_of(case)):
        inputs = values_of(case, sizes, number)
        with np.errstate(all="ignore"), warnings.catch_warnings():
            # means of nothing
            warnings.simplefilter("ignore", RuntimeWarning)
            # NumPy computes halves in float32
            wide = [array.astype("float32") if is_narrow(array.dtype) else array for array in inputs]
            expected = case[2](*wide)
        for module in modules:
            outputs = cases.outputs_of(func, len(inputs), sizes, 77)
            module["main"](*[array.copy() for array in inputs], *outputs)
            for result, value in zip(outputs, expected if isinstance(expected, list) else [expected], strict=True):
                compare(result, np.asarray(value), options.get("rtol", 0))


def is_narrow(dtype: Any) -> bool:
    """Whether a dtype has fewer bits than float32."""
    return str(dtype) in ("float16", "bfloat16")


def compare(result: Array, value: Array, least: float) -> None:
    """Compare a result with its reference, in the dtype of the result."""
    assert result.shape == value.shape
    with np.errstate(all="ignore"):
        value = value.astype(result.dtype)
    tolerance = TOLERANCES.get(str(result.dtype))
    if tolerance is None:
        np.testing.assert_array_equal(result, value)
        return
    wide = "float32" if is_narrow(result.dtype) else str(result.dtype)
    rtol = max(least, tolerance)
    np.testing.assert_allclose(result.astype(wide), value.astype(wide), rtol, rtol)
