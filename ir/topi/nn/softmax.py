"""Softmax and its logarithm."""

from __future__ import annotations

from collections.abc import Callable

from tvmscript.ir.te import reduction
from tvmscript.ir.te.construct import compute, reduce_axis
from tvmscript.ir.te.reduction import Reducer
from tvmscript.ir.te.tensor import Tensor
from tvmscript.ir.tir import Expr
from tvmscript.ir.topi.common import function, normalize_axis
from tvmscript.ir.topi.elementwise import fast_exp


def _along(
    x: Tensor, place: int, reducer: Reducer, name: str, value: Callable[[tuple[Expr, ...], tuple[Expr, ...]], Expr]
) -> Tensor:
    """Return the reduction of elements along an axis; `value` gets all indices, and those without the axis."""
    k = reduce_axis((0, x.shape[place]), "k")
    shape = [*x.shape[:place], *x.shape[place + 1 :]]
    return compute(shape, lambda *i: reducer(value((*i[:place], k.var, *i[place:]), i), axis=k), name=name)


def softmax(x: Tensor, axis: int = -1) -> Tensor:
    """Return ONNX's Softmax."""
    return softmax_common(x, axis, use_fast_exp=False)


def fast_softmax(x: Tensor, axis: int = -1) -> Tensor:
    """Return ONNX's Softmax by an approximation of the exponential function."""
    return softmax_common(x, axis, use_fast_exp=True)


def softmax_common(x: Tensor, axis: int, use_fast_exp: bool) -> Tensor:
    """Return ONNX's Softmax, by an approximation of the exponential function or not."""
    place = normalize_axis(axis, x.ndim, "nn.fast_softmax" if use_fast_exp else "nn.softmax")

    def rest(i: tuple[Expr, ...]) -> tuple[Expr, ...]:
        return (*i[:place], *i[place + 1 :])

    largest = _along(x, place, reduction.max, "T_softmax_maxelem", lambda i, _: x(*i))
    if use_fast_exp:
        exponent = compute(x.shape, lambda *i: x(*i) - largest(*rest(i)), name="T_softmax_delta")
        exps = fast_exp(exponent)
    else:
        exps = compute(x.shape, lambda *i: function("exp")(x(*i) - largest(*rest(i))), name="T_softmax_exp")
    total = _along(x, place, reduction.sum, "T_softmax_expsum", lambda i, _: exps(*i))
    return compute(
        x.shape,
        lambda *i: exps(*i) / total(*rest(i)),
        name="T_softmax_norm",
        tag="softmax_output",
        attrs={"axis": place},
    )


def log_softmax(x: Tensor, axis: int = -1) -> Tensor:
    """Return ONNX's LogSoftmax."""
    place = normalize_axis(axis, x.ndim, "nn.log_softmax")
    largest = _along(x, place, reduction.max, "T_softmax_maxelem", lambda i, _: x(*i))
    total = _along(x, place, reduction.sum, "compute", lambda i, rest: function("exp")(x(*i) - largest(*rest)))

    def value(*i: Expr) -> Expr:
        rest = (*i[:place], *i[place + 1 :])
        return x(*i) - largest(*rest) - function("log")(total(*rest))

    return compute(x.shape, value, tag="log_softmax_output", attrs={"axis": place})
