"""Operator calls with one mistake, derived from valid calls.

for mistake in mistakes(operator_call("concat", random.Random(0))):
    mistake.call       # "axis is too large", "argument 0 is empty", ...
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any, Final

from tvmscript.testing.operator_calls import Data, OperatorCall, Sizes, argument_names

_LAYOUTS: Final = ("layout", "data_layout", "kernel_layout", "out_layout")
_AXES: Final = ("axis", "axes", "channel_axis", "seq_axis", "batch_axis")
#: an offset to extents that makes them mismatch
_FAR: Final = 11


@dataclass(frozen=True)
class Mistake:
    """A call with one mistake."""

    call: OperatorCall
    #: the parameter with the mistake
    parameter: str
    #: one word, as in `refusals`
    kind: str
    words: str


def mistakes(call: OperatorCall) -> Iterator[Mistake]:
    """Yield the call with each applicable mistake."""
    for name, value in call.attrs.items():
        for kind, words, other in _other_attributes(call, name, value):
            yield Mistake(replace(call, attrs={**call.attrs, name: other}), name, kind, f"{name} {words}")
    names = argument_names(call.operator, len(call.args))
    for at, (name, given) in enumerate(zip(names, call.args, strict=True)):
        for kind, words, other in _other_arguments(given):
            wrong = replace(call, args=(*call.args[:at], other, *call.args[at + 1 :]))
            yield Mistake(wrong, name, kind, f"argument {at} {words}")


def _other_attributes(call: OperatorCall, name: str, value: Any) -> Iterator[tuple[str, str, Any]]:
    if name in _LAYOUTS:
        yield "layout", "is no layout", "NXYC"
    if name not in _AXES or value is None:
        return
    if not isinstance(value, list):
        yield "large", "is too large", 9
        yield "small", "is too small", -9
        return
    yield "large", "is too large", [9] * len(value)
    yield "small", "is too small", [*value[1:], -9]
    if value:
        yield "twice", "is there twice", [*value[1:], value[0], value[0]]
        ndim = len(call.args[0].shape)
        other = value[0] - ndim if value[0] >= 0 else value[0] + ndim
        yield "twice", "is there from both ends", [*value[:-1], other] if len(value) > 1 else [value[0], other]


def _other_arguments(given: Any) -> Iterator[tuple[str, str, Any]]:
    if isinstance(given, Data):
        extents = given.shape
        yield "shape", "is a shape", Sizes(extents)
        yield "tuple", "is a tuple", [given, given]
        yield "dtype", "has another dtype", Data(extents, _other_dtype(given))
        yield "more", "has an axis more", Data((_FAR, *extents), given.dtype)
        yield "less", "has two axes less", Data(extents[2:], given.dtype)
        yield "sizes", "has other sizes", Data(_other_sizes(extents), given.dtype)
    elif isinstance(given, Sizes):
        yield "tensor", "is a tensor", Data((2,), "int64")
        yield "sizes", "has other sizes", Sizes(_other_sizes(given.extents))
    elif isinstance(given, list) and given and isinstance(given[0], Data):
        first, *rest = given
        yield "tensor", "is a tensor", first
        yield "empty", "is empty", []
        yield "item", "holds a shape", [Sizes((2,)), *rest]
        yield "item", "holds another dtype", [*given, Data(first.shape, _other_dtype(first))]
        yield "rank", "holds another rank", [*given, Data((_FAR, *first.shape), first.dtype)]
        yield "items", "holds other sizes", [*given, Data(_other_sizes(first.shape), first.dtype)]


def _other_dtype(given: Data) -> str:
    return "int16" if "float" in given.dtype else "float32"


def _other_sizes(extents: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(extent + _FAR for extent in extents)
