"""The names of `tvm.te` that are about expressions: `te.var("n")`, `te.max(a, b)`. Tensors and schedules are absent."""

from __future__ import annotations

from typing import Any, Final

from tvmscript import tir
from tvmscript.ir.core import DType
from tvmscript.ir.tir import IterKind, IterVar, Range, SizeVar, Var
from tvmscript.ir.tir import const as const
from tvmscript.tvm_names import ABSENT, Absent

#: names of TVM's module that are names of `tir`
_OF_TIR: Final = (
    "abs acos acosh add all any asin asinh atan atanh ceil cos cosh div erf exp floor floordiv floormod fmod "
    "if_then_else indexdiv indexmod isfinite isinf isnan log log10 log2 max max_value min min_value multiply nearbyint "
    "popcount power round rsqrt sigmoid sin sinh sqrt subtract tan tanh trunc truncdiv truncmod "
)


def var(name: str = "tindex", dtype: DType | str = "int32") -> Var:
    """Return a variable."""
    return Var(name, dtype)


def size_var(name: str = "size", dtype: DType | str = "int32") -> SizeVar:
    """Return a variable that is at least 0."""
    return SizeVar(name, dtype)


def thread_axis(dom: Any = None, tag: str = "", name: str = "") -> IterVar:
    """Return a thread index: `thread_axis((0, 16), "threadIdx.x")`, `thread_axis("threadIdx.x")`."""
    if isinstance(dom, str):
        dom, tag = None, dom
    return IterVar(_range(dom), Var(name or tag, "int32"), IterKind.THREAD_INDEX, tag)


def reduce_axis(dom: Any, name: str = "rv") -> IterVar:
    """Return an axis of a reduction."""
    return IterVar(_range(dom), Var(name, "int32"), IterKind.COMM_REDUCE)


def _range(dom: Any) -> Range | None:
    return Range(*dom) if isinstance(dom, (tuple, list)) else dom


def __getattr__(name: str) -> Any:
    if name in _OF_TIR.split():
        return getattr(tir, name)
    if name.startswith("__"):
        raise AttributeError(name)
    return Absent(f"te.{name}", ABSENT["te"])
