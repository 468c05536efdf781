"""Operators of random numbers: TVM's `topi.random`."""

from __future__ import annotations

from tvmscript.ir.core.lazy import lazy_names
from tvmscript.ir.topi.random import multinomial, normal, threefry_generate, threefry_split, uniform

__all__ = ["multinomial", "normal", "threefry_generate", "threefry_split", "uniform"]

# absent names of TVM below this module are found by `tvm_names`
__path__: list[str] = []
__getattr__, __dir__ = lazy_names(__name__, {})
