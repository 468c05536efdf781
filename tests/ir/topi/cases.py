"""Case files of operators: their texts, and what the arrays of their results are."""

from __future__ import annotations

import importlib.util
import json
import re
import subprocess
import sys
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any

import ml_dtypes
import numpy as np

import tvmscript
from tvmscript import T, te, tir, topi
from tvmscript.ir.arith.analyzer import Analyzer
from tvmscript.ir.core.errors import TVMScriptError
from tvmscript.ir.core.module import IRModule
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


def load(path: Path, more_names: dict[str, Any] | None = None) -> tuple[dict[str, Case], dict[str, str]]:
    """The cases of a file by name, and the reasons of those whose texts differ from TVM's."""
    return _load(path, tuple((more_names or {}).items()))


@cache
def _load(path: Path, more_names: tuple[tuple[str, Any], ...]) -> tuple[dict[str, Case], dict[str, str]]:
    names: dict[str, Any] = {"te": te, "tvm": tvmscript, "T": T, "tir": tir, "topi": topi, "np": np, **dict(more_names)}
    loaded: tuple[dict[str, Case], dict[str, str]] = _spec().cases(str(path), names)
    return loaded


def module_of(case: Case, index_dtype: str = "int32") -> IRModule:
    """The lowered schedule of a case that TVM has no function of blocks for."""
    arguments = _spec().arguments(te, case[0], case[1], index_dtype)
    schedule = te.create_schedule([tensor.op for tensor in arguments if tensor.op.input_tensors])
    return tvmscript.lower(schedule, arguments, simple_mode=True)


def function_of(case: Case, index_dtype: str = "int32") -> PrimFunc:
    """The function of a case."""
    if _is_scheduled(case):
        lowered = module_of(case, index_dtype)["main"]
        assert isinstance(lowered, PrimFunc)
        return lowered
    arguments = _spec().arguments(te, case[0], case[1], index_dtype)
    return te.create_prim_func(arguments, None if index_dtype == "int32" else index_dtype)


def _is_scheduled(case: Case) -> bool:
    return len(case) > 3 and "scheduled" in case[3]


def text_of(case: Case, index_dtype: str = "int32") -> str:
    """The text of a case's function; of an error its code."""
    try:
        if _is_scheduled(case):
            return module_of(case, index_dtype).script()
        return function_of(case, index_dtype).script()
    except TVMScriptError as error:
        return f"refused: {error.code}"


def inputs_of(case: Case) -> list[tuple[str, str, list[str], str]]:
    """Name, dtype, dims and range of values of each input of a case."""
    inputs: list[tuple[str, str, list[str], str]] = _spec().inputs(case[0])
    return inputs


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


@cache
def peers_names() -> dict[str, list[str]]:
    """The names of TVM's operators by module."""
    driver = sys.modules["tvmscript_oracle"].__file__
    out = Path(sys.modules["tvmscript_oracle"].__dict__.get("tmp", "/tmp")) / "topi_names.json"
    command = [sys.executable, str(driver), "exec", str(FOLDER / "names_in_tvm.py"), str(out)]
    subprocess.run(command, check=True, capture_output=True)
    names: dict[str, list[str]] = json.loads(out.read_text())
    return names


def results_of(
    case: Case, func: PrimFunc, inputs: list[np.ndarray[Any, Any]], sizes: dict[str, int], target: str
) -> list[np.ndarray[Any, Any]]:
    """The arrays that the function of a case computes."""
    outputs = outputs_of(func, len(inputs), sizes)
    tvmscript.build(func, target)["main"](*[array.copy() for array in inputs], *outputs)
    return outputs


def outputs_of(func: PrimFunc, count: int, sizes: dict[str, int], value: int = 0) -> list[np.ndarray[Any, Any]]:
    """Arrays for the outputs of a function that has so many inputs."""
    outputs: list[np.ndarray[Any, Any]] = []
    for param in func.params[count:]:
        buffer = func.buffer_map[param]
        dtype = getattr(ml_dtypes, str(buffer.dtype), None) or str(buffer.dtype)
        outputs.append(np.full([_extent(extent, sizes) for extent in buffer.shape], value, dtype))
    return outputs


