"""Weights of torch models as constants of a graph. Memory is shared, not copied."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from tvmscript.frontend.torch.protocols import Tensor, torch_library
from tvmscript.ir.core import DType
from tvmscript.ir.relax.expr import Constant
from tvmscript.ir.relax.struct_info import TensorStructInfo

Array = npt.NDArray[np.generic]

#: dtypes that NumPy has not, and those whose bits it has
_BITS = {"torch.bfloat16": "torch.int16", "torch.float8_e4m3fn": "torch.uint8", "torch.float8_e5m2": "torch.uint8"}


def dtype_of(tensor: Tensor) -> DType:
    """Return the dtype of a tensor."""
    return DType(str(tensor.dtype).removeprefix("torch."))


def array_of(tensor: Tensor) -> Array:
    """Return the elements of a tensor, those of narrow floats as bits."""
    torch = torch_library()

    dense = tensor.to_dense() if tensor.layout != torch.strided else tensor
    dense = dense.detach().cpu().contiguous()
    bits = _BITS.get(str(dense.dtype))
    if bits is None:
        plain: Array = dense.numpy()
        return plain
    array: Array = dense.view(getattr(torch, bits.removeprefix("torch."))).numpy()
    return array.view(np.uint16) if array.dtype == np.int16 else array


def constant_of(tensor: Tensor) -> Constant:
    """Return a tensor as a constant."""
    return Constant(array_of(tensor), dtype_of(tensor))


def info_of(tensor: Tensor) -> TensorStructInfo:
    """Return the struct info of a tensor of known shape."""
    return TensorStructInfo(tuple(tensor.shape), dtype_of(tensor))
