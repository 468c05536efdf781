"""TVM's spelling of integer arithmetic: `tvm.arith.Analyzer()`, `tvm.arith.IntervalSet(0, 7)`, ..."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tvmscript.ir.arith import int_set
from tvmscript.ir.arith.analyzer import Analyzer, Extension, ProofStrength
from tvmscript.ir.arith.deduce_bound import deduce_bound
from tvmscript.ir.arith.int_set import IntervalSet, IntSet
from tvmscript.ir.arith.intervals.bounds import ConstIntBound
from tvmscript.ir.arith.intervals.modular import ModularSet
from tvmscript.ir.arith.iter_map.detect import detect_iter_map, detect_padded_iter_map
from tvmscript.ir.arith.iter_map.inverse import inverse_affine_iter_map
from tvmscript.ir.arith.iter_map.iter_sum import IterMapLevel, IterMapResult, IterMark, IterSplitExpr, IterSumExpr
from tvmscript.ir.arith.iter_map.normalize import normalize_iter_map_to_expr
from tvmscript.ir.arith.iter_map.simplify import iter_map_simplify, normalize_to_iter_sum
from tvmscript.ir.arith.iter_map.subspace import subspace_divide
from tvmscript.ir.arith.linear_equation import detect_clip_bound, detect_linear_equation
from tvmscript.ir.arith.region_bound import (
    estimate_region_lower_bound,
    estimate_region_strict_bound,
    estimate_region_upper_bound,
)
from tvmscript.ir.arith.shared_subexpressions import detect_common_subexpr
from tvmscript.ir.core.lazy import lazy_names

if TYPE_CHECKING:  # loaded on first use
    from tvmscript.ir.arith.constraints.equations import solve_linear_equations as solve_linear_equations
    from tvmscript.ir.arith.constraints.inequalities import solve_linear_inequalities as solve_linear_inequalities
    from tvmscript.ir.arith.constraints.system import IntConstraints as IntConstraints
    from tvmscript.ir.arith.constraints.system import IntConstraintsTransform as IntConstraintsTransform
    from tvmscript.ir.arith.constraints.system import IntGroupBounds as IntGroupBounds

__all__ = [
    "Analyzer",
    "ConstIntBound",
    "Extension",
    "IntSet",
    "IntervalSet",
    "IterMapLevel",
    "IterMapResult",
    "IterMark",
    "IterSplitExpr",
    "IterSumExpr",
    "ModularSet",
    "ProofStrength",
    "deduce_bound",
    "detect_clip_bound",
    "detect_common_subexpr",
    "detect_iter_map",
    "detect_linear_equation",
    "detect_padded_iter_map",
    "estimate_region_lower_bound",
    "estimate_region_strict_bound",
    "estimate_region_upper_bound",
    "int_set",
    "inverse_affine_iter_map",
    "iter_map_simplify",
    "normalize_iter_map_to_expr",
    "normalize_to_iter_sum",
    "subspace_divide",
]

# TVM's modules below this one are found by `tvm_names`
__path__: list[str] = []
__getattr__, __dir__ = lazy_names(
    __name__,
    {
        "IntConstraints": "tvmscript.ir.arith.constraints.system",
        "IntConstraintsTransform": "tvmscript.ir.arith.constraints.system",
        "IntGroupBounds": "tvmscript.ir.arith.constraints.system",
        "solve_linear_equations": "tvmscript.ir.arith.constraints.equations",
        "solve_linear_inequalities": "tvmscript.ir.arith.constraints.inequalities",
    },
)
