"""Graphs of patterns: which variables they match, as TVM says, and what rewrite_bindings makes of them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import tvmscript
from tests.ir.relax.transform.graph_values import results
from tvmscript.ir.core import IRModule
from tvmscript.ir.relax.errors import BuilderMisuse, UndefinedValue
from tvmscript.ir.relax.verify import verify
from tvmscript.relax import Call, dpl, op
from tvmscript.relax.dpl import DFPattern, PatternContext, PatternSeq, is_op, is_var, rewrite_bindings, wildcard

PROGRAM = """
@R.function
def main(x: R.Tensor((4, 4), "float32"), w: R.Tensor((4, 4), "float32")):
    with R.dataflow():
        lv0 = R.matmul(x, w)
        lv1 = R.nn.relu(lv0)
        lv2 = R.add(lv0, lv1)
        lv3 = R.multiply(lv2, x)
        lv4 = R.nn.relu(lv3)
        lv5 = R.add(lv4, lv1)
        gv = R.matmul(lv5, lv3)
        R.output(gv)
    return gv
"""
_FUNC: Any = tvmscript.from_source(PROGRAM)
_BLOCK = _FUNC.body.blocks[0]

Patterns = dict[str, DFPattern]


def _binary(name: str) -> DFPattern:
    return is_op(f"relax.{name}")(wildcard(), wildcard(), add_constraint=False)


def _relu() -> DFPattern:
    return is_op("relax.nn.relu")(wildcard(), add_constraint=False)


def _names(build: Callable[[], Patterns], block: Any = _BLOCK) -> dict[str, str] | None:
    with PatternContext() as context:
        patterns = build()
    matches = context.match_dfb(block)
    return None if matches is None else {key: matches[part].name_hint for key, part in patterns.items()}


def used_by() -> Patterns:
    product, relu = _binary("matmul"), _relu()
    assert len(product ^ relu) == 2
    return {"product": product, "relu": relu}


def other_users() -> Patterns:
    product, relu = _binary("matmul"), _relu()
    product.only_used_by(relu)
    return {}


def only_user() -> Patterns:
    chain = _relu().used_by(_binary("add") >> _binary("multiply"))
    return {"relu": chain[0], "sum": chain[1], "scaled": chain[2]}


def first_argument() -> Patterns:
    chain = _relu().used_by(_binary("add"), 0)
    return {"relu": chain[0], "sum": chain[1]}


def second_argument() -> Patterns:
    chain = _relu().used_by(_binary("add"), 1)
    return {"relu": chain[0], "sum": chain[1]}


def fork() -> Patterns:
    product, relu, total = _binary("matmul"), _relu(), _binary("add")
    product.fork_to(relu, total)
    return {"product": product, "relu": relu, "sum": total}


def arguments_are_edges() -> Patterns:
    x = is_var("x")
    return {"x": x, "product": is_op("relax.matmul")(x, wildcard())}


def shared_argument() -> Patterns:
    x = wildcard()
    product, scaled = is_op("relax.matmul")(x, wildcard()), is_op("relax.multiply")(wildcard(), x)
    return {"x": x, "product": product, "scaled": scaled}


def one_variable_a_pattern() -> Patterns:
    relus = [is_op("relax.nn.relu")(wildcard()) for _ in range(2)]
    return {"first": relus[0], "second": relus[1]}


def too_few_variables() -> Patterns:
    return {str(number): is_op("relax.nn.relu")(wildcard()) for number in range(3)}


def no_edges() -> Patterns:
    return {"alone": wildcard()}


def copied_chain() -> Patterns:
    chain = _relu() ^ _binary("add")
    copied = chain.dup()
    return {"relu": chain[0], "sum": chain[1], "relu2": copied[0], "sum2": copied[1]}


def copied_pattern_has_no_edges() -> Patterns:
    is_op("relax.nn.relu")(wildcard()).dup()
    return {}


def of_one_shape() -> Patterns:
    product, relu = _binary("matmul"), _relu()
    product.used_by(relu)
    product.same_shape_as(relu)
    return {"product": product}


def alternatives() -> Patterns:
    chain = (_binary("exp") | _binary("multiply")) ^ _relu()
    return {"scaled": chain[0], "relu": chain[1]}


def sequence() -> Patterns:
    chain = PatternSeq([_binary("add"), _binary("multiply")], only_use=True)
    return {"sum": chain[0], "scaled": chain[1]}


@pytest.mark.parametrize(
    ("build", "expected"),
    [
        (used_by, {"product": "lv0", "relu": "lv1"}),
        (other_users, None),
        (only_user, {"relu": "lv1", "sum": "lv2", "scaled": "lv3"}),
        (first_argument, {"relu": "lv4", "sum": "lv5"}),
        (second_argument, {"relu": "lv1", "sum": "lv2"}),
        (fork, {"product": "lv0", "relu": "lv1", "sum": "lv2"}),
        (arguments_are_edges, {"x": "x", "product": "lv0"}),
        (shared_argument, {"x": "x", "product": "lv0", "scaled": "lv3"}),
        (one_variable_a_pattern, {"first": "lv1", "second": "lv4"}),
        (too_few_variables, None),
        (no_edges, None),
        (copied_chain, {"relu": "lv1", "sum": "lv2", "relu2": "lv4", "sum2": "lv5"}),
        (copied_pattern_has_no_edges, {}),
        (of_one_shape, {"product": "lv0"}),
        (alternatives, {"scaled": "lv3", "relu": "lv4"}),
        (sequence, {"sum": "lv2", "scaled": "lv3"}),
    ],
)
def test_match(build: Callable[[], Patterns], expected: dict[str, str] | None) -> None:
    assert _names(build) == expected


def test_shapes_that_differ() -> None:
    func: Any = tvmscript.from_source(PROGRAM.replace("R.nn.relu(lv3)", "R.sum(lv3, axis=0)"))

    def build() -> Patterns:
        scaled, total = _binary("multiply"), is_op("relax.sum")(wildcard(), add_constraint=False)
        scaled.used_by(total)
        scaled.same_shape_as(total)
        return {}

    assert _names(build, func.body.blocks[0]) is None


def test_contexts_nest() -> None:
    with PatternContext() as outer:
        relu = is_op("relax.nn.relu")(wildcard())
        with PatternContext(incremental=True) as inner:
            total = relu ^ _binary("add")
        with PatternContext() as other:
            pass
    assert PatternContext.current() is None
    assert [len(context.edges) for context in (outer, inner, other)] == [1, 2, 0]
    matches = inner.match_dfb(_BLOCK)
    assert matches is not None
    assert matches[total[1]].name_hint == "lv2"


@pytest.mark.parametrize(
    "misuse",
    [
        lambda: wildcard().used_by(wildcard()),
        lambda: wildcard().same_shape_as(wildcard()),
        lambda: PatternContext(incremental=True),
    ],
)
def test_outside_of_a_context(misuse: Callable[[], object]) -> None:
    with pytest.raises(BuilderMisuse):
        misuse()


def test_functions_and_shapes() -> None:
    product = is_op("relax.matmul")(wildcard(), wildcard())
    assert dpl.FunctionPattern((wildcard(), is_var("w")), product).match(_FUNC)
    assert not dpl.FunctionPattern((wildcard(),), product).match(_FUNC)
    assert not dpl.FunctionPattern((wildcard(), wildcard()), dpl.reject(product)).match(_FUNC)
    reshaped: Any = op.reshape(_FUNC.params[0], (2, 8))
    for shape, expected in (((2, 8), True), ((2, 4), False)):
        assert is_op("relax.reshape")(wildcard(), dpl.is_shape(shape)).match(reshaped) is expected
    matches = product.extract_matched_expr(_BLOCK.bindings[0].value)
    assert matches is not None
    assert matches[product] is _BLOCK.bindings[0].value


# ---- rewrite_bindings

PRODUCTS = """
@R.function
def main(x: R.Tensor((4, 4), "float32"), w: R.Tensor((4, 4), "float32"), u: R.Tensor((4, 4), "float32")):
    with R.dataflow():
        lv0 = R.matmul(x, w)
        lv1 = R.nn.relu(lv0)
        lv2 = R.matmul(x, u)
        gv = R.add(lv1, lv2)
        R.output(gv)
    mid = R.exp(gv)
    with R.dataflow():
        lv3 = R.matmul(mid, w)
        lv4 = R.matmul(mid, lv3)
        gv1 = R.add(lv3, lv4)
        R.output(gv1)
    return gv1
