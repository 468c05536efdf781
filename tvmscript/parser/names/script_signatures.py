"""Signatures of the script's names for users: without the parser and the span, with the types of the stubs.

They are shown by `help(T.block)`, `inspect.signature(T.match_buffer)`, the stubs and the language reference. The type
names are those of `tvmscript/language/kernel_types.pyi`.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from inspect import Parameter, Signature

from tvmscript.ir.tir.intrin.intrinsic import OFFERS, Intrinsic, Offer

_EMPTY = Parameter.empty


class TypeText(str):
    """The text of a type, shown without quotes."""

    __slots__ = ()

    def __repr__(self) -> str:
        return str(self)


#: parameter -> type, if the function has no annotation
_BY_NAME: dict[str, str] = {
    "args": "Argument",
    "axis_separators": "Sequence[int] | None",
    "bindings": "Sequence[Value] | Value",
    "bounds": "Sequence[Any]",
    "buffer_slice": "Region",
    "data": "PrimExpr | None",
    "dom": "Value | tuple[Value, Value] | Range",
    "dtype": "DTypeLike",
    "elem_offset": "Value | None",
    "extents": "Value",
    "func_name": "str",
    "host": "Any",
    "identity_element": "Sequence[Value]",
    "indices": "Sequence[Index] | Index",
    "init": "Sequence[Value] | None",
    "message": "str | Value",
    "node": "Any",
    "obj": "Any",
    "op": "Any",
    "param": "PrimExpr | Region",
    "predicate": "Value",
    "buffer_slices": "Region",
    "ret_type": "Any",
    "shape": "Shape",
    "strides": "Sequence[Value | str] | None",
    "target": "Any",
    "target_config": "Any",
    "thread": "PrimExpr | str",
    "type_annotation": "Any",
    "var": "PrimExpr | str",
    "vectors": "Sequence[Value]",
}
#: type of a default -> type of the parameter, without annotation and entry in `_BY_NAME`
_BY_DEFAULT: dict[type, str] = {tuple: "Sequence[Any]", str: "str", dict: "Mapping[str, Any]"}
#: (name of the script, parameter) -> type, with priority over the other tables
_BY_PLACE: dict[tuple[str, str], str] = {
    ("T.Call", "args"): "Sequence[Argument]",
    ("T.CommReducer", "lhs"): "Sequence[PrimExpr]",
    ("T.CommReducer", "rhs"): "Sequence[PrimExpr]",
    ("T.CommReducer", "result"): "Sequence[Value]",
    ("T.ProducerLoad", "producer"): "Any",
    ("T.Reduce", "combiner"): "Any",
    ("T.Reduce", "rdom"): "Sequence[Any]",
    ("T.Reduce", "src"): "Sequence[Value]",
    ("T.allocate", "extents"): "Shape",
    ("T.comm_reducer", "combiner"): "Callable[..., Any]",
    ("T.comm_reducer", "identity"): "Sequence[Value]",
    ("T.index_map", "inverse_index_map"): "Callable[..., Any] | None",
    ("T.index_map", "mapping"): "Callable[..., Any]",
    ("T.reduce", "axis"): "Sequence[Any]",
    ("T.reduce", "combiner"): "Any",
    ("T.reduce", "source"): "Sequence[Value]",
    ("T.allocate_const", "data"): "Any",
    ("T.allocate_const", "extents"): "Shape",
    ("T.meta_var", "value"): "M",
    ("T.thread_binding", "stop"): "Value | str",
}
#: name of the script -> its parameters, for functions with *args only
_PARAMETERS: dict[str, tuple[str, ...]] = {
    "T.call_intrin": ("dtype", "func_name", "*args"),
    "T.reinterpret": ("dtype", "value"),
}
#: annotation in the source -> type
_TYPES: dict[str, str] = {"Var": "PrimExpr", "Var | str": "PrimExpr | str",
                          "Mapping[Var, Any]": "Mapping[PrimExpr, Value]"}  # fmt: skip

#: name of the script -> result type, with priority over the annotation
_RESULTS: dict[str, str] = {
    "T.LetStmt": "ScopedExpr",
    "T.allocate": "ScopedPointer",
    "T.allocate_const": "ScopedPointer",
    "T.axis.remap": "Any",
    "T.decl_buffer": "ScopedBuffer",
    "T.launch_thread": "ScopedExpr",
    "T.let": "ScopedExpr",
    "T.meta_var": "M",
}
#: annotation of a result in the source -> type; `_EXPRESSIONS` become `Expr`
_RESULT_TYPES: dict[str, str] = {
    "BlockFrame": "Scope", "BranchFrame": "Scope", "IfFrame": "Scope", "InitFrame": "Scope", "Wrapper": "Scope",
    "Loops": "Loops", "Buffer": "Buffer", "None": "None", "Stmt": "Stmt", "str": "str", "Range": "Range",
    "Target": "Target", "GlobalVar": "GlobalVar", "VDevice": "VDevice", "DummyGlobalInfo": "DummyGlobalInfo",
    "IndexMap": "IndexMap", "BufferRegion": "Region",
}  # fmt: skip
_EXPRESSIONS = frozenset((
    "Expr", "Var", "SizeVar", "IntImm", "FloatImm", "StringImm", "Broadcast", "Ramp", "Cast", "Select", "Shuffle",
    "BufferLoad", "Call", "IterVar", "Reduce", "CommReducer", "ProducerLoad", "Let",
))  # fmt: skip


def offer_of(function: Callable[..., object]) -> Offer | None:
    """Return the intrinsic behind a function of `T`, or None."""
    owner = getattr(function, "__self__", None)
    return Offer(owner, False, {}) if isinstance(owner, Intrinsic) else OFFERS.get(function)


def docstring_of(function: Callable[..., object]) -> str | None:
    """Return the docstring of a name of the script."""
    offer = offer_of(function)
    return offer.intrinsic.doc if offer is not None else function.__doc__


def script_signature(name: str, function: Callable[..., object], needs_kernel: bool) -> Signature:
    """Return the signature of `name` ("T.block") for users."""
    offer = offer_of(function)
    if offer is not None:
        return _offered(offer)
    signature = inspect.signature(function)
    parameters = _named(name) or list(signature.parameters.values())[2 if needs_kernel else 0 :]
    described = [_shown(name, item) for item in parameters if item.name != "span"]
    return Signature(described, return_annotation=TypeText(_result(name, signature.return_annotation)))


def _named(name: str) -> list[Parameter]:
    """Return parameters listed in `_PARAMETERS`."""
    return [
        Parameter(item.lstrip("*"), Parameter.VAR_POSITIONAL if item[0] == "*" else Parameter.POSITIONAL_OR_KEYWORD)
        for item in _PARAMETERS.get(name, ())
    ]


def _offered(offer: Offer) -> Signature:
    """Return the signature of an intrinsic: its arguments, and its dtype."""
    intrinsic = offer.intrinsic
    is_number = intrinsic.lane_reference or intrinsic.llvm is not None
    kind = TypeText("Value" if is_number else "Argument")
    parameters: list[Parameter] = []
    if offer.typed:
        parameters.append(Parameter("dtype", Parameter.POSITIONAL_OR_KEYWORD, annotation=TypeText("DTypeLike")))
    for name in intrinsic.params:
        if name.startswith("*"):
            parameters.append(Parameter(name[1:], Parameter.VAR_POSITIONAL, annotation=kind))
        else:
            default = offer.defaults.get(name, _EMPTY)
            word = TypeText(f"{kind} | None") if default is None else kind
            parameters.append(Parameter(name, Parameter.POSITIONAL_OR_KEYWORD, default=default, annotation=word))
    if not offer.typed:
        word = TypeText("DTypeLike | None")
        parameters.append(Parameter("dtype", Parameter.KEYWORD_ONLY, default=None, annotation=word))
    return Signature(_ordered(parameters), return_annotation=TypeText("Expr"))


def _ordered(parameters: list[Parameter]) -> list[Parameter]:
    """Give a default to every parameter after one with a default, as Python requires."""
    seen = False
    ordered: list[Parameter] = []
    for item in parameters:
        if item.kind is Parameter.POSITIONAL_OR_KEYWORD and seen and item.default is _EMPTY:
            item = item.replace(default=None)
        seen = seen or (item.kind is Parameter.POSITIONAL_OR_KEYWORD and item.default is not _EMPTY)
        ordered.append(item)
    return ordered


def _shown(owner: str, parameter: Parameter) -> Parameter:
    """Annotate a parameter with its type."""
    word = _BY_PLACE.get((owner, parameter.name)) or _parameter_type(parameter)
    if parameter.default is None and "None" not in word and word != "Any":
        word = f"{word} | None"
    return parameter.replace(annotation=TypeText(word))


def _parameter_type(parameter: Parameter) -> str:
    annotation = str(parameter.annotation) if parameter.annotation is not _EMPTY else "Any"
    required, _, _ = annotation.partition(" | None")
    if required in _TYPES:
        return _TYPES[required]
    if annotation not in ("Any", "object"):
        return annotation
    return _BY_NAME.get(parameter.name) or _BY_DEFAULT.get(type(parameter.default), "Value")


def _result(owner: str, annotation: object) -> str:
    if owner in _RESULTS:
        return _RESULTS[owner]
    name = str(annotation).removeprefix("nodes.")
    return "Expr" if name in _EXPRESSIONS else _RESULT_TYPES.get(name, "Any")
