"""Run definitions and schedules of tensor expressions, and calls of operators, and observe the functions of them.

A text defines generators, each of which yields names with what a definition has: tensors for `te.create_prim_func`; a
schedule and its tensors; or a description of inputs `x:float32[n,4] i:int32[3]{0:5}` and a function of these.
"""

from __future__ import annotations

import importlib
import inspect
import re
from collections.abc import Collection, Iterator
from typing import Any, Final

import numpy as np

from tvmscript import driver
from tvmscript.fuzz.observing import observe, observe_error
from tvmscript.ir.core import TVMScriptError
from tvmscript.ir.te.construct import placeholder, var
from tvmscript.ir.te.prim_func import create_prim_func
from tvmscript.ir.te.schedule.schedule import Schedule

#: the package as its users import it, which texts do
_TVM: Final[Any] = importlib.import_module("tvmscript")
_INPUT: Final = re.compile(r"(\w+):(\w+)\[([^\]]*)\]")


def definitions(text: str) -> Iterator[tuple[str, Any]]:
    """Enumerate the definitions of a text by name."""
    names: dict[str, Any] = {name: getattr(_TVM, name) for name in ("te", "T", "tir", "topi")}
    names |= {"tvm": _TVM, "np": np, "__name__": "definitions"}
    exec(compile(text, "<definitions>", "exec"), names)  # noqa: S102  # a text of a recorded example
    for family, function in [*names.items()]:
        if inspect.isgeneratorfunction(function) and not family.startswith("_"):
            try:
                for name, *parts in function():
                    yield f"{family}.{name}", parts
            except TVMScriptError as error:
                observe_error(error)


def observe_definition(parts: Any) -> None:
    """Observe the function of a definition, or the error."""
    try:
        if isinstance(parts[0], str):
            parts = [_called(parts[0], parts[1])]
        value = parts[0]
        if isinstance(value, tuple) and isinstance(value[0], Schedule):
            observe("lowered", driver.lower(value[0], [*value[1]], simple_mode=True).script)
        else:
            observe("function", create_prim_func(value).script)
    except TVMScriptError as error:
        observe_error(error)


def _called(description: str, function: Any) -> list[Any]:
    inputs = [(name, dtype, dims.split(",") if dims else []) for name, dtype, dims in _INPUT.findall(description)]
    sizes = {dim: var(dim) for _, _, dims in inputs for dim in dims if not dim.isdigit()}
    shapes = [[sizes[dim] if dim in sizes else int(dim) for dim in dims] for _, _, dims in inputs]
    tensors = [placeholder(shape, dtype, name) for shape, (name, dtype, _) in zip(shapes, inputs, strict=True)]
    outputs = function(*tensors)
    return [*tensors, *(outputs if isinstance(outputs, (list, tuple)) else [outputs])]


def check_definitions(text: str, names: Collection[str]) -> None:
    """Observe some definitions of a text."""
    for name, parts in definitions(text):
        if name in names:
            observe_definition(parts)