"""
#: as TVM prints it
COMBINED = """\
    with R.dataflow():
        lv: R.Tensor((4, 8), dtype="float32") = R.concat((w, u), axis=1)
        lv1: R.Tensor((4, 8), dtype="float32") = R.matmul(x, lv, out_dtype="void")
        lv2: R.Tuple(R.Tensor((4, 4), dtype="float32"), R.Tensor((4, 4), dtype="float32")) = R.split(lv1, indices_or_sections=2, axis=1)
        lv0: R.Tensor((4, 4), dtype="float32") = lv2[0]
        lv1_1: R.Tensor((4, 4), dtype="float32") = R.nn.relu(lv0)
        lv2_1: R.Tensor((4, 4), dtype="float32") = lv2[1]
        gv: R.Tensor((4, 4), dtype="float32") = R.add(lv1_1, lv2_1)
        R.output(gv)
"""  # noqa: E501


def test_two_products_become_one() -> None:
    with PatternContext() as context:
        x, w, u = wildcard(), wildcard(), wildcard()
        first, second = is_op("relax.matmul")(x, w), is_op("relax.matmul")(x, u)

    def combine(matches: Any, bindings: Any) -> Any:
        assert bindings[matches[first]].args[1] is matches[w]
        if matches[first].name_hint != "lv0":
            return {}
        product = op.matmul(matches[x], op.concat([matches[w], matches[u]], axis=1))
        halves: Any = op.split(product, 2, axis=1)
        return {matches[first]: halves[0], matches[second]: halves[1]}

    func: Any = tvmscript.from_source(PRODUCTS)
    before = func.script()
    after = rewrite_bindings(context, combine, func)
    assert func.script() == before
    assert COMBINED in after.script()
    verify(IRModule.from_expr(after))
    args = [np.random.default_rng(0).normal(size=(4, 4)).astype("float32") for _ in range(3)]
    want, got = (results(IRModule.from_expr(each), args) for each in (func, after))
    np.testing.assert_allclose(got, want, rtol=1e-5)


def test_a_result_with_other_struct_info() -> None:
    with PatternContext() as context:
        total = is_op("relax.add")(wildcard(), wildcard())
    func: Any = tvmscript.from_source(PRODUCTS.replace("R.matmul(mid, lv3)", "R.exp(lv3)"))

    def narrow(matches: Any, bindings: Any) -> Any:
        value = bindings[matches[total]]
        return {matches[total]: op.sum(op.subtract(*value.args), axis=0)}

    after = rewrite_bindings(context, narrow, func)
    verify(IRModule.from_expr(after))
    assert 'gv1: R.Tensor((), dtype="float32")' in after.script()


def test_new_values_wait_for_those_that_they_use() -> None:
    with PatternContext() as context:
        product = is_op("relax.matmul")(wildcard(), wildcard())
        product.used_by(_relu())
    func: Any = tvmscript.from_source(PRODUCTS)
    names = {binding.var.name_hint: binding.var for binding in func.body.blocks[0].bindings}

    def delay(matches: Any, bindings: Any) -> Any:
        return {names["lv1"]: op.abs(names["lv2"])}

    after: Any = rewrite_bindings(context, delay, func)
    assert [binding.var.name_hint for binding in after.body.blocks[0].bindings] == ["lv2", "lv1", "gv"]
    verify(IRModule.from_expr(after))

    def circle(matches: Any, bindings: Any) -> Any:
        return {names["lv2"]: Call("relax.exp", [names["gv"]])}

    with pytest.raises(UndefinedValue):
        rewrite_bindings(context, circle, func)
