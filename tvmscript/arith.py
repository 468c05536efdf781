"""TVM's spelling of integer arithmetic: `tvm.arith.Analyzer()`, `tvm.arith.IntervalSet(0, 7)`, ..."""

from __future__ import annotations

from tvmscript.ir.arith import int_set
from tvmscript.ir.arith.analyzer import Analyzer, ProofStrength
from tvmscript.ir.arith.const_int_bound import ConstIntBound, ModularSet
from tvmscript.ir.arith.int_set import IntervalSet, IntSet

__all__ = [
    "Analyzer",
    "ConstIntBound",
    "IntSet",
    "IntervalSet",
    "ModularSet",
    "ProofStrength",
    "int_set",
]
