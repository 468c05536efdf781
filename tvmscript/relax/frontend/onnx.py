"""TVM's front door `tvm.relax.frontend.onnx`."""

from __future__ import annotations

from tvmscript.frontend.onnx import from_onnx

# other paths of TVM are found by `tvm_names`
__path__: list[str] = []

__all__ = ["from_onnx"]
