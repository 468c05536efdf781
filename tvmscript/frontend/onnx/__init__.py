"""Importers of ONNX models: `from_onnx`."""

from __future__ import annotations

from tvmscript.frontend.onnx.from_onnx import from_onnx

__all__ = ["from_onnx"]
