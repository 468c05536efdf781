"""`T.print` and `T.breakpoint`, which stops Python's debugger at its line of the script."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import PurePath
from typing import Any

import numpy as np

from tvmscript.backends.interp.calls import SPECIAL, unavailable
from tvmscript.backends.interp.compiler import Code, Compiler, Frame
from tvmscript.backends.interp.layout import strided_of
from tvmscript.backends.interp.memory import Pointer, codec
from tvmscript.backends.runtime.debugger_frames import frame_of, is_usable, show_source
from tvmscript.ir.core import DType
from tvmscript.ir.tir import Buffer, Call, StringImm, Var
from tvmscript.ir.tir.intrin.debugging import fields_of

#: floats that NumPy writes with as few digits as tell them from their neighbours
_SHORT: dict[str, Callable[[float], Any]] = {"float32": np.float32, "float16": np.float16}


def write(compiler: Compiler, node: Call) -> Code:
    """Print the file and line of the script, and the text with its values."""
    text, *values = node.args
    if not isinstance(text, StringImm):
        return unavailable(node)
    try:
        pieces = fields_of(text.value)
    except ValueError:
        return unavailable(node)
    operands = [(compiler.code(value), value.dtype) for value in values]
    if sum(spec is not None for _, spec in pieces) != len(operands):
        return unavailable(node)
    place = "" if node.span is None else f"{PurePath(node.span.source.name).name}:{node.span.line}: "

    def run(frame: Frame) -> int:
        line, left = [place], iter(operands)
        for literal, spec in pieces:
            line.append(literal)
            if spec is not None:
                code, dtype = next(left)
                line.append(_format_value(code(frame), dtype, spec))
        print("".join(line))
        return 0

    return run


def _format_value(value: Any, dtype: DType, spec: str) -> str:
    if isinstance(value, tuple) and not isinstance(value, Pointer):
        lanes: tuple[Any, ...] = value
        return f"[{', '.join([_format_value(lane, dtype.element, spec) for lane in lanes])}]"
    if isinstance(value, Pointer):
        return f"<byte {value.offset} of {value.memory.name}>"
    short = _SHORT.get(str(dtype))
    return format(value, spec) if spec or short is None else str(short(value))


def stop(compiler: Compiler, node: Call) -> Code:
    """Python's debugger at the line of the script: `sys.breakpointhook` is called from a frame which stands there, and
    has the variables that are variables as its locals, buffers as NumPy arrays over their memory.
    """
    variables = {name.name: value for name, value in _visible(compiler) if is_usable(name.name)}
    span = node.span
    enter = frame_of("kernel", span, tuple(variables))

    def run(frame: Frame) -> int:
        show_source(span)
        enter(*[value(frame) for value in variables.values()])
        return 0

    return run


def _visible(compiler: Compiler) -> list[tuple[Any, Code]]:
    """Return the variables and buffers in scope, those bound last at the end; loop variables keep their last value."""
    visible: list[tuple[Any, Code]] = []
    for name, slot, constant in compiler.visible_values():
        if isinstance(name, Buffer):
            visible.append((name, array_of(compiler, name)))
        elif isinstance(name, Var) and not name.dtype.is_handle:
            visible.append((name, _always(constant) if slot is None else _variable(slot)))
    return visible


def _variable(slot: int) -> Code:
    return lambda frame: frame[slot]


def _always(value: object) -> Code:
    return lambda frame: value


def array_of(compiler: Compiler, buffer: Buffer) -> Code:
    """Return code for a buffer as an array, decoded where NumPy lacks the dtype; None before its binding."""
    slots = compiler.slot(buffer), compiler.slot(buffer.data)
    bound, form, lanes = strided_of(compiler, buffer), codec(buffer.dtype.element), buffer.dtype.lanes

    def array(frame: Frame) -> Any:
        if any(frame[slot] is None for slot in slots):
            return None
        view, base, shape, strides = bound(frame)
        shape, strides = (shape, strides) if lanes == 1 else ((*shape, lanes), (*strides, 1))
        steps = tuple([step * form.size for step in strides])
        whole = np.asarray(view)[base:]
        elements = np.lib.stride_tricks.as_strided(whole, shape, steps)
        if form.decode is None:
            return elements
        return np.asarray(form.decode, dtype=np.float64)[elements]

    return array


SPECIAL["tir.print"] = write
SPECIAL["tir.breakpoint"] = stop
