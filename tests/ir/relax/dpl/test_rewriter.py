"""Rewriters of graph functions: rules from patterns, functions and modules, their composition, and as passes."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tvmscript
from tests.ir.relax.transform.graph_values import results
from tvmscript import R
from tvmscript.ir.core import GlobalVar, IRModule
from tvmscript.ir.core.errors import DiagnosticError
from tvmscript.ir.relax.errors import BadRewriteRule, UndefinedGlobal
from tvmscript.ir.relax.variables import iter_bindings
from tvmscript.ir.relax.verify import verify
from tvmscript.parser.names.namespace import NotDecoratable
from tvmscript.parser.source.lookup import register_source
from tvmscript.relax import op
from tvmscript.relax.dpl import PatternMatchingRewriter, TupleRewriter, is_op, wildcard
from tvmscript.transform import Sequential


def _rule(functions: str, decorator: str = "R.rewriter") -> Any:
    """The rule of a class with these functions."""
    lines = "\n".join(f"    {line}" for line in functions.strip("\n").splitlines())
    text = f"from tvmscript import I, R, T\n\n@{decorator}\nclass Rule:\n{lines}\n"
    namespace: dict[str, Any] = {}
    exec(compile(text, register_source(text), "exec"), namespace)
    return namespace["Rule"]


Double = _rule("""
@R.function
def pattern(a: R.Tensor(("n",), "float32")):
    return R.add(a, a)
@R.function
def replacement(a: R.Tensor(("n",), "float32")):
    return R.multiply(a, R.const(2, "float32"))
""")
DoubleTwice = _rule("""
@R.function
def pattern(a: R.Tensor(("n",), "float32")):
    b = R.multiply(a, R.const(2, "float32"))
    return R.multiply(b, R.const(2, "float32"))
@R.function
def replacement(a: R.Tensor(("n",), "float32")):
    return R.multiply(a, R.const(4, "float32"))
""")
SumAndDifference = _rule("""
@R.function
def pattern(a: R.Tensor(("n",), "float32"), b: R.Tensor(("n",), "float32")):
    c = R.add(a, b)
    d = R.subtract(a, b)
    return (c, d)
@R.function
def replacement(a: R.Tensor(("n",), "float32"), b: R.Tensor(("n",), "float32")):
    n = T.int64()
    both = R.call_pure_packed(
        "both", a, b, sinfo_args=R.Tuple(R.Tensor((n,), "float32"), R.Tensor((n,), "float32"))
    )
    return (both[0], both[1])
""")


def _function(body: str) -> Any:
    heading = 'def main(x: R.Tensor((8,), "float32"), y: R.Tensor((8,), "float32"), c: R.Tensor((), "bool")):'
    lines = "\n".join(f"    {line}" for line in body.strip("\n").splitlines())
    return tvmscript.from_source(f"@R.function(pure=False)\n{heading}\n{lines}\n", check_well_formed=False)


def _values(func: Any) -> list[str]:
    """Each binding as text, without annotations."""
    names: list[tuple[str, Any]] = [(binding.var.name_hint, binding.value) for binding in iter_bindings(func)]
    return [f"{name} = {value.op.name if hasattr(value, 'op') else type(value).__name__}" for name, value in names]


def _run(func: Any) -> Any:
    args = [np.arange(8, dtype="float32"), np.full(8, 3, "float32"), np.array(True)]
    return results(IRModule.from_expr(func), args)


def test_a_value() -> None:
    func = _function("a = R.add(x, y)\nb = R.add(a, a)\nreturn b")
    after = Double(func)
    assert _values(after) == ["a = relax.add", "b = relax.multiply"]
    np.testing.assert_array_equal(_run(after), _run(func))
    assert Double(after) is after


def test_rules_apply_until_nothing_changes() -> None:
    func = _function("a = R.add(x, x)\nb = R.add(a, a)\nreturn b")
    after = (Double | DoubleTwice)(func)
    assert _values(after) == ["b = relax.multiply"]
    np.testing.assert_array_equal(_run(after), _run(func))
    assert _values(DoubleTwice(Double(func))) == ["b = relax.multiply"]
    assert _values(DoubleTwice(func)) == ["a = relax.add", "b = relax.add"]


def test_inside_of_conditionals_and_dataflow_blocks() -> None:
    func = _function("""
