"""Values of the graph level: expressions of a text, what Python's values stand for, calls."""

from __future__ import annotations

import ast
from functools import partial
from typing import Any, ClassVar, Final

from tvmscript.ir.core.errors import TVMScriptError
from tvmscript.ir.core.module import GlobalVar
from tvmscript.ir.core.op import Op
from tvmscript.ir.core.span import Span
from tvmscript.ir.relax.base import RelaxExpr, StructInfo
from tvmscript.ir.relax.errors import InvalidCall
from tvmscript.ir.relax.expr import (
    Call,
    StringImm,
    Tuple,
)
from tvmscript.ir.relax.op.script_functions import script_function_of
from tvmscript.ir.tir.base import Expr
from tvmscript.parser.diagnostics.describe import describe
from tvmscript.parser.diagnostics.errors import (
    InvalidAnnotation,
    InvalidArguments,
    NotAnExpression,
    Refused,
    UnknownMember,
    UnsupportedSyntax,
    refused,
)
from tvmscript.parser.names.namespace import Builtin
from tvmscript.parser.python.annotations import Annotation, annotation_of
from tvmscript.parser.python.evaluator import Evaluator
from tvmscript.parser.relax.builtins.struct_info import STRUCT_INFOS, PendingStructInfo, resolve_struct_info
from tvmscript.parser.relax.error_location import refused_argument
from tvmscript.parser.relax.operators import RELAX_EXPRESSIONS, as_prim


