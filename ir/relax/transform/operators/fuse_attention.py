"""FuseAttention: one operator for two products with a softmax between them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import prod
from typing import Any

import numpy as np

from tvmscript.ir.core import IRModule
from tvmscript.ir.relax.base import RelaxExpr
from tvmscript.ir.relax.dpl.matcher import Matches
from tvmscript.ir.relax.dpl.pattern import DFPattern, is_const, is_op, wildcard
from tvmscript.ir.relax.expr import Call, Constant
from tvmscript.ir.relax.function import Function
from tvmscript.ir.relax.op.linear_algebra import matmul
from tvmscript.ir.relax.op.manipulate import permute_dims
from tvmscript.ir.relax.op.nn.activation import softmax
from tvmscript.ir.relax.op.nn.attention import attention
from tvmscript.ir.relax.op.reshape import reshape
from tvmscript.ir.relax.op.script_functions import make_call
from tvmscript.ir.relax.operator import Operator
from tvmscript.ir.relax.struct_info import extents_of
from tvmscript.ir.relax.transform.base import RelaxFunctionPass
from tvmscript.ir.relax.transform.rewriters.rewrite_call import rewrite_call
from tvmscript.ir.relax.variables import iter_bindings
from tvmscript.ir.tir import IntImm


@dataclass(frozen=True)
class FuseAttention(RelaxFunctionPass):
    """Replace a product, the softmax of its rows and the product with it by `R.nn.attention`, whose kernel computes
    some rows of all three at a time: the weights stay in a cache. Shapes are known, and reshapes between the three keep
    rows as they are.

    Rows of weights that torch sets to 0 where all scores are -inf are those of the softmax: without a mask, finite
    operands have no such scores, unless all products of a row overflow. A function that uses scores or weights for
    anything else stays as it is.

    rewrite:
        scores = R.matmul(q, k)                  -->  keys = R.permute_dims(k, [0, 2, 1])
        weights = R.nn.softmax(scores, axis=-1)       y = R.nn.attention(q, keys, v, scale=1)
        y = R.matmul(weights, v)                      (of tensors with one head, reshaped)
    """

    name = "relax.FuseAttention"
    is_exact = False
    is_idempotent = True

    def transform(self, func: Function, mod: IRModule) -> Function:
        if _count(func, softmax) == 0 or _count(func, matmul) < 2:
            return func
        fused = rewrite_call(*_attention_rule(), func)
        num_fused = _count(fused, attention) - _count(func, attention)
        has_other_uses = _count(func, matmul) - _count(fused, matmul) != 2 * num_fused
        return func if num_fused == 0 or has_other_uses else fused


def _attention_rule() -> tuple[DFPattern, Callable[[Call, Matches], RelaxExpr]]:
    """Return the pattern of the second product, and what replaces it."""
    query, key, minus_infinity, zero = wildcard(), wildcard(), is_const(), is_const()
    product = is_op("relax.matmul")(query, key)
    scores = product | is_op("relax.reshape")(product, wildcard())
    weights = is_op("relax.nn.softmax")(scores)
    any_finite: DFPattern = is_op("relax.logical_not")(is_op("relax.equal")(scores, minus_infinity))
    for name in ("astype", "max", "astype"):
        any_finite = is_op(f"relax.{name}")(any_finite)
    filled = is_op("relax.full_like")(weights, zero)
    safe = is_op("relax.where")(is_op("relax.logical_not")(any_finite), filled, weights)
    left = weights | safe
    copied = left | is_op("relax.broadcast_to")(left, wildcard())
    factor = copied | is_op("relax.reshape")(copied, wildcard())

    def fuse(call: Call, matches: Matches) -> RelaxExpr:
        operands = [matches[query], matches[key], call.args[1]]
        if safe in matches:
            is_of_rows = _shape(matches[any_finite]) == (*_shape(matches[weights])[:-1], 1)
            if not (is_of_rows and _is_full(matches[minus_infinity], -np.inf) and _is_full(matches[zero], 0)):
                return call
        values: list[Any] = [*operands, matches[product], matches[weights], call.args[0], call]
        shapes = [_shape(value) for value in values]
        dtypes = {getattr(value.struct_info, "dtype", None) for value in (*operands, matches[product], call)}
        if len(dtypes) != 1 or any(len(shape) < 2 for shape in shapes):
            return call
        (rows, size), (_, keys), (_, columns) = (shape[-2:] for shape in shapes[:3])
        is_along_rows = matches[weights].attrs["axis"] in (-1, len(shapes[4]) - 1)
        has_same_rows = all(shape[-2:] == (rows, keys) for shape in shapes[3:6])
        batch = prod(shapes[0][:-2])
        if not is_along_rows or not has_same_rows or any(prod(shape[:-2]) != batch for shape in shapes):
            return call
        order = [*range(len(shapes[1]) - 2), len(shapes[1]) - 1, len(shapes[1]) - 2]
        operands[1] = make_call(permute_dims, (operands[1], order))
        heads = [(batch, rows, 1, size), (batch, keys, 1, size), (batch, keys, 1, columns)]
        of_one_head = [make_call(reshape, (value, shape)) for value, shape in zip(operands, heads, strict=True)]
        return make_call(reshape, (make_call(attention, of_one_head, {"scale": 1.0}), shapes[-1]))

    return is_op("relax.matmul")(factor, wildcard()), fuse


def _count(func: Function, op: Operator) -> int:
    """Return the number of bound calls of an operator."""
    return sum(isinstance(binding.value, Call) and binding.value.op is op for binding in iter_bindings(func))


def _is_full(value: RelaxExpr, number: float) -> bool:
    return isinstance(value, Constant) and bool(np.all(np.asarray(value.data) == number))


def _shape(value: RelaxExpr) -> tuple[int, ...]:
    """Return the shape of a tensor, nothing where it is not known."""
    extents = extents_of(value)
    sizes = tuple([extent.value for extent in extents if isinstance(extent, IntImm)])
    return sizes if len(sizes) == len(extents) else ()
