"""What the attributes of a function say about where it runs."""

from __future__ import annotations

from enum import IntEnum
from typing import Final

from tvmscript.ir.core.module import BaseFunc
from tvmscript.ir.core.target import Target
from tvmscript.ir.tir.function import PrimFunc
from tvmscript.ir.transform.errors import NoTarget


class CallingConv(IntEnum):
    """How a function is called: the attribute `calling_conv`."""

    DEFAULT = 0
    #: through the function type of the runtime's packed functions
    C_PACKED = 1
    #: by a launch, with a grid of threads
    DEVICE_KERNEL_LAUNCH = 2


#: a function that other functions or modules call by its symbol
IS_GLOBAL: Final = "tir.is_global_func"
#: what a launch is given after the arguments: thread tags, and `USES_DYNAMIC_SHARED_MEMORY`
LAUNCH_PARAMS: Final = "tir.kernel_launch_params"
USES_DYNAMIC_SHARED_MEMORY: Final = "tir.use_dyn_shared_memory"


def target_of(func: PrimFunc, pass_name: str) -> Target:
    """The target that a function has. Raises `NoTarget`."""
    target = func.attrs.get("target")
    if not isinstance(target, Target):
        raise NoTarget(name=pass_name, function=func.attrs.get("global_symbol") or "a function", span=func.span)
    return target


def symbol_of(func: BaseFunc) -> str | None:
    """The symbol of a function that is seen from outside; None for a private one."""
    attrs = getattr(func, "attrs", {})
    symbol = attrs.get("global_symbol")
    return symbol if isinstance(symbol, str) else None


def is_set(func: BaseFunc, key: str) -> bool:
    """Whether an attribute is there and not zero."""
    value = getattr(func, "attrs", {}).get(key)
    return value is not None and bool(getattr(value, "value", value))


def calling_conv(func: BaseFunc) -> CallingConv:
    """How the function is called."""
    value = getattr(func, "attrs", {}).get("calling_conv")
    return CallingConv.DEFAULT if value is None else CallingConv(int(value))