def _extent(extent: Any, sizes: dict[str, int]) -> int:
    """The value of an extent; one that divides floats is computed."""
    value = Analyzer().simplify(substitute(extent, {var: IntImm(var.dtype, sizes[var.name]) for var in uses(extent)}))
    if isinstance(value, IntImm):
        return value.value
    result = np.zeros(1, str(value.dtype))
    func = te.create_prim_func([te.compute((1,), lambda _: value)])
    tvmscript.build(func, "interp")["main"](result)
    return int(result[0])


#: relative and absolute tolerances of dtypes
TOLERANCES = {"float16": 3e-2, "float64": 1e-6}
#: families of operators that move, compare, add and multiply numbers, and the dtypes of these beside floats
NUMBERS = {
    **dict.fromkeys(["blocks", "transform"], ("int8", "uint8", "int64", "bool")),
    **dict.fromkeys(["kernels", "matmul", "nonzero", "reduction"], ("int8", "uint8", "int64")),
    "sort": ("int8", "int64"),
}
#: families whose operators take tensors of any rank
OF_ANY_RANK = ("broadcast", "elementwise")


def dtypes_of(path: Path, case: Case) -> tuple[str, ...]:
    """The dtypes that a case is tested with beside those that it names: of an option, or of its family."""
    if "float32[" not in case[0] or _is_scheduled(case):
        return ()
    options: dict[str, Any] = case[3] if len(case) > 3 else {}
    given: tuple[str, ...] = options.get("dtypes", (*TOLERANCES, *NUMBERS.get(path.stem, ())))
    return given


def with_dtype(case: Case, dtype: str) -> Case:
    """A case with other elements than float32; what it computes of halves is compared with float32."""
    ranges = "" if dtype in TOLERANCES else "{0:2}" if dtype == "bool" else "{0:5}" if dtype[0] == "u" else "{-4:5}"
    spec = re.sub(r":float32\[([^]]*)\](?!\{)", rf":{dtype}[\1]{ranges}", case[0])
    spec = spec.replace(":float32[", f":{dtype}[")
    options: dict[str, Any] = case[3] if len(case) > 3 else {}
    tolerance = max(options.get("rtol", 0), TOLERANCES.get(dtype, 1e-5))

    def reference(*arrays: np.ndarray[Any, Any]) -> Any:
        return case[2](*[array.astype("float32") if array.dtype == np.float16 else array for array in arrays])

    return spec, case[1], None if case[2] is None else reference, {**options, "rtol": tolerance}


def of_rank_0(case: Case) -> Case | None:
    """A case of rank 0, of one whose inputs have one shape and that takes any; None of another."""
    shapes = {tuple(dims) for _, _, dims, _ in _spec().inputs(case[0])}
    options: dict[str, Any] = case[3] if len(case) > 3 else {}
    if len(shapes) != 1 or shapes == {()} or "shaped" in options:
        return None
    return (re.sub(r"\[[^]]*\]", "[]", case[0]), *case[1:])


def without_rows(case: Case) -> Case | None:
    """A case whose symbolic size n is a known 0; None of a case that has none, or needs rows."""
    options: dict[str, Any] = case[3] if len(case) > 3 else {}
    has_rows = any("n" in dims for _, _, dims, _ in inputs_of(case))
    if not has_rows or _is_scheduled(case) or options.keys() & {"sizes", "least"}:
        return None
    return (re.sub(r"\[[^]]*\]", lambda dims: re.sub(r"\bn\b", "0", dims[0]), case[0]), *case[1:])


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
                if result.dtype.kind in "iu":
                    # NumPy's sums of small integers are wider
                    value = np.asarray(value).astype(result.dtype)
                np.testing.assert_allclose(result, value, rtol, rtol)
        if number == 1 or "sizes" in options or case[2] is None:
            for result, value in zip(results_of(case, func, inputs, sizes, "interp"), results, strict=True):
                np.testing.assert_allclose(result, value, rtol, rtol)
