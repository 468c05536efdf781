"""Attributes of a PrimFunc: target, symbol, calling convention, what may be done with its floats."""

from __future__ import annotations

from enum import IntEnum
from typing import Final

from tvmscript.ir.core import BaseFunc, Target
from tvmscript.ir.tir import IntImm, PrimFunc
from tvmscript.ir.transform.errors import NoTarget


class CallingConv(IntEnum):
    """Calling conventions: values of the attribute `calling_conv`."""

    DEFAULT = 0
    #: the signature of packed functions of the runtime
    C_PACKED = 1
    #: a kernel launch with a grid of threads
    DEVICE_KERNEL_LAUNCH = 2


#: the attribute of a function that is called by its symbol
IS_GLOBAL: Final = "tir.is_global_func"
#: the launch parameters after the arguments: thread tags and `USES_DYNAMIC_SHARED_MEMORY`
LAUNCH_PARAMS: Final = "tir.kernel_launch_params"
USES_DYNAMIC_SHARED_MEMORY: Final = "tir.use_dyn_shared_memory"

#: attributes that promise that no two buffers overlap
_NOALIAS: Final = ("tir.noalias", "tirx.noalias")
#: the attribute of scheduled functions
SCHEDULED: Final = "tir.is_scheduled"
#: attributes of functions whose products may be fused with the sums that they go into, and whose reductions may be
#: split; true without them
#: annotation of a loop that copies neighbouring elements: bytes of an alignment of the original that spares the copy
COPY_UNLESS_ALIGNED: Final = "tir.copy_unless_aligned"
_FP_CONTRACT: Final = "tir.fp_contract"
_SPLIT_REDUCTIONS: Final = "tir.split_reductions"


def target_of(func: PrimFunc, pass_name: str) -> Target:
    """Return the target of a function. Raises `NoTarget`."""
    target = func.attrs.get("target")
    if not isinstance(target, Target):
        raise NoTarget(name=pass_name, function=func.attrs.get("global_symbol") or "a function", span=func.span)
    return target


def symbol_of(func: BaseFunc) -> str | None:
    """Return the symbol of an exported function; None for a private one."""
    attrs = getattr(func, "attrs", {})
    symbol = attrs.get("global_symbol")
    return symbol if isinstance(symbol, str) else None


def is_set(func: BaseFunc, key: str) -> bool:
    """Return whether an attribute is present and not zero."""
    value = getattr(func, "attrs", {}).get(key)
    return value is not None and bool(getattr(value, "value", value))


def calling_conv(func: BaseFunc) -> CallingConv:
    """Return the calling convention of a function."""
    value = getattr(func, "attrs", {}).get("calling_conv")
    return CallingConv.DEFAULT if value is None else CallingConv(int(value))


def is_noalias(func: BaseFunc) -> bool:
    """Return whether a function promises that no two of its buffers overlap."""
    return any(is_set(func, key) for key in _NOALIAS)


def is_scheduled(func: BaseFunc) -> bool:
    """Return whether a function has the attribute of scheduled functions."""
    return is_set(func, SCHEDULED)


def contracts(func: PrimFunc) -> bool:
    """Return whether a * b + c of a function may be rounded once."""
    return _is_allowed(func, _FP_CONTRACT)


def splits_reductions(func: PrimFunc) -> bool:
    """Return whether the terms of a reduction may be combined in another order."""
    return _is_allowed(func, _SPLIT_REDUCTIONS)


def _is_allowed(func: PrimFunc, key: str) -> bool:
    value = func.attrs.get(key)
    return not isinstance(value, IntImm) or value.value != 0
