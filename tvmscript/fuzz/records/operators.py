"""Run definitions and schedules of tensor expressions, and calls of operators, and observe the functions of them.

A text defines generators, each of which yields names with what a definition has: tensors for `te.create_prim_func`, or
its arguments by name; a schedule and its tensors; or a description of inputs `x:float32[n,4] i:int32[3]{0:5}` and a
function of these, at last options: `scheduled` for operators that are no functions of blocks.
"""

from __future__ import annotations

import importlib
import inspect
import re
from collections.abc import Collection, Iterator, Sequence
from typing import Any, Final

import numpy as np

from tvmscript import driver
from tvmscript.fuzz.observing import observe, observe_error
from tvmscript.fuzz.records.outcomes import describe
from tvmscript.ir.core import TVMScriptError
from tvmscript.ir.te.construct import placeholder, var
from tvmscript.ir.te.prim_func import create_prim_func
from tvmscript.ir.te.schedule.schedule import Schedule, create_schedule
from tvmscript.ir.te.tensor import Operation, Tensor

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
    """Observe the function of a definition and its operations, or the error."""
    try:
        value = _called(parts[0], parts[1]) if isinstance(parts[0], str) else parts[0]
        is_scheduled = len(parts) > 3 and "scheduled" in parts[3]
        if isinstance(value, tuple) and isinstance(value[0], Schedule):
            schedule, args = value
            observe("lowered", driver.lower(schedule, [*args], simple_mode=True).script)
            return
        options: dict[str, Any] = value if isinstance(value, dict) else {"ops": value}
        observe("operations", describe, [*_operations(options["ops"])])
        if is_scheduled:
            schedule = create_schedule([tensor.op for tensor in value if tensor.op.input_tensors])
            observe("lowered", driver.lower(schedule, value, simple_mode=True).script)
        else:
            observe("function", create_prim_func(**options).script)
    except TVMScriptError as error:
        observe_error(error)


def _operations(tensors: Sequence[Any]) -> Iterator[tuple[str, str, Any]]:
    """Enumerate what functions do not show of operations: their tags and attributes."""
    queue, seen = [tensor.op for tensor in tensors if isinstance(tensor, Tensor)], set[Operation]()
    while queue:
        op = queue.pop()
        if op not in seen:
            seen.add(op)
            yield op.name, op.tag, op.attrs
            queue += [tensor.op for tensor in op.input_tensors]


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
