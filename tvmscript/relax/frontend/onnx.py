"""TVM's front door `tvm.relax.frontend.onnx`."""

from __future__ import annotations

from tvmscript.frontend.onnx import from_onnx

__all__ = ["from_onnx"]
