"""The options of `script()`, named as in TVM 0.17."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any

from tvmscript.ir.core import DType, Node, closest
from tvmscript.printer.errors import InvalidOption, UnknownOption
from tvmscript.printer.object_paths import Path

#: values of the option `dialect`
DIALECTS = ("0.17", "0.27")


@dataclass(frozen=True, slots=True)
class Options:
    """Options of `script()`. The defaults give the default text of TVM 0.17."""

    #: version of TVM: "0.17" or "0.27"
    dialect: str = "0.17"
    #: name of the function or class, where the program has none
    name: str | None = None
    #: write the section of large constants
    show_meta: bool = True
    ir_prefix: str = "I"
    tir_prefix: str = "T"
    relax_prefix: str = "R"
    #: name of the module in Relax functions, as in `cls.f`; empty: the name of its class
    module_alias: str = "cls"
    #: dtype that buffers leave out
    buffer_dtype: str = "float32"
    #: dtype of integers that are written bare
    int_dtype: str = "int32"
    #: dtype of floats that are written bare; void: none
    float_dtype: str = "void"
    #: declare the free names of an expression too
    verbose_expr: bool = False
    indent_spaces: int = 4
    print_line_numbers: bool = False
    #: lines around underlined places to show; negative: all
    num_context_lines: int = -1
    #: T.grid, T.axis.remap, T.Buffer parameters, the root block as a comment, return
    syntax_sugar: bool = True
    #: append the address of the object to each name
    show_object_address: bool = False
    #: nodes to underline
    obj_to_underline: Sequence[Node] | None = None
    #: paths of nodes to underline: `.body.seq[1].value` or lists of steps
    path_to_underline: Sequence[Path] | None = None
    #: underline only the first line of loops, blocks and branches
    underline_heads: bool = False
    #: statements and functions -> comment
    obj_to_annotate: Mapping[Node, str] | None = None
    path_to_annotate: Mapping[Path, str] | None = None
    #: annotate every variable of Relax, also where its value implies the struct info
    show_all_struct_info: bool = True
    #: write whole floats with a point, as TVM does after 0.17: `T.float32(0.0)`
    float_points: bool = False
    #: write the comments of the source text, and notes at undefined names
    comments: bool = True
    #: annotations that type checkers accept: `A: Annotated[T.Buffer, (16, 16), "float32"]`
    annotated: bool = False


#: annotation of an option -> accepted types, and their description
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


def read_options(arguments: Mapping[str, Any]) -> Options:
    """Return the options. Raises `UnknownOption`, `InvalidOption`."""
    if not arguments:
        return DEFAULT
    for name, value in arguments.items():
        kinds = _KINDS.get(name)
        if kinds is None:
            raise UnknownOption(name=name, hint=closest(name, _KINDS) or f"known: {', '.join(_KINDS)}")
        types, expected = kinds
        if not isinstance(value, types) or (isinstance(value, bool) and bool not in types):
            raise InvalidOption(name=name, expected=expected, got=repr(value))
        if isinstance(value, dict) and not all(isinstance(text, str) for text in value.values()):
            raise InvalidOption(name=name, expected=expected, got=repr(value))
        keys = value if name.startswith("obj_to_") and isinstance(value, (list, tuple, dict)) else ()
        if not all(isinstance(node, Node) for node in keys):
            raise InvalidOption(name=name, expected=expected, got=repr(value))
        if name == "dialect" and value not in DIALECTS:
            raise InvalidOption(name=name, expected=" or ".join(map(repr, DIALECTS)), got=repr(value))
        if name == "annotated" and value and arguments.get("dialect", "0.17") != "0.17":
            raise InvalidOption(name=name, expected="False in the dialect 0.27", got=repr(value))
        if name.endswith("_dtype"):
            DType(str(value))
        elif name.endswith("_prefix") and not str(value).isidentifier():
            raise InvalidOption(name=name, expected="an identifier", got=repr(value))
    return Options(**arguments)
