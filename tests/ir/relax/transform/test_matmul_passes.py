"""Passes that reorder products, lift functions and change parameters: values, and what case files cannot hold."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tvmscript
from tests.ir.relax.transform.graph_values import results
from tests.ir.transform.casefile import GRAPH_CASES, load
from tvmscript.ir.core import IRModule, WrongType
from tvmscript.ir.relax.function import Function
from tvmscript.ir.relax.struct_info import TensorStructInfo
from tvmscript.ir.relax.transform.normal_form.topological_sort import TopologicalSort
from tvmscript.ir.relax.transform.operators.combine_parallel_matmul import CombineParallelMatmul
from tvmscript.ir.relax.transform.parameters.update_param_struct_info import UpdateParamStructInfo
from tvmscript.ir.relax.verify import verify
from tvmscript.ir.tir import IntImm

CASES = (
    "adjust_matmul_order/orders",
    "combine_parallel_matmul/branches",
    "remove_matmul_broadcast/batches",
    "fold_batch_norm/channels",
    "fuse_attention/heads",
    "remove_redundant_reshape/chains",
    "reorder_take_after_matmul/broadcast",
    "reorder_take_after_matmul/columns_and_batches",
)


def _arguments(func: Function) -> list[Any] | None:
    """Random arguments, None for a function of symbolic sizes or layouts."""
    generator = np.random.default_rng(0)
    args: list[Any] = []
    for param in func.params:
        info = param.struct_info
        assert isinstance(info, TensorStructInfo)
        shape = [size.value for size in info.extents or () if isinstance(size, IntImm)]
        if len(shape) != info.ndim:
            return None
        is_index = info.dtype.is_integer
        args.append(generator.integers(0, 3, shape) if is_index else generator.normal(size=shape).astype("float32"))
    return args


@pytest.mark.parametrize("name", CASES)
def test_values(name: str) -> None:
    case = load(GRAPH_CASES / f"{name}.py")
    before = case.program()
    after = case.make_pass()(before)
    verify(after)
    for var, func in before.items():
        assert isinstance(func, Function)
        args = _arguments(func)
        if args is not None:
            want, got = (results(mod, args, var.name_hint) for mod in (before, after))
            for a, b in zip(want, got, strict=True) if isinstance(want, list) else [(want, got)]:
                np.testing.assert_allclose(b, a, rtol=1e-4, atol=1e-5, err_msg=var.name_hint)


PRODUCTS = """
@R.function
def main(x: R.Tensor((2, 4), "float32"), a: R.Tensor((4, 3), "float32"), b: R.Tensor((4, 5), "float32")):
    with R.dataflow():
        lv = R.matmul(x, a)
        lv1 = R.matmul(x, b)
        R.output(lv, lv1)
    return (lv, lv1)
"""


def test_check_sees_the_products() -> None:
    mod = IRModule.from_expr(tvmscript.from_source(PRODUCTS))
    seen: list[Any] = []

    def check(left: Any, rights: Any, biases: Any, values: Any) -> bool:
        seen.append((left.name_hint, [right.name_hint for right in rights], biases, len(values)))
        return False

    assert CombineParallelMatmul(check)(mod) is mod
    assert seen == [("x", ["a", "b"], [], 2)]
    assert "R.split" in CombineParallelMatmul()(mod).script()


def test_struct_info_of_parameters() -> None:
    mod = IRModule.from_expr(tvmscript.from_source(PRODUCTS))

    def half(param: Any) -> Any:
        info = param.struct_info
        return None if param.name_hint == "missing" else TensorStructInfo(info.shape, "float16")

    after = UpdateParamStructInfo(half)(mod)
    verify(after)
    assert "float32" not in after.script()
    assert UpdateParamStructInfo(lambda param: None)(mod) is mod


@pytest.mark.parametrize("options", [{"order": "random"}, {"direction": "up"}])
def test_words_of_topological_sort(options: Any) -> None:
    with pytest.raises(WrongType):
        TopologicalSort(**options)


def test_values_of_packed_weights() -> None:
    case = load(GRAPH_CASES / "pack_weights" / "panels.py")
    rng = np.random.default_rng(0)
    args = [tvmscript.nd.array(rng.normal(size=shape).astype("float32")) for shape in ((4, 3), (8, 4))]
    before, after = (
        tvmscript.relax.VirtualMachine(tvmscript.relax.build(mod, "interp"), tvmscript.cpu())["main"](*args)
        for mod in (case.program(), case.make_pass()(case.program()))
    )
    for expected, result in zip(before, after, strict=True):
        np.testing.assert_allclose(result.numpy(), expected.numpy(), rtol=1e-6)


def test_weights_that_are_taken_without_an_axis_stay() -> None:
    program = tvmscript.from_source("""
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((3, 16), "float32"), w: R.Tensor((16,), "float32"), ids: R.Tensor((16,), "int64")):
        with R.dataflow():
            taken = R.take(w, ids)
            y = R.matmul(x, taken)
            R.output(y)
        return y
""")
    after = tvmscript.relax.transform.ReorderTakeAfterMatmul()(program)
    assert tvmscript.ir.structural_equal(after, program)