if c:
    a = R.add(x, x)
    b = a
else:
    a = R.add(y, y)
    b = a
with R.dataflow():
    d = R.add(b, b)
    R.output(d)
return d
""")
    after = Double(func)
    assert not [text for text in _values(after) if text.endswith("relax.add")]
    assert len([text for text in _values(after) if text.endswith("relax.multiply")]) == 3
    verify(IRModule.from_expr(after))


def test_sizes_must_agree() -> None:
    """`n` is one size: a broadcast addition does not match."""
    text = "a = R.add(x, R.sum(y, keepdims=True))\nb = R.subtract(x, R.sum(y, keepdims=True))\nreturn (a, b)"
    func = _function(text)
    assert SumAndDifference(func) is func


def test_several_values() -> None:
    func = _function("a = R.subtract(x, y)\nb = R.exp(a)\nd = R.add(x, y)\ne = R.add(b, d)\nreturn e")
    after = SumAndDifference(func)
    assert _values(after) == [
        "gv = relax.call_pure_packed",
        "a = TupleGetItem",
        "b = relax.exp",
        "d = TupleGetItem",
        "e = relax.add",
    ]
    verify(IRModule.from_expr(after))


def test_several_values_that_depend_on_each_other() -> None:
    func = _function("a = R.subtract(x, y)\nb = R.add(a, y)\ne = R.add(b, a)\nreturn e")
    assert SumAndDifference(func) is func  # no pair has the same arguments


def test_values_are_not_taken_across_side_effects() -> None:
    func = _function('a = R.subtract(x, y)\n_ = R.print(format="")\nd = R.add(x, y)\nreturn (a, d)')
    assert SumAndDifference(func) is func
    after = Double(_function('_ = R.print(format="")\nd = R.add(x, x)\nreturn d'))
    assert _values(after) == ["_ = relax.print", "d = relax.multiply"]


def test_as_passes() -> None:
    func = _function("a = R.add(x, y)\nb = R.add(a, a)\nd = R.subtract(x, y)\ne = R.add(b, d)\nreturn e")
    mod = IRModule.from_expr(func)
    after = Sequential([Double, SumAndDifference])(mod)
    assert after.script() == IRModule.from_expr((Double | SumAndDifference)(func)).script()
    assert (Double | SumAndDifference).info.name == "PatternMatchingRewriter"


def test_from_pattern() -> None:
    value = wildcard()
    twice = is_op("relax.abs")(is_op("relax.abs")(value))
    rewriter = PatternMatchingRewriter.from_pattern(twice, lambda call, matches: op.abs(matches[value]))
    func = _function("a = R.abs(x)\nb = R.abs(a)\nd = R.abs(b)\nreturn d")
    assert _values(rewriter(func)) == ["a = relax.abs"]  # equal values are merged
    stays = PatternMatchingRewriter.from_pattern(twice, lambda call, matches: None)
    assert stays(func) is func


def test_a_function_of_several_values() -> None:
    left, right = wildcard(), wildcard()
    rewriter = TupleRewriter(
        [is_op("relax.exp")(left), is_op("relax.exp")(right)],
        lambda values, matches: [op.sin(matches[left]), op.cos(matches[right])] if values[0] is not None else None,
    )
    after = rewriter(_function("a = R.exp(x)\nb = R.exp(y)\nd = R.exp(b)\ne = R.add(a, d)\nreturn e"))
    assert _values(after) == ["a = relax.sin", "b = relax.cos", "d = relax.exp", "e = relax.add"]


def test_functions_of_the_rewriter_join_the_module() -> None:
    rule = _rule("""