class RelaxEvaluator(Evaluator):
    """Turns expression nodes into values of the graph level."""

    #: `T.int64` is the type of a value (0.27)
    scalars_are_values: ClassVar[bool] = False
    #: True and False are numbers among the attributes of functions (0.17)
    flags_are_numbers: ClassVar[bool] = True

    def operand(self, value: Any) -> Any:
        """An operand of Python's operators, as they take it."""
        return value

    def attribute(self, node: Any) -> Any:
        """Evaluate `x.astype("float16")`, or a name of a namespace."""
        if type(node.value) is ast.Name:
            owner = self.name(node.value)
            if isinstance(owner, RelaxExpr) and node.attr == "astype":
                return Builtin("astype", partial(script_function_of(_ASTYPE), owner))
            if isinstance(owner, RelaxExpr) and node.attr == "ty" and self.scalars_are_values:
                return owner.struct_info
            if isinstance(owner, RelaxExpr) and self.closure is None:
                hint = _MEMBERS.get(node.attr, "a value has only the method astype").format(node.value.id)
                raise UnknownMember(owner=node.value.id, name=node.attr, span=self.span(node), hint=hint)
        return super().attribute(node)

    def is_true(self, value: Any, node: Any) -> bool:
        """Whether a value counts as true while reading. Raises `UnsupportedSyntax` for one of the graph."""
        if isinstance(value, RelaxExpr):
            what, hint = _DECISIONS.get(type(getattr(node, "op", node)), _DECISIONS[ast.IfExp])
            raise UnsupportedSyntax(what=f"{what} values of the graph level", span=self.span(node), hint=hint)
        return super().is_true(value, node)

    def as_value(self, value: Any, span: Span) -> Any:
        """A value of the graph level: sequences of Python are tuples. Raises `NotAnExpression`."""
        if isinstance(value, RelaxExpr | GlobalVar):
            return value
        if isinstance(value, tuple | list):
            return Tuple(tuple([self.as_value(item, span) for item in value]), span=span)
        if isinstance(value, str):
            return StringImm(value, span=span)
        if isinstance(value, Expr | int | float):
            return as_prim(value, span)
        raise NotAnExpression(what=describe(value), span=span)

    def struct_info(self, node: Any, role: str) -> StructInfo:
        """The struct info that an annotation says. Raises `InvalidAnnotation`."""
        given = self.said(self.value(node), node)
        info = resolve_struct_info(self, given, self.span(node))
        if info is None:
            raise self.no_struct_info(given, node, role)
        return info

    def said(self, given: Any, node: Any) -> Any:
        """What an annotation says; that of `Annotated[...]` is what it calls."""
        if isinstance(given, StructInfo | PendingStructInfo | Builtin):
            return given
        found = annotation_of(given, self.span(node))
        if isinstance(found, Annotation):
            return self.call_builtin(node, found.function, list(found.args), dict(found.kwargs))
        return found

    def no_struct_info(self, given: Any, node: Any, role: str) -> InvalidAnnotation:
        """The error about an annotation that is no struct info."""
        hint = 'struct info is such as R.Tensor((16,), "float32") or R.Object'
        return InvalidAnnotation(what=describe(given), role=role, span=self.span(node), hint=hint)

    def call_builtin(self, node: Any, function: Builtin, args: list[Any], kwargs: dict[str, Any]) -> Any:
        """What a name of the language makes of its arguments; struct info may be given by its name alone."""
        if function.name not in _STRUCT_INFO_NAMES:
            for position, arg in enumerate(args):
                args[position] = self.settled(arg, node)
            for key, item in kwargs.items():
                kwargs[key] = self.settled(item, node)
        try:
            return super().call_builtin(node, function, args, kwargs)
        except Refused as error:
            cause = error.__cause__
            if isinstance(cause, InvalidCall):
                raise refused_argument(self.tree, node, function, cause) from cause
            raise

    def settled(self, value: Any, node: Any) -> Any:
        """An argument with names of struct info as struct info."""
        if isinstance(value, Builtin | PendingStructInfo) and not _is_dtype(value):
            return resolve_struct_info(self, value, self.span(node)) or value
        if isinstance(value, tuple | list) and any(isinstance(item, Builtin | PendingStructInfo) for item in value):
            return type(value)([self.settled(item, node) for item in value])
        return value

    def call_global(self, node: Any, function: GlobalVar, args: list[Any], kwargs: dict[str, Any]) -> Any:
        """A call of another function of the module."""
        return self.call_value(node, function, args, kwargs)

    def call_python(self, node: Any, function: Any, args: list[Any], kwargs: dict[str, Any]) -> Any:
        """A call of a value that is a function, or of something captured."""
        if isinstance(function, RelaxExpr):
            return self.call_value(node, function, args, kwargs)
        return super().call_python(node, function, args, kwargs)

    def call_value(self, node: Any, function: Any, args: list[Any], kwargs: dict[str, Any]) -> Call:
        """A call of a function, with what is known of its result."""
        span = self.span(node)
        sinfo = kwargs.pop("sinfo_args", ())
        if kwargs:
            name = getattr(function, "name_hint", "a function")
            raise InvalidArguments(function=name, reason="no keywords are taken", span=span)
        given = sinfo if isinstance(sinfo, tuple | list) else (sinfo,)
        infos = [resolve_struct_info(self, item, span) for item in given]
        if None in infos:
            raise InvalidArguments(function="sinfo_args", reason="struct info is needed", span=span)
        values = [self.as_value(arg, span) for arg in args]
        try:
            made = Call(function, values, None, infos, span=span)  # type: ignore[arg-type]  # none is None
        except TVMScriptError as error:
            raise refused(error, span) from error
        return made


RelaxEvaluator.expressions = {**RELAX_EXPRESSIONS, ast.Attribute: RelaxEvaluator.attribute}


def _is_dtype(value: Any) -> bool:
    """Whether it is a name of `T`, such as `T.float32`."""
    return isinstance(value, Builtin) and value.name.startswith("T.")


_STRUCT_INFO_NAMES: Final = frozenset(made.name for made in STRUCT_INFOS.values())
#: what Python decides by whether a value is true -> its words, and what to write
_DECISIONS: Final = {
    ast.And: ("`and` of", "write R.logical_and(a, b)"),
    ast.Or: ("`or` of", "write R.logical_or(a, b)"),
    ast.IfExp: ("a choice by", "write R.where(condition, a, b), or if and else as statements"),
}
#: attribute of tensors in other libraries -> what to write
_MEMBERS: Final = {
    "shape": "write R.shape_of({})",
    "T": "write R.permute_dims({})",
    "reshape": "write R.reshape({}, shape)",
}
_ASTYPE: Final[Any] = Op.get("relax.astype")
