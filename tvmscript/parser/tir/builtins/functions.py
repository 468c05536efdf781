"""Functions: attributes, name, result type, parameters."""

from __future__ import annotations

from collections.abc import Mapping

from tvmscript.ir.core import PrimType, Span, Type, WrongType
from tvmscript.ir.core.attrs import attributes
from tvmscript.ir.tir.expr import Var, type_of
from tvmscript.parser.builtins.argument_checks import merge_attributes, text
from tvmscript.parser.builtins.table import construct
from tvmscript.parser.diagnostics.errors import NotInside
from tvmscript.parser.frames import KernelReader
from tvmscript.parser.names.namespace import Builtin
from tvmscript.parser.tir.builtins.constructors import as_dtype


@construct("func_attr")
def func_attr(parser: KernelReader, span: Span, attrs: Mapping[str, object]) -> None:
    """Set the attributes of the function."""
    if not isinstance(attrs, Mapping):
        raise WrongType(where="T.func_attr", expected="a dict", got=repr(attrs), span=span)
    if parser.loop_ranges or parser.blocks:
        raise NotInside(what="T.func_attr", place="the function itself, not into a loop or a block", span=span,
                        hint="write it at the top of the function")  # fmt: skip
    parser.attrs = merge_attributes("T.func_attr", parser.attrs, attributes(attrs), span)


@construct("func_name")
def func_name(parser: KernelReader, span: Span, name: str) -> None:
    """Set the name of the function."""
    if not isinstance(name, str):
        raise WrongType(where="T.func_name", expected="a name", got=repr(name), span=span)
    parser.function_name = name


@construct("func_ret")
def func_ret(parser: KernelReader, span: Span, ret_type: object) -> None:
    """Set the type of the result."""
    if isinstance(ret_type, Builtin):
        ret_type = PrimType(as_dtype(ret_type))
    elif isinstance(ret_type, Var):
        ret_type = type_of(ret_type)
    if not isinstance(ret_type, Type):
        raise WrongType(where="T.func_ret", expected="a type", got=repr(ret_type), span=span)
    parser.ret_type = ret_type


@construct("arg")
def arg(parser: KernelReader, span: Span, name: str, obj: object) -> object:
    """Add a parameter to the function."""
    parser.add_parameter(text("T.arg", name), obj, span)
    return obj