@R.function
def pattern(a: R.Tensor((8,), "float32")):
    return R.exp(a)
@R.function
def replacement(a: R.Tensor((8,), "float32")):
    return Rule.helper(a)
@R.function(private=True)
def helper(a: R.Tensor((8,), "float32")) -> R.Tensor((8,), "float32"):
    return R.sin(a)
""")
    func = _function("a = R.exp(x)\nb = R.exp(y)\nd = R.add(a, b)\nreturn d")
    mod = IRModule({GlobalVar("main"): func, GlobalVar("helper"): _function("return x")})
    after = rule(mod)
    assert [var.name_hint for var in after.get_global_vars()] == ["helper", "helper1", "main"]
    assert [var.name_hint for var in set(_callees(after["main"]))] == ["helper1"]
    with pytest.raises(UndefinedGlobal):
        rule(func)


def _callees(func: Any) -> list[Any]:
    values: list[Any] = [binding.value for binding in iter_bindings(func)]
    return [value.op for value in values if isinstance(value.op, GlobalVar)]


@pytest.mark.parametrize(
    "functions",
    [
        "def pattern(a: R.Tensor((8,))):\n    return R.exp(a)",
        "def pattern(a: R.Tensor((8,))):\n    return R.exp(a)\n@R.function\n"
        "def replacement(a: R.Tensor((4,))):\n    return R.exp(a)",
        "def pattern(a: R.Tensor((8,))):\n    return a\n@R.function\ndef replacement(a: R.Tensor((8,))):\n    return a",
        "def pattern(a: R.Tensor((8,)), b: R.Tensor((8,))):\n    return R.exp(a)\n@R.function\n"
        "def replacement(a: R.Tensor((8,)), b: R.Tensor((8,))):\n    return R.exp(b)",
        "def pattern(a: R.Tensor((8,))):\n    return R.exp(a)\n@R.function\n"
        "def replacement(a: R.Tensor((8,))):\n    b = R.match_cast(a, R.Tensor((8,)))\n    return R.exp(b)",
        "def pattern(a: R.Tensor((8,))):\n    return R.exp(a)\n@R.function(pure=False)\n"
        'def replacement(a: R.Tensor((8,))):\n    _ = R.print(format="")\n    return R.exp(a)',
    ],
)
def test_modules_that_are_no_rules(functions: str) -> None:
    mod = _rule(f"@R.function\n{functions}", "I.ir_module")
    with pytest.raises(BadRewriteRule):
        PatternMatchingRewriter.from_module(mod)


def test_modules_are_decorated_too() -> None:
    mod = _rule(
        """
@R.function
def pattern(a: R.Tensor((8,), "float32")):
    return R.exp(a)
@R.function
def replacement(a: R.Tensor((8,), "float32")):
    return R.sin(a)
""",
        "I.ir_module",
    )
    assert _values(R.rewriter(mod)(_function("a = R.exp(x)\nreturn a"))) == ["a = relax.sin"]
    not_a_class: Any = 3
    with pytest.raises(NotDecoratable):
        R.rewriter(not_a_class)


def test_a_text_holds_no_rewriter() -> None:
    with pytest.raises(DiagnosticError, match=r"R\.rewriter") as caught:
        tvmscript.from_source("@R.rewriter\nclass Rule:\n    pass\n")
    assert caught.value.code == "TS2040"


def test_the_first_of_two_rules_is_applied() -> None:
    triple = PatternMatchingRewriter.from_pattern(
        is_op("relax.add")(wildcard(), wildcard()), lambda _, __: R.const(3.0)
    )
    func = _function("d = R.add(x, x)\nreturn d")
    assert (Double | triple)(func).script() == Double(func).script() != (triple | Double)(func).script()
    assert (triple | Double)(func).script() == triple(func).script()
