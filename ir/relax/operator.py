"""What an operator of the graph level is: one object, declared once, that everything else is derived from."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Any, Literal

from tvmscript.ir.core.dtype import VOID, DType
from tvmscript.ir.core.errors import IRError
from tvmscript.ir.core.op import CallEffect, Op
from tvmscript.ir.core.span import Span
from tvmscript.ir.relax.base import StructInfo
from tvmscript.ir.relax.signature import REQUIRED, Parameter, parse

if TYPE_CHECKING:
    from tvmscript.ir.relax.expr import Call

#: call -> what is known of its result; raises `InvalidCall` (or another IRError) with the span of the argument to blame
Rule = Callable[["Call"], StructInfo]
#: (numpy, *arrays, **attributes) -> array; NumPy is handed in, this package does not import it
Reference = Callable[..., Any]
#: an argument, an axis of it, and the axis of the result that it becomes
JoinedAxis = tuple[int, int, int]
#: What conversion to float16 does with a call (TVM's TMixedPrecisionPolicy).
MixedPrecision = Literal["always", "follow", "never"]


class InvalidCall(IRError):
    """An operator of the graph level is called with values that it does not take: another rank, dtype, shape, count.
    The message says which argument and what it takes.
    """

    code = "TS1200"
    message = "{operator}: {argument} takes {expected}, but got {got}"


class Operator(Op):
    """An operator: `R.nn.conv2d` is the one of TVM's name `relax.nn.conv2d`.

    `signature` is that of the function in `R`, as text (`ir.relax.op.signature`): `"x: Expr, axis: int | None = None"`.
    Kinds with a capital are the call's arguments, in this order. The others are its attributes, plain values, which are
    printed as keywords in this order, or in that of `attribute_order` where TVM prints another.
    `surface` is what `R.name(...)` does where it is more than converting what is given by the signature.
    """

    __slots__ = (
        "_arguments",
        "_attribute_order",
        "_attributes",
        "_follows",
        "_parameters",
        "joined_axes",
        "later",
        "layout",
        "mixed_precision",
        "pure",
        "reference",
        "rule",
        "signature",
        "surface",
    )

    def __init__(
        self,
        name: str,
        signature: str,
        rule: Rule,
        *,
        later: str = "",
        attribute_order: tuple[str, ...] | None = None,
        surface: Callable[..., Call] | None = None,
        pure: bool = True,
        mixed_precision: MixedPrecision | None = None,
        layout: str | None = None,
        joined_axes: Callable[[Call], Iterable[JoinedAxis]] | None = None,
        reference: Reference | None = None,
        doc: str = "",
    ) -> None:
        super().__init__(f"relax.{name}", effect=CallEffect.PURE if pure else CallEffect.UPDATE_STATE, doc=doc)
        #: what TVM has added to it since 0.17, at the end of the signature: calls of 0.17 have the defaults
        self.later = later
        self.signature = f"{signature}, {later}" if later else signature
        self.rule = rule
        self.surface = surface
        self.pure = pure
        self.mixed_precision: MixedPrecision | None = mixed_precision
        #: name of the rule by which a change of layout passes through it (TVM's FRelaxInferLayout)
        self.layout = layout
        #: which axes of the arguments are which of the result, where more is to say than that it is element by element:
        #: by that the result is spread over devices (TVM's dist.FInferStructInfo)
        self.joined_axes = joined_axes
        #: the same on NumPy arrays, where NumPy has it
        self.reference = reference
        self._attribute_order = attribute_order
        # read when they are asked for first: a program uses few of the operators
        self._parameters: tuple[Parameter, ...] | None = None
        self._arguments: tuple[Parameter, ...] | None = None
        self._attributes: dict[str, Any] | None = None
        #: attribute -> the one whose value it takes where it is None
        self._follows: dict[str, str] = {}

    @property
    def script_name(self) -> str:
        """`R.nn.conv2d`."""
        return f"R.{self.name.removeprefix('relax.')}"

    @property
    def parameters(self) -> tuple[Parameter, ...]:
        """The parameters of the function in `R`, in order."""
        if self._parameters is None:
            self._parameters = parse(self.signature)
        return self._parameters

    @property
    def arguments(self) -> tuple[Parameter, ...]:
        """The parameters that are arguments of the call."""
        if self._arguments is None:
            self._arguments = tuple([each for each in self.parameters if each.is_argument])
        return self._arguments

    @property
    def added(self) -> Mapping[str, Any]:
        """The attributes that TVM 0.17 does not know, with the values that say nothing."""
        return {each.name: _stored(each) for each in parse(self.later) if not each.is_argument} if self.later else {}

    @property
    def attributes(self) -> Mapping[str, Any]:
        """Attribute -> default (`REQUIRED` where there is none), in the order in which they are printed."""
        if self._attributes is None:
            defaults = {each.name: _stored(each) for each in self.parameters if not each.is_argument}
            self._follows = {each.name: each.follows for each in self.parameters if each.follows is not None}
            order = self._attribute_order or tuple(defaults)
            self._attributes = {name: defaults[name] for name in order}
        return self._attributes

    def complete(self, attrs: Mapping[str, Any], span: Span | None = None) -> dict[str, Any]:
        """All attributes in their order, defaults for those that are not given. Raises `InvalidCall`."""
        for name in attrs:
            if name not in self.attributes:
                expected = f"one of {', '.join(self.attributes)}" if self.attributes else "no attribute"
                raise InvalidCall(operator=self.script_name, argument="it", expected=expected, got=name, span=span)
        found = {**self.attributes, **attrs}
        for name, value in found.items():
            if value is REQUIRED:
                raise InvalidCall(operator=self.script_name, argument=name, expected="a value", got="none", span=span)
        for name, other in self._follows.items():
            if found[name] is None:
                found[name] = found[other]
        return found

    def infer(self, call: Call) -> StructInfo:
        """What is known of the call's result. Raises `InvalidCall`."""
        self._check_count(call)
        return self.rule(call)

    def _check_count(self, call: Call) -> None:
        arguments, got = self.arguments, len(call.args)
        if any(each.variadic for each in arguments):
            return
        least = sum(each.default is REQUIRED for each in arguments)
        if least <= got <= len(arguments):
            return
        names = ", ".join(each.name for each in arguments)
        expected = f"{len(arguments) or 'no'} argument{'' if len(arguments) == 1 else 's'}"
        raise InvalidCall(
            operator=self.script_name,
            argument="it",
            expected=f"{expected} ({names})" if names else expected,
            got=got,
            span=call.span,
        )


def refusal(call: Call, argument: int | str, expected: str, got: object) -> InvalidCall:
    """The error about an argument, by position, or about an attribute, by name; it points at the argument."""
    operator, span = call.op, call.span
    name = str(argument)
    if isinstance(argument, int):
        declared = operator.arguments
        name = declared[min(argument, len(declared) - 1)].name
        if argument < len(call.args):
            span = call.args[argument].span or span
    return InvalidCall(
        operator=operator.script_name, argument=name, expected=_plain(expected), got=_plain(got), span=span
    )


def _plain(said: object) -> str:
    """Sizes as a message says them: every one is an int64."""
    return re.sub(r"T\.int64\((-?\d+)\)", r"\1", str(said))


def _stored(parameter: Parameter) -> Any:
    """The default as calls hold it."""
    value = parameter.default
    if value is REQUIRED:
        return value
    if parameter.kind == "dtype":
        return VOID if value is None else DType(value)
    if parameter.kind in ("ints", "padding") and value is not None:
        made = (value,) if isinstance(value, int) else tuple(value)
        count = parameter.count * (2 if parameter.kind == "padding" else 1)
        return made * (count // len(made)) if count else made
    return tuple(value) if isinstance(value, list) else value
