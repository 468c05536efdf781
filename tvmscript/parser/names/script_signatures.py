"""Signatures of the script's names as people write them: without what the parser hands over, with types in words.

`help(T.block)`, `inspect.signature(T.match_buffer)`, the stubs for editors and the language reference show these.
The words are the names of `tvmscript/language/kernel_types.pyi`.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from inspect import Parameter, Signature
from typing import Any

from tvmscript.ir.tir.intrin.intrinsic import OFFERS, Intrinsic, Offer

_EMPTY = Parameter.empty


class TypeText(str):
    """A type as a signature shows it: its text, without quotes."""

    __slots__ = ()

    def __repr__(self) -> str:
        return str(self)


#: name of a parameter -> what it takes, where the function itself says nothing
_BY_NAME: dict[str, str] = {
    "annotations": "Mapping[str, Any] | None",
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
    "where": "Mapping[PrimExpr, Value]",
}
#: type of a default -> what the parameter takes, where neither function nor name tell
_BY_DEFAULT: dict[type, str] = {tuple: "Sequence[Any]", str: "str", dict: "Mapping[str, Any]"}
#: (name of the script, parameter) -> what it takes, where the parameter's name means something else elsewhere
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
#: name of the script -> its parameters, where the function takes them as they come
_PARAMETERS: dict[str, tuple[str, ...]] = {
    "T.call_intrin": ("dtype", "func_name", "*args"),
    "T.reinterpret": ("dtype", "value"),
}
#: annotation of a parameter in our source -> word
_WORDS: dict[str, str] = {"Var": "PrimExpr", "nodes.Range": "Range", "Var | str": "PrimExpr | str",
                          "Mapping[Var, Any]": "Mapping[PrimExpr, Value]"}  # fmt: skip

#: name of the script -> what it gives, where the source's annotation does not tell
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
#: annotation of a result in our source -> word; expressions of every kind are `Expr`
_RESULT_WORDS: dict[str, str] = {
    "BlockFrame": "Scope", "BranchFrame": "Scope", "IfFrame": "Scope", "InitFrame": "Scope", "Wrapper": "Scope",
    "Loops": "Loops", "Buffer": "Buffer", "None": "None", "Stmt": "Stmt", "str": "str", "Range": "Range",
    "Target": "Target", "GlobalVar": "GlobalVar", "VDevice": "VDevice", "DummyGlobalInfo": "DummyGlobalInfo",
    "IndexMap": "IndexMap", "BufferRegion": "Region",
}  # fmt: skip
_EXPRESSIONS = frozenset((
    "Expr", "Var", "SizeVar", "IntImm", "FloatImm", "StringImm", "Broadcast", "Ramp", "Cast", "Select", "Shuffle",
    "BufferLoad", "Call", "IterVar", "Reduce", "CommReducer", "ProducerLoad", "Let",
))  # fmt: skip


def offer_of(function: Callable[..., Any]) -> Offer | None:
    """What an intrinsic takes that `T` offers with this function; None for other functions."""
    owner = getattr(function, "__self__", None)
    return Offer(owner, False, {}) if isinstance(owner, Intrinsic) else OFFERS.get(function)


def docstring_of(function: Callable[..., Any]) -> str | None:
    """What a name of the script says about itself."""
    offer = offer_of(function)
    return offer.intrinsic.doc if offer is not None else function.__doc__


def script_signature(name: str, function: Callable[..., Any], needs_kernel: bool) -> Signature:
    """The signature of `name` ("T.block") as a program calls it."""
    offer = offer_of(function)
    if offer is not None:
        return _offered(offer)
    found = inspect.signature(function)
    parameters = _named(name) or list(found.parameters.values())[2 if needs_kernel else 0 :]
    shown = [_shown(name, item) for item in parameters if item.name != "span"]
    return Signature(shown, return_annotation=TypeText(_result(name, found.return_annotation)))


def _named(name: str) -> list[Parameter]:
    """Parameters by their names alone."""
    return [
        Parameter(item.lstrip("*"), Parameter.VAR_POSITIONAL if item[0] == "*" else Parameter.POSITIONAL_OR_KEYWORD)
        for item in _PARAMETERS.get(name, ())
    ]


def _offered(offer: Offer) -> Signature:
    """An intrinsic's: its arguments, and the dtype where it is given or may be."""
    intrinsic = offer.intrinsic
    is_number = intrinsic.lane_reference or intrinsic.llvm is not None
    kind = TypeText("Value" if is_number else "Argument")
    made: list[Parameter] = []
    if offer.typed:
        made.append(Parameter("dtype", Parameter.POSITIONAL_OR_KEYWORD, annotation=TypeText("DTypeLike")))
    for name in intrinsic.params:
        if name.startswith("*"):
            made.append(Parameter(name[1:], Parameter.VAR_POSITIONAL, annotation=kind))
        else:
            default = offer.defaults.get(name, _EMPTY)
            word = TypeText(f"{kind} | None") if default is None else kind
            made.append(Parameter(name, Parameter.POSITIONAL_OR_KEYWORD, default=default, annotation=word))
    if not offer.typed:
        word = TypeText("DTypeLike | None")
        made.append(Parameter("dtype", Parameter.KEYWORD_ONLY, default=None, annotation=word))
    return Signature(_ordered(made), return_annotation=TypeText("Expr"))


def _ordered(parameters: list[Parameter]) -> list[Parameter]:
    """Defaults only at the end, as Python wants it: what follows a default has one too."""
    seen = False
    made: list[Parameter] = []
    for item in parameters:
        if item.kind is Parameter.POSITIONAL_OR_KEYWORD and seen and item.default is _EMPTY:
            item = item.replace(default=None)
        seen = seen or (item.kind is Parameter.POSITIONAL_OR_KEYWORD and item.default is not _EMPTY)
        made.append(item)
    return made


def _shown(owner: str, parameter: Parameter) -> Parameter:
    """The parameter with its type in words."""
    word = _BY_PLACE.get((owner, parameter.name)) or _parameter_word(parameter)
    if parameter.default is None and "None" not in word and word != "Any":
        word = f"{word} | None"
    return parameter.replace(annotation=TypeText(word))


def _parameter_word(parameter: Parameter) -> str:
    said = str(parameter.annotation) if parameter.annotation is not _EMPTY else "Any"
    plain, _, _ = said.partition(" | None")
    if plain in _WORDS:
        return _WORDS[plain]
    if said not in ("Any", "object"):
        return said
    named = _BY_NAME.get(parameter.name)
    return named or _BY_DEFAULT.get(type(parameter.default), "Value")


def _result(owner: str, annotation: Any) -> str:
    found = _RESULTS.get(owner)
    if found is not None:
        return found
    said = str(annotation).removeprefix("nodes.")
    return "Expr" if said in _EXPRESSIONS else _RESULT_WORDS.get(said, "Any")
