"""Arrays of 16-bit floats, of which NumPy has one, and as tensors of PyTorch."""

from __future__ import annotations

from typing import Any

import ml_dtypes
import numpy as np

#: relative error of results: sums and means are rounded often
TOLERANCES = {"float16": 0.05, "bfloat16": 0.05}


def numpy_dtype(dtype: str) -> Any:
    """Return NumPy's dtype, that of ml_dtypes for bfloat16."""
    return np.dtype(ml_dtypes.bfloat16 if dtype == "bfloat16" else dtype)


def as_tensor(array: Any) -> Any:
    """Return an array as a tensor of the same memory."""
    import torch

    if array.dtype == ml_dtypes.bfloat16:
        return torch.from_numpy(array.view("int16")).view(torch.bfloat16)
    return torch.from_numpy(array)
