"""Random graphs of a few kernels: native code over planned memory and the interpreter compute what NumPy computes."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest

import tvmscript as tvm
from tvmscript import relax
from tvmscript.backends.vm.graph_function import GraphFunction
from tvmscript.ir.relax.lowering.memory_plan import peak_of_live_bytes

_KERNELS = """
@I.ir_module
class Module:
    @T.prim_func(private=True)
    def add(a: T.handle, b: T.handle, c: T.handle):
        T.func_attr({"tir.noalias": True})
        n = T.int64()
        A = T.match_buffer(a, (n,))
        B = T.match_buffer(b, (n,))
        C = T.match_buffer(c, (n,))
        for i in range(n):
            with T.block("C"):
                vi = T.axis.spatial(n, i)
                C[vi] = A[vi] + B[vi]

    @T.prim_func(private=True)
    def both(a: T.handle, b: T.handle, c: T.handle):
        T.func_attr({"tir.noalias": True})
        n = T.int64()
        A = T.match_buffer(a, (n,))
        B = T.match_buffer(b, (n,))
        C = T.match_buffer(c, (n * 2,))
        for i in range(n):
            with T.block("B"):
                vi = T.axis.spatial(n, i)
                B[vi] = A[vi] * T.float32(0.5)
                C[vi] = A[vi] - T.float32(1)
                C[vi + n] = A[vi]

    @T.prim_func(private=True)
    def half(a: T.handle, b: T.handle):
        T.func_attr({"tir.noalias": True})
        n = T.int64()
        A = T.match_buffer(a, (n * 2,))
        B = T.match_buffer(b, (n,))
        for i in range(n):
            with T.block("B"):
                vi = T.axis.spatial(n, i)
                B[vi] = A[vi] + A[vi + n]
"""
_COUNT = 12


def _graph(number: int, is_symbolic: bool) -> tuple[str, Any]:
    """Return the text of a graph function of one parameter of 12 elements, and the function in NumPy."""
    rng = random.Random(number)
    unit = "n" if is_symbolic else "12"
    #: name -> how many times the unit it has, in halves: 1 is the half
    sizes: dict[str, int] = {"x": 2}
    steps: list[tuple[Any, ...]] = []
    lines = [f'def graph_{number}(x: R.Tensor(("n",), "float32")):' if is_symbolic else
             f'def graph_{number}(x: R.Tensor((12,), "float32")):']  # fmt: skip
    if is_symbolic:
        lines.append("    n = T.int64()")
    lines.append("    cls = Module")

    def info(size: int) -> str:
        return f'R.Tensor(({unit} * {size // 2},), "float32")'

    for step in range(rng.randint(3, 14)):
        name, a = f"v{step}", rng.choice(list(sizes))
        kind = rng.choice(["add", "add", "both", "half", "reshape"])
        if kind == "half" and sizes[a] < 4:
            kind = "add"
        if kind == "both" and sizes[a] > 4:
            kind = "half"
        if kind == "add":
            b = rng.choice([other for other in sizes if sizes[other] == sizes[a]])
            lines.append(f"    {name} = R.call_tir(cls.add, ({a}, {b}), {info(sizes[a])})")
            steps.append((kind, name, a, b))
            sizes[name] = sizes[a]
        elif kind == "half":
            lines.append(f"    {name} = R.call_tir(cls.half, ({a},), {info(sizes[a] // 2)})")
            steps.append((kind, name, a))
            sizes[name] = sizes[a] // 2
        elif kind == "both":
            lines.append(f"    {name}t = R.call_tir(cls.both, ({a},), [{info(sizes[a])}, {info(sizes[a] * 2)}])")
            lines += [f"    {name} = {name}t[0]", f"    {name}d = {name}t[1]"]
            steps.append((kind, name, a))
            sizes[name], sizes[f"{name}d"] = sizes[a], sizes[a] * 2
        else:
            lines.append(f"    {name}r = R.reshape({a}, R.shape([2, {unit} * {sizes[a] // 2} // 2]))")
            lines.append(f"    {name} = R.reshape({name}r, R.shape([{unit} * {sizes[a] // 2}]))")
            steps.append((kind, name, a))
            sizes[name] = sizes[a]
    results = rng.sample(list(sizes), rng.randint(1, min(3, len(sizes))))
    lines.append(f"    return ({', '.join(results)},)")

    def compute(x: Any) -> list[Any]:
        values = {"x": x}
        for kind, name, a, *rest in steps:
            if kind == "add":
                values[name] = values[a] + values[rest[0]]
            elif kind == "half":
                low, high = np.split(values[a], 2)
                values[name] = low + high
            elif kind == "both":
                values[name] = values[a] * np.float32(0.5)
                values[f"{name}d"] = np.concatenate([values[a] - np.float32(1), values[a]])
            else:
                values[name] = values[a]
        return [values[name] for name in results]

    return "\n".join(f"    {line}" for line in ["@R.function", *lines]), compute


@pytest.fixture(scope="module")
def graphs() -> tuple[tvm.IRModule, list[Any]]:
    drawn = [_graph(number, number % 2 == 1) for number in range(_COUNT)]
    text = _KERNELS + "\n" + "\n\n".join(text for text, _ in drawn)
    return tvm.from_source(text), [compute for _, compute in drawn]


@pytest.mark.parametrize("exec_mode", ["compiled", "bytecode"])
def test_values(graphs: tuple[tvm.IRModule, list[Any]], exec_mode: Any) -> None:
    module, computations = graphs
    executable = relax.build(module, exec_mode=exec_mode)
    vm = relax.VirtualMachine(executable, tvm.cpu())
    x = np.arange(12, dtype="float32") - 5
    for number, compute in enumerate(computations):
        for _ in range(2):  # the second call reuses memory
            for got, expected in zip(vm[f"graph_{number}"](x), compute(x), strict=True):
                np.testing.assert_array_equal(got.numpy(), expected, err_msg=f"graph {number}")
    assert not executable.reasons or exec_mode == "bytecode"


def test_planned_memory_is_near_the_peak_of_live_bytes(graphs: tuple[tvm.IRModule, list[Any]]) -> None:
    executable = relax.build(graphs[0])
    planned = bound = 0
    for function in executable.functions.values():
        assert isinstance(function, GraphFunction)
        if function.host.plan is not None:
            sizes, lives = zip(*function.host.temporaries, strict=True) if function.host.temporaries else ((), ())
            planned += function.host.plan.size
            bound += peak_of_live_bytes(sizes, lives)
    assert bound <= planned <= 1.05 * bound
