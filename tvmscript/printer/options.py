"""The options of `script()`, named as in TVM 0.17."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any

from tvmscript.ir.core.dtype import DType
from tvmscript.ir.core.node import Node
from tvmscript.ir.core.suggestions import closest
from tvmscript.printer.errors import InvalidOption, UnknownOption
from tvmscript.printer.object_paths import Path

#: values of the option `dialect`
DIALECTS = ("0.17", "0.27")


@dataclass(frozen=True, slots=True)
class Options:
    """How a program is written. The defaults give TVM 0.17's default text."""

    #: the TVM that the text is for: "0.17" or "0.27"
    dialect: str = "0.17"
    #: name of the function or class, where the program itself does not say it
    name: str | None = None
    #: write the section with the large constants that the program refers to
    show_meta: bool = True
    ir_prefix: str = "I"
    tir_prefix: str = "T"
    relax_prefix: str = "R"
    #: what functions of the graph level call their module: `cls.f`; empty: its name
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
    #: nodes that get a line of ^ below them
    obj_to_underline: Sequence[Node] | None = None
    #: the same, by paths from the root: `.body.seq[1].value` or lists of steps
    path_to_underline: Sequence[Path] | None = None
    #: of underlined loops, blocks and branches underline the first line alone
    underline_heads: bool = False
    #: statements and functions -> a comment that is written there
    obj_to_annotate: Mapping[Node, str] | None = None
    path_to_annotate: Mapping[Path, str] | None = None
    #: what is known of every variable of the graph level, also where its value says it
    show_all_struct_info: bool = True
    #: write the comments of the text that the program was read from, and notes at names that nobody defines
    comments: bool = True
    #: parameters as type checkers accept them: `A: Annotated[T.Buffer, (16, 16), "float32"]`
    annotated: bool = False


#: annotation of an option -> the types it takes, and how they are called
_ACCEPTED: dict[str, tuple[tuple[type, ...], str]] = {
    "bool": ((bool,), "a value of type bool"),
    "int": ((int,), "a value of type int"),
    "str": ((str,), "a value of type str"),
    "str | None": ((str, type(None)), "a value of type str"),
    "Sequence[Node] | None": ((list, tuple, type(None)), "a list of nodes"),
    "Sequence[Path] | None": ((list, tuple, type(None)), "a list of paths"),
    "Mapping[Node, str] | None": ((dict, type(None)), "a dictionary of nodes and texts"),
    "Mapping[Path, str] | None": ((dict, type(None)), "a dictionary of paths and texts"),
}
_KINDS = {entry.name: _ACCEPTED[str(entry.type)] for entry in fields(Options)}
DEFAULT = Options()


def read_options(given: Mapping[str, Any]) -> Options:
    """The options given as keywords. Raises `UnknownOption`, `InvalidOption`."""
    if not given:
        return DEFAULT
    for name, value in given.items():
        kinds = _KINDS.get(name)
        if kinds is None:
            raise UnknownOption(name=name, hint=closest(name, _KINDS) or f"known: {', '.join(_KINDS)}")
        types, expected = kinds
        if not isinstance(value, types) or (isinstance(value, bool) and bool not in types):
            raise InvalidOption(name=name, expected=expected, got=repr(value))
        if isinstance(value, dict) and not all(isinstance(text, str) for text in value.values()):
            raise InvalidOption(name=name, expected=expected, got=repr(value))
        keys = value if name.startswith("obj_to_") and isinstance(value, list | tuple | dict) else ()
        if not all(isinstance(node, Node) for node in keys):
            raise InvalidOption(name=name, expected=expected, got=repr(value))
        if name == "dialect" and value not in DIALECTS:
            raise InvalidOption(name=name, expected=" or ".join(map(repr, DIALECTS)), got=repr(value))
        if name == "annotated" and value and given.get("dialect", "0.17") != "0.17":
            raise InvalidOption(name=name, expected="False where another TVM is to read the text", got=repr(value))
        if name.endswith("_dtype"):
            DType(str(value))
        elif name.endswith("_prefix") and not str(value).isidentifier():
            raise InvalidOption(name=name, expected="an identifier", got=repr(value))
    return Options(**given)
