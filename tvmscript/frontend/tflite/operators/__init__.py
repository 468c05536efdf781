"""Converters of TFLite's operators, by name."""

from __future__ import annotations

from tvmscript.frontend.tflite.operators import convolution, elementwise, reduction, shape
from tvmscript.frontend.tflite.operators.table import OPERATORS

__all__ = ["OPERATORS", "convolution", "elementwise", "reduction", "shape"]
