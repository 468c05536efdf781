"""Evaluation of expression nodes to Relax values, and calls."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from functools import partial
from typing import Any, ClassVar, Final

from tvmscript.ir.core import DType, GlobalVar, Op, Span, TVMScriptError
from tvmscript.ir.relax.base import RelaxExpr, StructInfo
from tvmscript.ir.relax.errors import InvalidCall
from tvmscript.ir.relax.expr import Call, StringImm, Tuple
from tvmscript.ir.relax.op.script_functions import script_function_of
from tvmscript.ir.tir import Expr
from tvmscript.parser.diagnostics import errors
from tvmscript.parser.diagnostics.describe import describe
from tvmscript.parser.names.namespace import Builtin
from tvmscript.parser.python.annotations import Annotation, annotation_of
from tvmscript.parser.python.evaluator import Evaluator
from tvmscript.parser.relax.builtins.struct_info import STRUCT_INFOS, PendingStructInfo, resolve_struct_info
from tvmscript.parser.relax.error_location import refused_argument
from tvmscript.parser.relax.operators import RELAX_EXPRESSIONS, as_prim


class RelaxEvaluator(Evaluator):
    """Evaluates expression nodes to Relax values."""

    #: `T.int64` is the type of a value (0.27)
    scalars_are_values: ClassVar[bool] = False
    #: True and False are numbers among the attributes of functions (0.17)
    flags_are_numbers: ClassVar[bool] = True

    #: size that the body of the function declares -> its dtype
    declared_dtypes: Mapping[str, DType] = {}

    def operand(self, value: object) -> object:
        """Convert an operand of a Python operator."""
        return value

    def attribute(self, node: ast.Attribute) -> object:
        """Evaluate `x.astype("float16")`, or a name of a namespace."""
        if type(node.value) is ast.Name:
            owner = self.name(node.value)
            if isinstance(owner, RelaxExpr) and node.attr == "astype":
                return Builtin("astype", partial(script_function_of(_ASTYPE), owner))
            if isinstance(owner, RelaxExpr) and (node.attr == "struct_info" or self.is_type(node.attr)):
                return self.known_info(owner, node)
            if isinstance(owner, RelaxExpr) and self.closure is None:
                hint = _MEMBERS.get(node.attr, "a value has only the method astype").format(node.value.id)
                raise errors.UnknownMember(owner=node.value.id, name=node.attr, span=self.span(node), hint=hint)
        return super().attribute(node)

    def is_type(self, name: str) -> bool:
        """Whether an attribute of a value is its type: `x.ty` (0.27)."""
        return name == "ty" and self.scalars_are_values

    def known_info(self, owner: RelaxExpr, node: ast.Attribute) -> StructInfo:
        """Return the struct info of a value. Raises `UnknownMember` where it is not known."""
        info: StructInfo | None = owner.struct_info
        if info is None:
            raise errors.UnknownMember(owner=describe(owner), name=node.attr, span=self.span(node))
        return info

    def is_true(self, value: object, node: object) -> bool:
        """Return the truth value of a Python value. Raises `UnsupportedSyntax` for a Relax value."""
        if isinstance(value, RelaxExpr):
            what, hint = _DECISIONS.get(type(getattr(node, "op", node)), _DECISIONS[ast.IfExp])
            raise errors.UnsupportedSyntax(what=f"{what} Relax values", span=self.span(node), hint=hint)
        return super().is_true(value, node)

    def as_value(self, value: object, span: Span) -> Any:
        """Convert a value to a Relax expression; Python sequences become tuples. Raises `NotAnExpression`."""
        if isinstance(value, (RelaxExpr, GlobalVar)):
            return value
        if isinstance(value, (tuple, list)):
            return Tuple(tuple([self.as_value(item, span) for item in value]), span=span)
        if isinstance(value, str):
            return StringImm(value, span=span)
        if isinstance(value, (Expr, int, float)):
            return as_prim(value, span)
        raise errors.NotAnExpression(what=describe(value), span=span)

    def struct_info(self, node: ast.expr, role: str) -> StructInfo:
        """Evaluate an annotation to struct info. Raises `InvalidAnnotation`."""
        given = self.annotation_value(self.value(node), node)
        info = resolve_struct_info(self, given, self.span(node))
        if info is None:
            raise self.no_struct_info(given, node, role)
        return info

    def annotation_value(self, given: object, node: object) -> object:
        """Evaluate `Annotated[...]`; return other annotations unchanged."""
        if isinstance(given, (StructInfo, PendingStructInfo, Builtin)):
            return given
        annotation = annotation_of(given, self.span(node))
        if isinstance(annotation, Annotation):
            return self.call_builtin(node, annotation.function, list(annotation.args), dict(annotation.kwargs))
        return annotation

    def no_struct_info(self, given: object, node: object, role: str) -> errors.InvalidAnnotation:
        """Return the error of an annotation that is not struct info."""
        hint = 'write struct info such as R.Tensor((16,), "float32") or R.Object'
        return errors.InvalidAnnotation(what=describe(given), role=role, span=self.span(node), hint=hint)

    def call_builtin(self, node: object, function: Builtin, args: list[object], kwargs: dict[str, object]) -> object:
        """Call a name of the script; arguments may be names of struct info, such as `R.Object`."""
        if function.name not in _STRUCT_INFO_NAMES:
            for position, arg in enumerate(args):
                args[position] = self.resolve_names(arg, node)
            for key, item in kwargs.items():
                kwargs[key] = self.resolve_names(item, node)
        try:
            return super().call_builtin(node, function, args, kwargs)
        except errors.Refused as error:
            cause = error.__cause__
            if isinstance(cause, InvalidCall):
                raise refused_argument(self.tree, node, function, cause) from cause
            raise

    def resolve_names(self, value: object, node: object) -> object:
        """Replace names of struct info in an argument by struct info."""
        if isinstance(value, (Builtin, PendingStructInfo)) and not _is_dtype(value):
            return resolve_struct_info(self, value, self.span(node)) or value
        if isinstance(value, (tuple, list)) and any(isinstance(item, (Builtin, PendingStructInfo)) for item in value):
            return type(value)([self.resolve_names(item, node) for item in value])
        return value

    def call_global(self, node: object, function: GlobalVar, args: list[object], kwargs: dict[str, object]) -> object:
        """Call another function of the module."""
        return self.call_value(node, function, args, kwargs)

    def call_python(self, node: object, function: object, args: list[object], kwargs: dict[str, object]) -> object:
        """Call a Relax value, or captured Python code."""
        if isinstance(function, RelaxExpr):
            return self.call_value(node, function, args, kwargs)
        return super().call_python(node, function, args, kwargs)

    def call_value(self, node: object, function: object, args: list[object], kwargs: dict[str, object]) -> Call:
        """Call a function with its struct info arguments."""
        span = self.span(node)
        sinfo = kwargs.pop("sinfo_args", ())
        if kwargs:
            name = getattr(function, "name_hint", "a function")
            raise errors.InvalidArguments(function=name, reason="keyword arguments are not supported", span=span)
        given = sinfo if isinstance(sinfo, (tuple, list)) else (sinfo,)
        infos = [resolve_struct_info(self, item, span) for item in given]
        if None in infos:
            raise errors.InvalidArguments(function="sinfo_args", reason="struct info is needed", span=span)
        values = [self.as_value(arg, span) for arg in args]
        try:
            call = Call(function, values, None, infos, span=span)  # type: ignore[arg-type]  # none is None
        except TVMScriptError as error:
            raise errors.refused(error, span) from error
        return call


RelaxEvaluator.expressions = {**RELAX_EXPRESSIONS, ast.Attribute: RelaxEvaluator.attribute}


def _is_dtype(value: object) -> bool:
    """Whether it is a name of `T`, such as `T.float32`."""
    return isinstance(value, Builtin) and value.name.startswith("T.")


_STRUCT_INFO_NAMES: Final = frozenset(builtin.name for builtin in STRUCT_INFOS.values())
#: Python syntax that takes a truth value -> description, hint
_DECISIONS: Final[Mapping[type, tuple[str, str]]] = {
    ast.And: ("`and` of", "write R.logical_and(a, b)"),
    ast.Or: ("`or` of", "write R.logical_or(a, b)"),
    ast.IfExp: ("a conditional expression on", "write R.where(condition, a, b), or if and else as statements"),
}
#: attribute of tensors in other libraries -> what to write
_MEMBERS: Final = {
    "shape": "write R.shape_of({})",
    "T": "write R.permute_dims({})",
    "reshape": "write R.reshape({}, shape)",
}
_ASTYPE: Final[Any] = Op.get("relax.astype")
