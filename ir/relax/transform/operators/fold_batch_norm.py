"""FoldBatchNorm: weights of convolutions take along the scale of the batch normalization behind them."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from tvmscript.ir.core import FLOAT32, FLOAT64, IRModule, nodes, on
from tvmscript.ir.relax.base import RelaxExpr
from tvmscript.ir.relax.expr import Call, Constant, Tuple, Var
from tvmscript.ir.relax.function import Function
from tvmscript.ir.relax.op import shape_rules as rules
from tvmscript.ir.relax.op.binary import add
from tvmscript.ir.relax.op.nn.conv import conv1d, conv2d, conv3d
from tvmscript.ir.relax.op.nn.norm import batch_norm
from tvmscript.ir.relax.rewrite import RelaxRewriter
from tvmscript.ir.relax.transform.base import RelaxFunctionPass

_CONVOLUTIONS: Final = (conv1d, conv2d, conv3d)
_DTYPES: Final = (FLOAT32, FLOAT64)
_Array = npt.NDArray[np.float64]


@dataclass(frozen=True)
class FoldBatchNorm(RelaxFunctionPass):
    """Replace the batch normalization of a convolution that nothing else uses, all of whose weights are constants, by a
    convolution with scaled weights and an addition. The moving mean and variance stay.

    Products are rounded differently.

    rewrite:
        y = R.nn.conv2d(x, W)                          -->  y = R.nn.conv2d(x, W * s)
        z = R.nn.batch_norm(y, gamma, beta, m, v)           z = (R.add(y, beta - m * s), m, v)
                                                       with s = gamma / sqrt(v + epsilon)
    """

    name = "relax.FoldBatchNorm"
    is_exact = False

    def transform(self, func: Function, mod: IRModule) -> Function:
        if not any(isinstance(node, Call) and node.op is batch_norm for node in nodes(func)):
            return func
        folded: Function = _Folder(Counter(node for node in nodes(func) if isinstance(node, Var))).rewrite(func)
        return folded


class _Folder(RelaxRewriter):
    """Rewriter of batch normalizations."""

    def __init__(self, occurrences: Counter[Var]) -> None:
        super().__init__()
        self.occurrences = occurrences

    @on(Call)
    def call(self, node: Call) -> RelaxExpr:
        data = node.args[0] if node.op is batch_norm else None
        call: Call = self.descend(node)
        # a variable is bound once and used once
        if not isinstance(data, Var) or self.occurrences[data] > 2:
            return call
        convolution = self.builder.lookup_binding(call.args[0]) if isinstance(call.args[0], Var) else None
        return (_fold(convolution, call) if isinstance(convolution, Call) else None) or call


def _fold(convolution: Call, norm: Call) -> Tuple | None:
    """Return the values of a batch normalization of a convolution, None where it cannot be folded."""
    statistics = norm.args[1:]
    constants = [arg for arg in (*convolution.args[1:2], *statistics) if isinstance(arg, Constant)]
    if convolution.op not in _CONVOLUTIONS or len(constants) < 5:
        return None
    info = rules.expect_tensor(norm)
    axis = rules.normalize_axis(norm, "axis", norm.attrs["axis"], info.ndim)
    attrs, dtype = convolution.attrs, info.dtype
    layout, kernel_layout = str(attrs["out_layout"] or attrs["data_layout"]), str(attrs["kernel_layout"])
    if dtype not in _DTYPES or any(constant.dtype != dtype for constant in constants):
        return None
    weights, gamma, beta, mean, variance = (np.asarray(constant.data, "float64") for constant in constants)
    if layout.find("C") != axis or len(layout) != info.ndim or len(kernel_layout) != weights.ndim:
        return None
    scale = 1 / np.sqrt(variance + norm.attrs["epsilon"]) * (gamma if norm.attrs["scale"] else 1.0)
    shift = (beta if norm.attrs["center"] else 0.0) - mean * scale
    scaled = weights * _along(scale, kernel_layout.index("O"), weights.ndim)
    new = convolution.replace(args=(convolution.args[0], Constant(scaled.astype(str(dtype)), dtype)))
    result = Call(add, (new, Constant(_along(shift, axis, info.ndim).astype(str(dtype)), dtype)))
    return Tuple((result, *constants[3:]))


def _along(values: _Array, axis: int, ndim: int) -> _Array:
    """Return values along an axis, which other dimensions broadcast."""
    shape = [1] * ndim
    shape[axis] = -1
    return values.reshape(shape)
