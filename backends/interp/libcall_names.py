"""Functions of C, CUDA, LLVM and shading languages by name: the intrinsic that each of them computes, lane by lane."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

from tvmscript.ir.core import Op
from tvmscript.ir.tir import Call, StringImm
from tvmscript.ir.tir.intrin.intrinsic import Intrinsic


def intrinsic_of_libcall(node: Call) -> Call | None:
    """Return the call of an intrinsic that a call by name stands for, None for an unknown name or signature."""
    first, *args = node.args
    op = _intrinsics_by_name().get(first.value) if isinstance(first, StringImm) else None
    if op is None:
        return None
    if isinstance(node.op, Op) and "llvm" in node.op.name:
        args = args[1:]  # the first is their number
    return Call(node.dtype, op, tuple(args[: op.num_inputs]), node.span) if len(args) >= op.least_inputs else None


@cache
def _intrinsics_by_name() -> dict[str, Intrinsic]:
    intrinsics = [op for op in Op.registry.values() if isinstance(op, Intrinsic) and op.lane_reference]
    names = {name: op for op in intrinsics for name in _function_names(op)}
    # LowerIntrin writes `hrint` for `round` of CUDA's narrow floats, as TVM does; it rounds halves to even
    nearbyint = Op.get("tir.nearbyint")
    assert isinstance(nearbyint, Intrinsic)
    return {**names, "hrint": nearbyint}


def _function_names(op: Intrinsic) -> Iterator[str]:
    for names in op.functions.values():
        yield from names.values()
    if op.llvm is not None and op.llvm.startswith("llvm."):
        yield op.llvm
    if op.c_name is not None:
        name = op.c_name
        # in LLVM, in C for both widths, in CUDA for fast and half-precision floats, in CUDA's device library
        yield from (f"llvm.{name}", name, f"{name}f", f"__{name}f", f"h{name}", f"__nv_{name}", f"__nv_{name}f")
