"""Random sampling."""

from __future__ import annotations

from types import ModuleType

from tvmscript.ir.relax.base import StructInfo
from tvmscript.ir.relax.expr import Call
from tvmscript.ir.relax.op import shape_rules as rules
from tvmscript.ir.relax.operator import Array, Operator, invalid_argument
from tvmscript.ir.relax.struct_info import UNKNOWN_NDIM


def _infer_multinomial(call: Call) -> StructInfo:
    prob, uniform, indices = (rules.expect_tensor(call, position) for position in range(3))
    dtype = call.attrs["dtype"]
    rules.check_float(call, 0, prob)
    rules.check_float(call, 1, uniform)
    rules.check_integer(call, 2, indices)
    for position, info in enumerate((prob, uniform, indices)):
        if info.ndim not in (2, UNKNOWN_NDIM):
            raise invalid_argument(call, position, "2 dimensions", info.ndim)
    if uniform.extents is None or indices.extents is None:
        return rules.tensor_of_ndim(2, dtype, prob.vdevice)
    rows, column = uniform.extents
    if rules.provably_differ(rows, indices.extents[0]):
        raise invalid_argument(call, 2, f"{rows} rows, as uniform_sample", indices.extents[0])
    for position, extent in ((1, column), (2, indices.extents[1])):
        if rules.provably_differ(extent, rules.ONE):
            raise invalid_argument(call, position, "1 column", extent)
    return rules.tensor_of_shape([rows, rules.ONE], dtype, prob.vdevice)


def _compute_multinomial(np: ModuleType, prob: Array, uniform: Array, indices: Array, dtype: object) -> Array:
    """Return the first category whose cumulative probability exceeds the sample."""
    drawn = (np.cumsum(prob, 1)[indices[:, 0]] > uniform).argmax(1)
    return drawn[:, None].astype(dtype)


multinomial_from_uniform = Operator(
    "multinomial_from_uniform",
    'prob: Expr, uniform_sample: Expr, sample_indices: Expr, dtype: dtype = "int64"',
    _infer_multinomial,
    reference=_compute_multinomial,
    legalize=lambda topi, prob, uniform, indices, dtype: topi.graph.multinomial_from_uniform(
        prob, uniform, indices, dtype
    ),
    doc="Sample categories from rows of probabilities, given uniform samples from [0, 1).",
)
