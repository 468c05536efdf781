"""Case files of operators: their texts, and what the arrays of their results are."""

from __future__ import annotations

import importlib.util
import json
import subprocess
import sys
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np

import tvmscript
from tvmscript import T, te, tir, topi
from tvmscript.ir.arith.analyzer import Analyzer
from tvmscript.ir.core.errors import TVMScriptError
from tvmscript.ir.tir import IntImm, PrimFunc, substitute, uses

FOLDER = Path(__file__).parents[2] / "cases" / "topi"
FILES = sorted((FOLDER / "operators").glob("*.py"))
#: sizes of the test of values, by their names
SIZES = ({"n": 5, "m": 3, "k": 4}, {"n": 1, "m": 7, "k": 2}, {"n": 0, "m": 2, "k": 6})

Case = Any


@cache
def _spec() -> ModuleType:
    spec = importlib.util.spec_from_file_location("spec_of_operators", FOLDER / "spec.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@cache
def load(path: Path) -> tuple[dict[str, Case], dict[str, str]]:
    """The cases of a file by name, and the reasons of those whose texts differ from TVM's."""
    names: dict[str, Any] = {"te": te, "tvm": tvmscript, "T": T, "tir": tir, "topi": topi, "np": np}
    loaded: tuple[dict[str, Case], dict[str, str]] = _spec().cases(str(path), names)
    return loaded


def function_of(case: Case, index_dtype: str = "int32") -> PrimFunc:
    """The function of a case."""
    arguments = _spec().arguments(te, case[0], case[1], index_dtype)
    return te.create_prim_func(arguments, None if index_dtype == "int32" else index_dtype)


def text_of(case: Case, index_dtype: str = "int32") -> str:
    """The text of a case's function; of an error its code."""
    try:
        return function_of(case, index_dtype).script()
    except TVMScriptError as error:
        return f"refused: {error.code}"


def values_of(case: Case, sizes: dict[str, int], seed: int) -> list[np.ndarray[Any, Any]]:
    """Random inputs of a case."""
    generator = np.random.default_rng(seed)
    arrays: list[np.ndarray[Any, Any]] = []
    for _, dtype, dims, values in _spec().inputs(case[0]):
        shape = [sizes[dim] if dim in sizes else int(dim) for dim in dims]
        low, high = map(float, (values or "-1:1").split(":"))
        is_float = dtype.startswith("float")
        array = generator.uniform(low, high, shape) if is_float else generator.integers(int(low), int(high), shape)
        arrays.append(np.asarray(array).astype(dtype))
    return arrays


@cache
def peers_texts() -> dict[str, dict[str, list[str]]]:
    """The texts of TVM by file and name, with 32-bit and 64-bit sizes."""
    driver = sys.modules["tvmscript_oracle"].__file__
    out = Path(sys.modules["tvmscript_oracle"].__dict__.get("tmp", "/tmp")) / "topi.json"
    command = [sys.executable, str(driver), "exec", str(FOLDER / "in_tvm.py"), str(out), *map(str, FILES)]
    subprocess.run(command, check=True, capture_output=True)
    return {Path(path).stem: texts for path, texts in json.loads(out.read_text()).items()}


def results_of(
    case: Case, func: PrimFunc, inputs: list[np.ndarray[Any, Any]], sizes: dict[str, int], target: str
) -> list[np.ndarray[Any, Any]]:
    """The arrays that the function of a case computes."""
    outputs: list[np.ndarray[Any, Any]] = []
    for param in func.params[len(inputs) :]:
        buffer = func.buffer_map[param]
        known = {var: IntImm(var.dtype, sizes[var.name]) for extent in buffer.shape for var in uses(extent)}
        shape: list[Any] = [Analyzer().simplify(substitute(extent, known)) for extent in buffer.shape]
        outputs.append(np.zeros([extent.value for extent in shape], str(buffer.dtype)))
    tvmscript.build(func, target)["main"](*[array.copy() for array in inputs], *outputs)
    return outputs


def check_values(case: Case, all_sizes: bool) -> None:
    """Compare what a case computes by LLVM, and on small inputs by the interpreter, with its reference."""
    func = function_of(case)
    options: dict[str, Any] = case[3] if len(case) > 3 else {}
    for number, sizes in enumerate(options.get("sizes", SIZES)[: None if all_sizes else 2]):
        if sizes.get("n", 1) < options.get("least", 0):
            continue
        inputs = values_of(case, sizes, number)
        results = results_of(case, func, inputs, sizes, "llvm")
        rtol = options.get("rtol", 1e-5)
        if case[2] is not None:
            expected = case[2](*inputs)
            for result, value in zip(results, expected if isinstance(expected, list) else [expected], strict=True):
                assert result.shape == np.shape(value)
                np.testing.assert_allclose(result, value, rtol, rtol)
        if number == 1 or "sizes" in options or case[2] is None:
            for result, value in zip(results_of(case, func, inputs, sizes, "interp"), results, strict=True):
                np.testing.assert_allclose(result, value, rtol, rtol)
