"""Runtime inputs and weights among the parameters of a function."""

from __future__ import annotations

from typing import Any

from tvmscript.ir.relax.expr import Var
from tvmscript.ir.relax.function import Function
from tvmscript.ir.relax.transform.errors import TooManyRuntimeInputs


def num_input(func: Function, name: str) -> int | None:
    """Return the number of runtime inputs, which precede the weights: the attribute `num_input`, None where it is
    absent. Raises `TooManyRuntimeInputs`.
    """
    value: Any = func.attrs.get("num_input")
    if value is None:
        return None
    count = int(getattr(value, "value", value))
    if not 0 <= count <= len(func.params):
        raise TooManyRuntimeInputs(name=name, count=count, params=len(func.params))
    return count


def weights(func: Function, name: str) -> tuple[Var, ...]:
    """Return the parameters after the runtime inputs. Without the attribute `num_input` there are none."""
    count = num_input(func, name)
    return () if count is None else func.params[count:]
