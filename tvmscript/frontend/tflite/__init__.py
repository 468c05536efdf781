"""Importer of TFLite models: `from_tflite`.

read_model.py  the tables of a file          importer.py  graphs, quantized tensors
operators/     converters of operators       values.py    what a tensor stands for while it is imported
"""

from __future__ import annotations

from tvmscript.frontend.tflite.importer import from_tflite

__all__ = ["from_tflite"]
