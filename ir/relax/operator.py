"""`Operator`: the one declaration of a graph-level operator from which parsing, inference and printing derive."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Literal, Protocol

from tvmscript.ir.core import VOID, CallEffect, DType, GlobalVar, Op, Span
from tvmscript.ir.relax.base import RelaxExpr, StructInfo
from tvmscript.ir.relax.errors import InvalidCall
from tvmscript.ir.relax.signature import REQUIRED, Parameter, parse_signature

#: a NumPy array, untyped, since NumPy is optional
Array = Any
#: (numpy, *arrays, **attributes) -> array. NumPy is a parameter, since it is optional.
Reference = Callable[..., Array]
#: (topi, *arguments, *attributes) -> tensors of `te`, `NotImplemented` where the call stays. The inventory is a
#: parameter, since graphs are read without it.
Legalize = Callable[..., Any]
#: (block builder, call) -> an expression without the operator; None where a kernel is the expression
Expand = Callable[[Any, Any], RelaxExpr | None]
#: (`op.adjoint.Adjoint`) -> the gradient of each argument, None where it has none
Gradient = Callable[[Any], Sequence[RelaxExpr | None]]
#: an argument, an axis of it, and the axis of the result that it becomes
MappedAxis = tuple[int, int, int]
#: how the conversion to float16 treats a call (TVM's TMixedPrecisionPolicy)
MixedPrecision = Literal["always", "follow", "never"]


class CallNode(Protocol):
    """The fields of a call node (`expr.Call`) that an operator reads."""

    @property
    def op(self) -> Any: ...
    @property
    def args(self) -> tuple[RelaxExpr | GlobalVar, ...]: ...
    @property
    def span(self) -> Span | None: ...


#: `expr.Call` -> struct info of the result. Raises `InvalidCall` with the span of the offending argument.
InferRule = Callable[[Any], StructInfo]


class Operator(Op):
    """An operator of the graph level: `R.nn.conv2d` has TVM's name `relax.nn.conv2d`.

    `signature` is the signature of the function in `R`, as text (`ir.relax.signature`): `"x: Expr, axis: int = 0"`.
    Kinds with a capital are arguments of the call, in this order. The others are attributes: plain values, printed as
    keywords in this order, or in `attribute_order` where TVM's order differs.
    `script_function` is the function in `R` where it does more than convert its arguments by the signature.
    """

    __slots__ = (
        "_arguments",
        "_attribute_order",
        "_attributes",
        "_follows",
        "_parameters",
        "expand",
        "gradient",
        "inlines_scalars",
        "kernel_name",
        "layout",
        "legalize",
        "mapped_axes",
        "mixed_precision",
        "pure",
        "reference",
        "rule",
        "script_function",
        "signature",
        "v0_27_parameters",
    )

    def __init__(
        self,
        name: str,
        signature: str,
        rule: InferRule,
        *,
        v0_27_parameters: str = "",
        attribute_order: tuple[str, ...] | None = None,
        script_function: Callable[..., Any] | None = None,
        pure: bool = True,
        mixed_precision: MixedPrecision | None = None,
        layout: str | None = None,
        mapped_axes: Callable[[Any], Iterable[MappedAxis]] | None = None,
        reference: Reference | None = None,
        legalize: Legalize | None = None,
        kernel_name: str | Callable[[Any], str] | None = None,
        inlines_scalars: bool = False,
        expand: Expand | None = None,
        gradient: Gradient | None = None,
        doc: str = "",
    ) -> None:
        super().__init__(f"relax.{name}", effect=CallEffect.PURE if pure else CallEffect.UPDATE_STATE, doc=doc)
        #: parameters that TVM 0.27 appends to the signature; calls of 0.17 have their defaults
        self.v0_27_parameters = v0_27_parameters
        self.signature = f"{signature}, {v0_27_parameters}" if v0_27_parameters else signature
        self.rule = rule
        self.script_function = script_function
        self.pure = pure
        self.mixed_precision: MixedPrecision | None = mixed_precision
        #: name of the rule that propagates a layout change through the call (TVM's FRelaxInferLayout)
        self.layout = layout
        #: call -> axes of arguments that become axes of the result. Distributed inference needs it where the operator
        #: is not elementwise (TVM's dist.FInferStructInfo).
        self.mapped_axes = mapped_axes
        #: the same computation on NumPy arrays, where NumPy has it
        self.reference = reference
        #: the kernel of a call, as tensors of `te`
        self.legalize = legalize
        #: the name of that kernel, or of the one of a call
        self.kernel_name: str | Callable[[Any], str] = kernel_name or name.rpartition(".")[2]
        #: whether the kernel has constants of rank 0 in its text; otherwise they are tensors that it takes
        self.inlines_scalars = inlines_scalars
        #: the expression that replaces a call where it is no single kernel
        self.expand = expand
        #: the gradients of the arguments; None where the operator cannot be differentiated
        self.gradient = gradient
        self._attribute_order = attribute_order
        # parsed on first use: a program uses few operators
        self._parameters: tuple[Parameter, ...] | None = None
        self._arguments: tuple[Parameter, ...] | None = None
        self._attributes: dict[str, Any] | None = None
        #: attribute -> the attribute whose value replaces None
        self._follows: dict[str, str] = {}

    @property
    def script_name(self) -> str:
        """The name in TVMScript: `R.nn.conv2d`."""
        return f"R.{self.name.removeprefix('relax.')}"

    @property
    def parameters(self) -> tuple[Parameter, ...]:
        """The parameters of the function in `R`, in order."""
        if self._parameters is None:
            self._parameters = parse_signature(self.signature)
        return self._parameters

    @property
    def arguments(self) -> tuple[Parameter, ...]:
        """The parameters that are arguments of the call."""
        if self._arguments is None:
            self._arguments = tuple([parameter for parameter in self.parameters if parameter.is_argument])
        return self._arguments

    @property
    def v0_27_attributes(self) -> Mapping[str, Any]:
        """The attributes that TVM 0.17 does not have, with their defaults."""
        if not self.v0_27_parameters:
            return {}
        parameters = parse_signature(self.v0_27_parameters)
        return {parameter.name: _default_in_call(parameter) for parameter in parameters if not parameter.is_argument}

    @property
    def attributes(self) -> Mapping[str, Any]:
        """Attribute -> default (`REQUIRED` where there is none), in printing order."""
        if self._attributes is None:
            attributes = [parameter for parameter in self.parameters if not parameter.is_argument]
            defaults = {parameter.name: _default_in_call(parameter) for parameter in attributes}
            self._follows = {parameter.name: parameter.follows for parameter in attributes if parameter.follows}
            order = self._attribute_order or tuple(defaults)
            self._attributes = {name: defaults[name] for name in order}
        return self._attributes

    def complete_attrs(self, attrs: Mapping[str, object], span: Span | None = None) -> dict[str, Any]:
        """Return all attributes in printing order, with defaults filled in. Raises `InvalidCall`."""
        for name in attrs:
            if name not in self.attributes:
                expected = f"one of {', '.join(self.attributes)}" if self.attributes else "no attribute"
                raise InvalidCall(operator=self.script_name, argument="it", expected=expected, got=name, span=span)
        completed = {**self.attributes, **attrs}
        for name, value in completed.items():
            if value is REQUIRED:
                raise InvalidCall(operator=self.script_name, argument=name, expected="a value", got="none", span=span)
        for name, other in self._follows.items():
            if completed[name] is None:
                completed[name] = completed[other]
        return completed

    def infer_struct_info(self, call: CallNode) -> StructInfo:
        """Return the struct info of the result of `call`. Raises `InvalidCall`."""
        self._check_argument_count(call)
        return self.rule(call)

    def _check_argument_count(self, call: CallNode) -> None:
        arguments, got = self.arguments, len(call.args)
        if any(argument.variadic for argument in arguments):
            return
        required = sum(argument.default is REQUIRED for argument in arguments)
        if required <= got <= len(arguments):
            return
        names = ", ".join(argument.name for argument in arguments)
        expected = f"{len(arguments) or 'no'} argument{'' if len(arguments) == 1 else 's'}"
        raise InvalidCall(
            operator=self.script_name,
            argument="it",
            expected=f"{expected} ({names})" if names else expected,
            got=got,
            span=call.span,
        )


def invalid_argument(call: CallNode, argument: int | str, expected: str, got: object) -> InvalidCall:
    """Return the error for an argument, by position, or for an attribute, by name. The span is the argument's."""
    operator: Operator = call.op
    span = call.span
    name = str(argument)
    if isinstance(argument, int):
        declared = operator.arguments
        name = declared[min(argument, len(declared) - 1)].name
        if argument < len(call.args):
            span = call.args[argument].span or span
    return InvalidCall(
        operator=operator.script_name, argument=name, expected=_strip_int64(expected), got=_strip_int64(got), span=span
    )


def _strip_int64(text: object) -> str:
    """Replace `T.int64(4)` by `4` in a message: every size is int64."""
    return re.sub(r"T\.int64\((-?\d+)\)", r"\1", str(text))


def _default_in_call(parameter: Parameter) -> Any:
    """Return the default in the form that call nodes hold."""
    value = parameter.default
    if value is REQUIRED:
        return value
    if parameter.kind == "dtype":
        return VOID if value is None else DType(value)
    if parameter.kind in ("ints", "padding") and value is not None:
        integers = (value,) if isinstance(value, int) else tuple(value)
        count = parameter.count * (2 if parameter.kind == "padding" else 1)
        return integers * (count // len(integers)) if count else integers
    return tuple(value) if isinstance(value, list) else value
