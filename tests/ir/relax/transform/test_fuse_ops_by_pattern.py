"""FuseOpsByPattern and MergeCompositeFunctions: patterns are objects, so there are no case files."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tvmscript
from tests.ir.relax.transform.graph_values import run
from tvmscript.ir.core import IRModule, UnknownName
from tvmscript.ir.relax.transform.fusion.fuse_ops_by_pattern import FuseOpsByPattern, FusionPattern, PatternCheckContext
from tvmscript.ir.relax.transform.fusion.merge_composite_functions import MergeCompositeFunctions
from tvmscript.ir.relax.verify import verify
from tvmscript.relax.dpl import is_op, make_fused_bias_activation_pattern, wildcard

PROGRAM = """
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((8, 8), "float32"), w: R.Tensor((8, 8), "float32"), b: R.Tensor((8,), "float32")):
        with R.dataflow():
            lv = R.matmul(x, w)
            lv1 = R.add(lv, b)
            lv2 = R.nn.relu(lv1)
            lv3 = R.matmul(lv2, w)
            lv4 = R.exp(lv3)
            gv = R.matmul(lv4, w)
            R.output(gv)
        return gv
"""
#: as TVM prints it
COMPOSITE = """\
    @R.function(private=True)
    def fused_relax_matmul_relax_add_relax_nn_relu(x: R.Tensor((8, 8), dtype="float32"), w: R.Tensor((8, 8), dtype="float32"), b: R.Tensor((8,), dtype="float32")) -> R.Tensor((8, 8), dtype="float32"):
        R.func_attr({"Composite": "blas.dense", "Primitive": 1})
        with R.dataflow():
            lv: R.Tensor((8, 8), dtype="float32") = R.matmul(x, w, out_dtype="void")
            lv1: R.Tensor((8, 8), dtype="float32") = R.add(lv, b)
            gv: R.Tensor((8, 8), dtype="float32") = R.nn.relu(lv1)
            R.output(gv)
        return gv
"""  # noqa: E501

DENSE = ("blas.dense", make_fused_bias_activation_pattern("relax.matmul", True, "relax.nn.relu"))
PRODUCT = ("blas.product", is_op("relax.matmul")(wildcard(), wildcard()))


def _module(text: str = PROGRAM) -> IRModule:
    module: IRModule = tvmscript.from_source(text)
    return module


def _names(mod: IRModule, attr: str) -> list[str]:
    functions: list[Any] = [func for _, func in mod.functions_items()]
    return [str(func.attrs[attr]) for func in functions if attr in func.attrs]


def test_text() -> None:
    mod = FuseOpsByPattern([DENSE])(_module())
    assert COMPOSITE in mod.script()
    verify(mod)


def test_earlier_patterns_win() -> None:
    assert _names(FuseOpsByPattern([DENSE, PRODUCT])(_module()), "Composite") == ["blas.product", "blas.dense"]
    assert _names(FuseOpsByPattern([PRODUCT, DENSE])(_module()), "Composite") == ["blas.product"]


def test_code_generators_get_public_functions() -> None:
    mod = FuseOpsByPattern([DENSE], annotate_codegen=True)(_module())
    assert _names(mod, "Codegen") == ["blas"]
    assert "local_func" in mod.script()
    verify(mod)


def test_constants_become_parameters() -> None:
    text = PROGRAM.replace("R.add(lv, b)", 'R.add(lv, R.const(1, "float32"))')
    for is_bound, count in ((True, 2), (False, 3)):
        mod = FuseOpsByPattern([DENSE], bind_constants=is_bound)(_module(text))
        assert len(mod["fused_relax_matmul_relax_add_relax_nn_relu"].params) == count


def test_check_sees_the_match() -> None:
    left = wildcard()
    seen: list[PatternCheckContext] = []

    def check(context: PatternCheckContext) -> bool:
        seen.append(context)
        return bool(context.annotated_expr["left"].name_hint == "lv4")

    product = is_op("relax.matmul")(left, wildcard())
    pattern = FusionPattern("blas.product", product, {"left": left}, check, lambda annotated: {"left": "lv4"})
    mod = FuseOpsByPattern([pattern])(_module())
    assert len(seen) == 3
    assert [var.name_hint for var in seen[0].matched_bindings] == ["lv"]
    assert [var.name_hint for var in seen[0].var_usages[seen[0].value_to_bound_var[seen[0].matched_expr]]] == ["lv1"]
    assert _names(mod, "left") == ["lv4"]


def test_a_match_that_needs_its_own_result_is_left_alone() -> None:
    text = PROGRAM.replace("R.add(lv, b)", "R.add(R.exp(lv), lv)")
    mod = _module(text)
    assert FuseOpsByPattern([("blas.sum", PRODUCT[1] + wildcard())])(mod) is mod


def test_entry_functions() -> None:
    mod = _module()
    assert _names(FuseOpsByPattern([DENSE], entry_functions=["main"])(mod), "Composite") == ["blas.dense"]
    with pytest.raises(UnknownName):
        FuseOpsByPattern([DENSE], entry_functions=["absent"])(mod)


def test_neighbours_merge() -> None:
    mod = MergeCompositeFunctions()(FuseOpsByPattern([DENSE, PRODUCT])(_module()))
    assert _names(mod, "Codegen") == ["blas", "blas"]
    assert not _names(mod, "Composite")  # they are local functions
    assert [var.name_hint for var in mod.get_global_vars()] == [
        "fused_relax_matmul1_blas",
        "fused_relax_matmul_relax_add_relax_nn_relu_relax_matmul_blas",
        "main",
    ]
    verify(mod)


def test_a_function_would_depend_on_itself() -> None:
    text = """
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((8, 8), "float32")):
        with R.dataflow():
            lv = R.matmul(x, x)
            lv1 = R.exp(lv)
            gv = R.matmul(lv, lv1)
            R.output(gv)
        return gv
"""
    mod = MergeCompositeFunctions()(FuseOpsByPattern([PRODUCT])(_module(text)))
    assert _names(mod, "Codegen") == ["blas", "blas"]  # R.exp stands between them
    verify(mod)
    unchanged = _module(text)
    assert MergeCompositeFunctions()(unchanged) is unchanged


def test_values_of_merged_neighbours() -> None:
    """Several results are a tuple; other operators stand between the calls, and take items."""
    text = """
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((4, 4), "float32"), p: R.Tuple(R.Tensor((4, 4), "float32"), R.Tensor((4, 4), "float32"))):
        with R.dataflow():
            w = p[1]
            lv = R.matmul(x, w)
            lv1 = R.exp(lv)
            lv2 = R.matmul(lv, x)
            lv3 = R.matmul(lv2, p[0])
            gv = R.add(lv1, lv2)
            R.output(lv3, gv)
        return (gv, lv3)
"""
    mod = _module(text)
    merged = MergeCompositeFunctions()(FuseOpsByPattern([PRODUCT])(mod))
    verify(merged)
    assert _names(merged, "Codegen") == ["blas"]
    x, v, w = (np.random.default_rng(seed).random((4, 4), "float32") for seed in range(3))
    values = run(merged, x, (v, w))
    for value, expected in zip(values, (np.exp(x @ w) + x @ w @ x, x @ w @ x @ v), strict=True):
        np.testing.assert_allclose(np.asarray(value), expected, rtol=1e-5)
