"""Build imported modules, run them, and compare with torch."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

import tvmscript
from tvmscript import relax
from tvmscript.ir.core import IRModule


def run(
    module: IRModule, inputs: Sequence[Any], weights: Sequence[Any] = (), pipeline: str = "kernel_calls"
) -> list[Any]:
    """Return the results of `main`, as a flat list of arrays."""
    machine = relax.VirtualMachine(relax.build(module, "llvm", pipeline=pipeline), tvmscript.cpu())
    arguments = [tvmscript.nd.array(tensor.detach().numpy()) for tensor in inputs]
    return [result.numpy() for result in flatten(machine["main"](*arguments, *weights))]


def flatten(value: Any) -> list[Any]:
    """Return the items of nested tuples."""
    return [item for part in value for item in flatten(part)] if isinstance(value, (list, tuple)) else [value]


def assert_equal(results: Sequence[Any], expected: Any, what: str = "", is_sum: bool = False) -> None:
    """Check values, shapes and dtypes. Rounding of long sums is that of their largest result."""
    tensors = [np.asarray(tensor.detach().numpy()) for tensor in flatten(expected)]
    assert len(results) == len(tensors), what
    for result, tensor in zip(results, tensors, strict=True):
        assert result.shape == tensor.shape, what
        assert str(result.dtype) == str(tensor.dtype), what
        largest = max(1.0, float(np.abs(tensor).max(initial=0))) if is_sum else 1.0
        np.testing.assert_allclose(result, tensor, rtol=1e-4, atol=1e-5 * largest, err_msg=what)
