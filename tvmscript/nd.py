"""Arrays under TVM's name: `tvm.nd.array(values, tvm.cpu(0))`."""

from __future__ import annotations

from tvmscript.backends.runtime.array import NDArray, array, empty, zeros

__all__ = ["NDArray", "array", "empty", "zeros"]
