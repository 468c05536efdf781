"""The options of `script()`, named as in TVM 0.17."""

from __future__ import annotations

import difflib
from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any

from tvmscript.ir.core.dtype import DType
from tvmscript.printer.errors import InvalidOption, UnknownOption


@dataclass(frozen=True, slots=True)
class Options:
    """How a program is written. The defaults give TVM 0.17's default text."""

    #: name of the function or class, where the program itself does not say it
    name: str | None = None
    #: accepted for compatibility: nothing is ever left out into metadata
    show_meta: bool = False
    ir_prefix: str = "I"
    tir_prefix: str = "T"
    relax_prefix: str = "R"
    #: how functions of a module name each other: `cls.f`; empty: by the name of the module
    module_alias: str = "cls"
    #: dtype that buffers leave out
    buffer_dtype: str = "float32"
    #: dtype of integers that are written bare
    int_dtype: str = "int32"
    #: dtype of floats that are written bare (void: none)
    float_dtype: str = "void"
    #: declare the free names of an expression too
    verbose_expr: bool = False
    indent_spaces: int = 4
    print_line_numbers: bool = False
    #: lines shown around underlined places; without any, the whole text is shown
    num_context_lines: int = -1
    #: T.grid, T.axis.remap, T.Buffer parameters, the root block as a comment, return
    syntax_sugar: bool = True
    #: append the address of the object to each name
    show_object_address: bool = False


_KINDS: dict[str, tuple[type, ...]] = {
    entry.name: {"bool": (bool,), "int": (int,), "str": (str,)}.get(str(entry.type), (str, type(None)))
    for entry in fields(Options)
}
DEFAULT = Options()


def read_options(given: Mapping[str, Any]) -> Options:
    """The options given as keywords. Raises `UnknownOption`, `InvalidOption`."""
    if not given:
        return DEFAULT
    for name, value in given.items():
        kinds = _KINDS.get(name)
        if kinds is None:
            close = difflib.get_close_matches(name, _KINDS, 1)
            raise UnknownOption(name=name, hint=f"did you mean {close[0]}?" if close else f"known: {', '.join(_KINDS)}")
        if not isinstance(value, kinds) or (isinstance(value, bool) and bool not in kinds):
            raise InvalidOption(name=name, expected=f"a value of type {kinds[0].__name__}", got=repr(value))
        if name.endswith("_dtype"):
            DType(str(value))
        elif name.endswith("_prefix") and not str(value).isidentifier():
            raise InvalidOption(name=name, expected="an identifier", got=repr(value))
    return Options(**given)
