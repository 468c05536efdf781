"""Importer of StableHLO programs, such as those of JAX: `from_stablehlo`.

text.py       the text of a program as operations with operands, attributes, types and regions
operators.py  converters of operations           indexed.py          gather, scatter, sort
sizes.py      integers that are symbolic sizes   complex_numbers.py  pairs of tensors, fft
importer.py   functions, calls, control flow
"""

from __future__ import annotations

from tvmscript.frontend.stablehlo.importer import from_stablehlo

__all__ = ["from_stablehlo"]
