"""Tensor expressions: TVM's `te`. `te.compute((n,), lambda i: A[i] + B[i])`, `te.create_prim_func([A, B, C])`.

Functions of expressions are those of `tir`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from tvmscript.ir.arith.python_operators import FUNCTIONS
from tvmscript.ir.core.lazy import submodule
from tvmscript.ir.te.construct import (
    TagScope,
    compute,
    const,
    extern,
    extern_primfunc,
    placeholder,
    reduce_axis,
    scan,
    size_var,
    tag_scope,
    thread_axis,
    var,
)
from tvmscript.ir.te.gradient import gradient
from tvmscript.ir.te.prim_func import create_prim_func
from tvmscript.ir.te.reduction import comm_reducer, max, min, prod, sum
from tvmscript.ir.te.schedule.schedule import Schedule, create_schedule
from tvmscript.ir.te.schedule.specialization import SpecializedCondition
from tvmscript.ir.te.schedule.stage import AXIS_SEPARATOR, Stage
from tvmscript.ir.te.tensor import (
    ComputeOp,
    ExternOp,
    HybridOp,
    Operation,
    PlaceholderOp,
    ScanOp,
    Tensor,
    TensorComputeOp,
    TensorSlice,
)
from tvmscript.ir.te.tensor_intrin import TensorIntrin, TensorIntrinCall, decl_tensor_intrin
from tvmscript.ir.tir.intrin import SURFACE
from tvmscript.ir.tir.intrin.packed import trace
from tvmscript.tvm_names import ABSENT, Absent

if TYPE_CHECKING:
    from tvmscript.te import hybrid

if TYPE_CHECKING:  # the name is found by `tvm_names`, with the names of TVM that are absent
    from tvmscript.ir.te.schedule import names as schedule

__all__ = [
    "AXIS_SEPARATOR",
    "ComputeOp",
    "ExternOp",
    "HybridOp",
    "Operation",
    "PlaceholderOp",
    "ScanOp",
    "Schedule",
    "SpecializedCondition",
    "Stage",
    "TagScope",
    "Tensor",
    "TensorComputeOp",
    "TensorIntrin",
    "TensorIntrinCall",
    "TensorSlice",
    "comm_reducer",
    "compute",
    "const",
    "create_prim_func",
    "create_schedule",
    "decl_tensor_intrin",
    "extern",
    "extern_primfunc",
    "gradient",
    "hybrid",
    "max",
    "min",
    "placeholder",
    "prod",
    "reduce_axis",
    "scan",
    "schedule",
    "size_var",
    "sum",
    "tag_scope",
    "thread_axis",
    "trace",
    "var",
]

#: names of TVM's module that are names of `tir`
_OF_TIR: Final = (
    "abs acos acosh add all any asin asinh atan atanh ceil cos cosh div erf exp floor floordiv floormod fmod "
    "if_then_else indexdiv indexmod isfinite isinf isnan log log10 log2 max_value min_value multiply nearbyint "
    "popcount power round rsqrt sigmoid sin sinh sqrt subtract tan tanh trunc truncdiv truncmod"
)


def __getattr__(name: str) -> Any:
    if name in _OF_TIR.split():
        return FUNCTIONS.get(name) or SURFACE[name]
    if f"te.{name}" in ABSENT:
        return Absent(f"te.{name}", ABSENT[f"te.{name}"])
    inner_module = submodule(__name__, name)
    if inner_module is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return inner_module


def __dir__() -> list[str]:
    return sorted({*__all__, *_OF_TIR.split()})
