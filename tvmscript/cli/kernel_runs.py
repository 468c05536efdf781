"""What `run` and `bench` share: sizes, wrong answers, times in words."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from tvmscript.cli.errors import InvalidOption, Trouble
from tvmscript.ir.core import IRModule, TVMScriptError, nodes
from tvmscript.ir.relax.function import Function
from tvmscript.ir.relax.symbolic_shape import tir_vars_in_struct_info
from tvmscript.ir.tir import PrimFunc, Var


class NotADimension(Trouble, code="TS7020"):
    """A size on the command line is not of the form NAME=NUMBER."""

    message = "{option} takes NAME=NUMBER, but got {text}"


class WrongAnswer(TVMScriptError, code="TS7021"):
    """A compiled function returns other numbers than its reference, or than the interpreter.

    The difference is larger than reordered rounding can cause. Either the reference computes something else, or the
    compiler is wrong.
    """

    message = "{name} is WRONG: the {checked_by} returns another result"


def sizes_of(words: list[str], option: str) -> dict[str, int]:
    """Return the sizes of words such as `n=100`. Raises `NotADimension`."""
    sizes: dict[str, int] = {}
    for text in words:
        name, _, number = text.partition("=")
        if not number.isdecimal():
            raise NotADimension(option=option, text=repr(text))
        sizes[name] = int(number)
    return sizes


def check_sizes(sizes: Mapping[str, int], programs: Iterable[object], option: str) -> None:
    """Raise `InvalidOption` for a size that no function of the programs has."""
    names = {name for program in programs for name in _sizes_in(program)}
    for name in sizes.keys() - names:
        hint = f"the sizes are {', '.join(sorted(names))}" if names else "all sizes are known"
        raise InvalidOption(option=option, reason=f"there is no size {name}", hint=hint)


def _sizes_in(program: object) -> set[str]:
    """Return the names of the sizes and scalars of functions."""
    if isinstance(program, IRModule):
        return {name for func in program.functions.values() for name in _sizes_in(func)}
    if isinstance(program, Function):
        infos = [param.struct_info for param in program.params if param.struct_info is not None]
        return {var.name for info in infos for var in tir_vars_in_struct_info(info)}
    if isinstance(program, PrimFunc):
        extents = [extent for buffer in program.buffer_map.values() for extent in buffer.shape]
        used = [part for extent in extents for part in nodes(extent) if isinstance(part, Var)]
        return {var.name for var in (*used, *program.params) if var not in program.buffer_map}
    return set()


def extents_of(func: PrimFunc, values: Sequence[Any]) -> dict[Var, int]:
    """Return the values of the symbolic sizes of a function."""
    sizes: dict[Var, int] = {}
    for param, value in zip(func.params, values, strict=True):
        buffer = func.buffer_map.get(param)
        if buffer is None:
            sizes |= {param: value} if isinstance(value, int) else {}
        else:
            pairs = zip(buffer.shape, value.shape, strict=False)
            sizes |= {extent: size for extent, size in pairs if isinstance(extent, Var)}
    return sizes


def in_words(seconds: float) -> str:
    """Return a time with a unit that suits it."""
    for limit, factor, unit in ((1e-3, 1e6, "us"), (1.0, 1e3, "ms")):
        if seconds < limit:
            return f"{seconds * factor:.2f} {unit}"
    return f"{seconds:.2f} s"
