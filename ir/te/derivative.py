"""Derivatives of expressions with respect to an element of a tensor that they read."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, Final

from tvmscript.ir.core import Op
from tvmscript.ir.core.equality.equal import structural_equal
from tvmscript.ir.core.visit import nodes
from tvmscript.ir.te.errors import CannotDifferentiate
from tvmscript.ir.tir import Add, Call, Cast, Div, Expr, Max, Min, Mul, Select, Sub, const
from tvmscript.ir.tir.intrin.control import if_then_else
from tvmscript.ir.tir.te_nodes import ProducerLoad

#: None stands for 0
Derivative = Expr | None


def derivative(expr: Expr, load: ProducerLoad) -> Derivative:
    """Return the derivative of an expression with respect to an element; None where it is 0 everywhere.

    Of equal operands of `min` and `max` the first one is differentiated. Conditions, indices and roundings have no
    derivative. Raises `CannotDifferentiate` for an operation without a rule.
    """
    if isinstance(expr, ProducerLoad):
        return const(1, expr.dtype) if structural_equal(expr, load) else None
    if not expr.dtype.is_floating or not any(isinstance(part, ProducerLoad) for part in nodes(expr)):
        return None
    rule: Callable[[Any, ProducerLoad], Derivative] | None = _RULES.get(type(expr))
    if rule is None:
        raise CannotDifferentiate(what=str(expr), reason=f"{type(expr).__name__} has no derivative")
    return rule(expr, load)


def _sum(a: Derivative, b: Derivative) -> Derivative:
    return a if b is None else b if a is None else a + b


def _product(a: Derivative, factor: Expr) -> Derivative:
    if a is None:
        return None
    return factor if _is_one(a) else a * factor


def _is_one(expr: Expr) -> bool:
    return getattr(expr, "value", None) == 1


def _choice(condition: Expr, a: Derivative, b: Derivative, choose: Callable[..., Expr], like: Expr) -> Derivative:
    if a is None and b is None:
        return None
    zero = const(0, like.dtype)
    return choose(condition, zero if a is None else a, zero if b is None else b)


def _differentiate_sub(node: Sub, load: ProducerLoad) -> Derivative:
    a, b = derivative(node.a, load), derivative(node.b, load)
    return a if b is None else const(0, node.dtype) - b if a is None else a - b


def _differentiate_mul(node: Mul, load: ProducerLoad) -> Derivative:
    return _sum(_product(derivative(node.a, load), node.b), _product(derivative(node.b, load), node.a))


def _differentiate_div(node: Div, load: ProducerLoad) -> Derivative:
    a, b = derivative(node.a, load), derivative(node.b, load)
    first = None if a is None else a / node.b
    second = None if b is None else const(0, node.dtype) - b * node.a / (node.b * node.b)
    return _sum(first, second)


def _differentiate_call(node: Call, load: ProducerLoad) -> Derivative:
    name = node.op.name if isinstance(node.op, Op) else ""
    if name == "tir.if_then_else":
        condition, a, b = node.args
        return _choice(condition, derivative(a, load), derivative(b, load), if_then_else, node)
    if name == "tir.pow":
        return _differentiate_power(node, load)
    if name in _CONSTANT:
        return None
    rule = _FUNCTIONS.get(name)
    if rule is None:
        raise CannotDifferentiate(what=str(node), reason="its function has no derivative")
    inner = derivative(node.args[0], load)
    return None if inner is None else _product(inner, rule(node.args[0], node))


def _differentiate_power(node: Call, load: ProducerLoad) -> Derivative:
    base, exponent = node.args
    of_base = _product(derivative(base, load), exponent * _call("pow", base, exponent - const(1, base.dtype)))
    inner = derivative(exponent, load)
    return _sum(of_base, None if inner is None else _product(inner, node * _call("log", base)))


def _call(name: str, *args: Expr) -> Expr:
    return Call(args[0].dtype, Op.get(f"tir.{name}"), args)


def _one(like: Expr) -> Expr:
    return const(1, like.dtype)


_RULES: Final[dict[type[Expr], Callable[[Any, ProducerLoad], Derivative]]] = {
    Add: lambda node, load: _sum(derivative(node.a, load), derivative(node.b, load)),
    Sub: _differentiate_sub,
    Mul: _differentiate_mul,
    Div: _differentiate_div,
    Max: lambda node, load: _choice(node.a >= node.b, derivative(node.a, load), derivative(node.b, load), Select, node),
    Min: lambda node, load: _choice(node.a <= node.b, derivative(node.a, load), derivative(node.b, load), Select, node),
    Select: lambda node, load: _choice(
        node.condition, derivative(node.true_value, load), derivative(node.false_value, load), Select, node
    ),
    Cast: lambda node, load: _cast(derivative(node.value, load), node),
    Call: _differentiate_call,
}


def _cast(inner: Derivative, node: Cast) -> Derivative:
    return None if inner is None else Cast(node.dtype, inner)


#: functions that are constant between their steps
_CONSTANT: Final = frozenset(f"tir.{name}" for name in ("floor", "ceil", "round", "nearbyint", "trunc"))
#: function -> (argument, result) -> derivative
_FUNCTIONS: Final[dict[str, Callable[[Expr, Expr], Expr]]] = {
    "tir.exp": lambda x, y: y,
    "tir.exp2": lambda x, y: y * const(math.log(2), x.dtype),
    "tir.exp10": lambda x, y: y * const(math.log(10), x.dtype),
    "tir.log": lambda x, y: _one(x) / x,
    "tir.log2": lambda x, y: _one(x) / (x * const(math.log(2), x.dtype)),
    "tir.log10": lambda x, y: _one(x) / (x * const(math.log(10), x.dtype)),
    "tir.log1p": lambda x, y: _one(x) / (x + _one(x)),
    "tir.sigmoid": lambda x, y: y * (_one(x) - y),
    "tir.sqrt": lambda x, y: const(0.5, x.dtype) / y,
    "tir.rsqrt": lambda x, y: const(-0.5, x.dtype) * y / x,
    "tir.tanh": lambda x, y: _one(x) - y * y,
    "tir.sin": lambda x, y: _call("cos", x),
    "tir.cos": lambda x, y: const(0, x.dtype) - _call("sin", x),
    "tir.tan": lambda x, y: _one(x) + y * y,
    "tir.sinh": lambda x, y: _call("cosh", x),
    "tir.cosh": lambda x, y: _call("sinh", x),
    "tir.asin": lambda x, y: _call("rsqrt", _one(x) - x * x),
    "tir.acos": lambda x, y: const(0, x.dtype) - _call("rsqrt", _one(x) - x * x),
    "tir.atan": lambda x, y: _one(x) / (_one(x) + x * x),
    "tir.erf": lambda x, y: const(2 / math.sqrt(math.pi), x.dtype) * _call("exp", const(0, x.dtype) - x * x),
    "tir.fabs": lambda x, y: Select(x < const(0, x.dtype), const(-1, x.dtype), _one(x)),
}
