"""`T.call_extern` of math.h in the interpreter: what compiled code, which calls the C library, computes."""

from __future__ import annotations

import numpy as np
import pytest

import tvmscript
from tvmscript.backends.interp.libm import functions, reference_of_extern
from tvmscript.backends.runtime.errors import Unsupported
from tvmscript.ir.tir import Call, Var
from tvmscript.tir import call_extern

VALUES = [0.0, -0.0, 0.5, -0.5, 1.0, -1.0, 1.5, 2.5, -2.5, 3.0, -3.0, 10.25, 100.0, -100.0, 1e-30, 800.0,
          float("inf"), float("-inf"), float("nan")]  # fmt: skip


def program(call: str, dtype: str, count: int, size: int) -> tvmscript.IRModule:
    params = ", ".join(f'{name}: T.Buffer(({size},), "{dtype}")' for name in "XYZ"[:count])
    args = ", ".join(f"{name}[i]" for name in "XYZ"[:count])
    return tvmscript.IRModule(
        {
            "f": tvmscript.from_source(f"""
@T.prim_func
def f({params}, R: T.Buffer(({size},), "{dtype}")):
    T.func_attr({{"global_symbol": "f"}})
    for i in range({size}):
        R[i] = {call.format(args=args)}
""")
        }
    )


@pytest.mark.parametrize("dtype", ["float64", "float32"])
@pytest.mark.parametrize("name", sorted(functions()))
def test_the_c_library_computes_the_same(name: str, dtype: str) -> None:
    count = functions()[name].num_inputs
    grid = [axis.reshape(-1) for axis in np.meshgrid(*[VALUES] * min(count, 2), indexing="ij")]
    inputs = [np.ascontiguousarray(axis, dtype) for axis in ([*grid, grid[0]] if count == 3 else grid)]
    spelled = name if dtype == "float64" else f"{name}f"
    module = program(f'T.call_extern("{dtype}", "{spelled}", {{args}})', dtype, count, inputs[0].size)
    results = {target: np.empty(inputs[0].size, dtype) for target in ("interp", "llvm")}
    for target, result in results.items():
        tvmscript.build(module, target=target)["f"](*inputs, result)
    np.testing.assert_allclose(
        results["interp"], results["llvm"], rtol=1e-5 if dtype == "float32" else 1e-13, atol=1e-36
    )


@pytest.mark.parametrize(
    ("call", "dtype", "count"),
    [
        ('T.call_extern("float32", "sqrt", {args})', "float32", 1),
        ('T.call_extern("float64", "sqrtf", {args})', "float64", 1),
        ('T.call_extern("float64", "sqrt", {args})', "float64", 2),
        ('T.call_extern("float64", "getenv", {args})', "float64", 1),
        ('T.call_extern("float64", "sqrt", T.int32(2))', "float64", 1),
    ],
)
def test_other_functions_and_signatures(call: str, dtype: str, count: int) -> None:
    arrays = [np.ones(4, dtype) for _ in range(count + 1)]
    with pytest.raises(Unsupported):
        tvmscript.build(program(call, dtype, count, 4), target="interp")["f"](*arrays)


@pytest.mark.parametrize(
    ("name", "dtypes", "is_known"),
    [
        ("exp", ["float64", "float64"], True),
        ("expf", ["float32", "float32"], True),
        ("exp", ["float32", "float32"], False),
        ("expf", ["float32", "float64"], False),
        ("expf", ["float64", "float32"], False),
        ("expf", ["float64", "float64"], False),
        ("pow", ["float64", "float64", "float64"], True),
        ("pow", ["float64", "float64", "int32"], False),
        ("pow", ["float64", "float64"], False),
        ("exq", ["float64", "float64"], False),
    ],
)
def test_functions_are_known_by_their_dtypes(name: str, dtypes: list[str], is_known: bool) -> None:
    result, *arguments = dtypes
    call = call_extern(result, name, *(Var("x", dtype) for dtype in arguments))
    assert isinstance(call, Call)
    assert (reference_of_extern(call) is not None) == is_known
