"""Patterns of graph values: what matches, and what each pattern matched."""

from __future__ import annotations

from typing import Any

import pytest

import tvmscript
from tvmscript.ir.relax.variables import get_var2val
from tvmscript.relax import TensorStructInfo, dpl
from tvmscript.relax.dpl import DFPattern, is_op, wildcard

PROGRAM = """
@R.function
def main(x: R.Tensor((4, 8), "float32"), w: R.Tensor((8, 8), "float32"), b: R.Tensor((8,), "float32")):
    with R.dataflow():
        product = R.matmul(x, w)
        sum = R.add(b, product)
        twice = R.multiply(sum, sum)
        pair = (product, sum)
        item = pair[1]
        two = R.const(2, "float32")
        scaled = R.divide(item, two)
        maximum = R.max(scaled, axis=[1])
        packed = R.call_dps_packed("kernel", (x,), out_sinfo=R.Tensor((4,), "float32"))
        gv = R.add(maximum, packed)
        R.output(gv)
    return gv
"""
_VALUES = get_var2val(tvmscript.from_source(PROGRAM))
_NAMED = {var.name_hint: var for var in _VALUES}

_product = is_op("relax.matmul")(wildcard(), wildcard())
_same = wildcard()


@pytest.mark.parametrize(
    ("name", "pattern", "expected"),
    [
        ("product", _product, True),
        ("sum", _product, False),
        ("sum", _product + wildcard(), True),  # addition commutes
        ("sum", _product - wildcard(), False),
        ("twice", _same * _same, True),
        ("product", is_op("relax.matmul")(_same, _same), False),
        ("pair", dpl.is_tuple([_product, wildcard()]), True),
        ("pair", dpl.is_tuple([_product + wildcard(), _product]), False),
        ("pair", dpl.is_tuple([_product + wildcard(), _product], unordered=True), True),
        ("pair", dpl.is_tuple([wildcard()]), False),
        ("item", dpl.is_tuple_get_item(wildcard()), True),
        ("item", dpl.is_tuple_get_item(wildcard(), 0), False),
        ("scaled", wildcard() / dpl.is_const(), True),
        ("two", dpl.is_const(), True),
        ("maximum", is_op("relax.max")(wildcard()).has_attr({"axis": (1,)}), True),
        ("maximum", dpl.has_attr({"axis": (0,)}), False),
        ("maximum", is_op("relax.max")(wildcard().has_shape((4, 8))), True),
        ("maximum", wildcard().has_shape((4, 8)), False),
        ("maximum", dpl.has_dtype("float32"), True),
        ("maximum", dpl.has_dtype("float16"), False),
        ("maximum", wildcard().has_struct_info(TensorStructInfo(None, "float32", ndim=1)), True),
        ("maximum", wildcard().has_struct_info(TensorStructInfo((5,), "float32")), False),
        ("packed", dpl.is_call_dps_packed("kernel"), True),
        ("packed", dpl.is_call_dps_packed("kernel", [dpl.is_var("x")]), True),
        ("packed", dpl.is_call_dps_packed("other"), False),
        ("packed", dpl.is_call_tir("kernel"), False),
        ("packed", dpl.is_call_packed("kernel"), False),
        ("product", dpl.is_dfv("product"), True),
        ("product", dpl.is_var("sum"), False),
        ("gv", dpl.is_dfv(), False),
        ("product", dpl.is_gv(), False),
        ("sum", is_op("relax.exp")(wildcard()) | (_product + wildcard()), True),
        ("sum", ~is_op("relax.add")(wildcard(), wildcard()), False),
        ("sum", wildcard().has_dtype("float32") & ~dpl.is_const(), True),
        ("product", is_op("relax.matmul")(wildcard()), False),
        ("product", is_op("relax.matmul")(wildcard(), varg_default_wildcard=True), True),
        ("sum", dpl.make_fused_bias_activation_pattern("relax.matmul", with_bias=True), True),
        ("sum", dpl.make_fused_bias_activation_pattern("relax.matmul", True, "relax.nn.relu"), False),
        ("sum", _product.optional(lambda value: value + wildcard()), True),
        ("two", dpl.is_expr(_VALUES[_NAMED["two"]]), True),
    ],
)
def test_match(name: str, pattern: DFPattern, expected: bool) -> None:
    assert dpl.match_expr(pattern, _NAMED[name], _VALUES) == expected


def test_what_each_pattern_matched() -> None:
    left, right = wildcard(), wildcard()
    product = is_op("relax.matmul")(left, right)
    matches: Any = dpl.extract_matched_expr(wildcard() + product, _NAMED["sum"], _VALUES)
    assert matches[product] is _VALUES[_NAMED["product"]]
    assert (matches[left].name_hint, matches[right].name_hint) == ("x", "w")


def test_without_bindings_a_variable_is_no_call() -> None:
    assert not dpl.match_expr(_product, _NAMED["product"])
    assert dpl.extract_matched_expr(_product, _NAMED["sum"], _VALUES) is None


def test_rewrite_call_runs_to_a_fixed_point() -> None:
    func = tvmscript.from_source("""
@R.function
def main(x: R.Tensor((4,), "float32")):
    a = R.abs(x)
    b = R.abs(a)
    c = R.abs(b)
    return c
""")
    value = wildcard()
    twice = is_op("relax.abs")(is_op("relax.abs")(value))
    rewritten = dpl.rewrite_call(twice, lambda call, matches: call.replace(args=(matches[value],)), func)
    calls: list[Any] = list(get_var2val(rewritten).values())
    assert [call.op.name for call in calls] == ["relax.abs"]
    assert dpl.rewrite_call(twice, lambda call, matches: call, func) is func
