"""Signatures of macros and lambdas, and binding of arguments."""

from __future__ import annotations

import ast
import inspect
from collections.abc import Callable, Mapping
from inspect import Parameter, Signature

from tvmscript.ir.core import Span
from tvmscript.parser.diagnostics.errors import AlreadyDefined, InvalidArguments


def signature_of(
    arguments: ast.arguments, value: Callable[[ast.expr], object], span: Callable[[ast.arg], Span]
) -> Signature:
    """Return the signature of a definition; `value` evaluates defaults.

    Raises `AlreadyDefined` for duplicate parameters, which `ast.parse` accepts.
    """
    seen: set[str] = set()
    extra = [arg for arg in (arguments.vararg, arguments.kwarg) if arg is not None]
    for arg in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs, *extra):
        if arg.arg in seen:
            raise AlreadyDefined(name=arg.arg, span=span(arg))
        seen.add(arg.arg)
    positional = [*arguments.posonlyargs, *arguments.args]
    defaults: list[object] = [Parameter.empty] * (len(positional) - len(arguments.defaults))
    defaults += [value(default) for default in arguments.defaults]
    parameters = [
        Parameter(
            arg.arg,
            Parameter.POSITIONAL_ONLY if index < len(arguments.posonlyargs) else Parameter.POSITIONAL_OR_KEYWORD,
            default=default,
        )
        for index, (arg, default) in enumerate(zip(positional, defaults, strict=True))
    ]
    if arguments.vararg is not None:
        parameters.append(Parameter(arguments.vararg.arg, Parameter.VAR_POSITIONAL))
    for arg, node in zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True):
        default = Parameter.empty if node is None else value(node)
        parameters.append(Parameter(arg.arg, Parameter.KEYWORD_ONLY, default=default))
    if arguments.kwarg is not None:
        parameters.append(Parameter(arguments.kwarg.arg, Parameter.VAR_KEYWORD))
    return Signature(parameters)


def bind_arguments(
    signature: Signature,
    name: str,
    args: list[object] | tuple[object, ...],
    kwargs: Mapping[str, object],
    span: Span | None,
) -> dict[str, object]:
    """Bind arguments to parameters, defaults included. Raises `InvalidArguments`."""
    try:
        bound = signature.bind(*args, **kwargs)
    except TypeError as error:
        raise InvalidArguments(
            function=name, reason=str(error), span=span, hint=f"the signature is {name}{format_signature(signature)}"
        ) from None
    bound.apply_defaults()
    return dict(bound.arguments)


def format_signature(signature: Signature) -> str:
    """Format parameters as in a definition, with `...` for long defaults."""
    shown = [
        parameter if parameter.default is Parameter.empty or _is_short(parameter.default)
        else parameter.replace(default=_Ellipsis())
        for parameter in signature.parameters.values()
    ]  # fmt: skip
    return str(signature.replace(parameters=shown))


def _is_short(value: object) -> bool:
    return isinstance(value, (bool, int, float, str, type(None))) and len(repr(value)) < 40


class _Ellipsis:
    def __repr__(self) -> str:
        return "..."


class Lambda:
    """A lambda of a text, with the names that were visible at its definition."""

    __slots__ = ("__signature__", "evaluate", "span")

    def __init__(self, signature: Signature, evaluate: Callable[[dict[str, object]], object], span: Span) -> None:
        self.__signature__ = signature
        self.evaluate = evaluate
        self.span = span

    def __call__(self, *args: object, **kwargs: object) -> object:
        """Evaluate the body. Raises `InvalidArguments`."""
        return self.evaluate(bind_arguments(self.__signature__, "lambda", args, kwargs, self.span))

    def __repr__(self) -> str:
        return f"lambda {format_signature(self.__signature__)[1:-1]}: ..."


def parameter_names(function: Callable[..., object]) -> list[str]:
    """Return the names of a function's parameters."""
    return list(inspect.signature(function).parameters)
