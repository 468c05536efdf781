"""Converters of TFLite's operators, by name."""

from __future__ import annotations

from tvmscript.frontend.tflite.operators import control_flow, convolution, elementwise, recurrent, reduction, shape
from tvmscript.frontend.tflite.operators.table import OPERATORS

__all__ = ["OPERATORS", "control_flow", "convolution", "elementwise", "recurrent", "reduction", "shape"]
