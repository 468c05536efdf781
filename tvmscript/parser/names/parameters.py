"""Parameters of macros and lambdas: what a definition's head says, and arguments bound to it."""

from __future__ import annotations

import ast
import inspect
from collections.abc import Callable, Mapping
from inspect import Parameter, Signature
from typing import Any

from tvmscript.ir.core.span import Span
from tvmscript.parser.diagnostics.errors import AlreadyDefined, InvalidArguments


def signature_of(
    arguments: ast.arguments, value: Callable[[ast.expr], Any], span: Callable[[ast.arg], Span]
) -> Signature:
    """The signature of a definition; `value` finds what a default is, `span` where a parameter stands.

    Raises `AlreadyDefined` for a name that two parameters have: `ast.parse` lets it through.
    """
    seen: set[str] = set()
    extra = [arg for arg in (arguments.vararg, arguments.kwarg) if arg is not None]
    for arg in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs, *extra):
        if arg.arg in seen:
            raise AlreadyDefined(name=arg.arg, span=span(arg))
        seen.add(arg.arg)
    positional = [*arguments.posonlyargs, *arguments.args]
    defaults: list[Any] = [Parameter.empty] * (len(positional) - len(arguments.defaults))
    defaults += [value(default) for default in arguments.defaults]
    made = [
        Parameter(
            arg.arg,
            Parameter.POSITIONAL_ONLY if index < len(arguments.posonlyargs) else Parameter.POSITIONAL_OR_KEYWORD,
            default=default,
        )
        for index, (arg, default) in enumerate(zip(positional, defaults, strict=True))
    ]
    if arguments.vararg is not None:
        made.append(Parameter(arguments.vararg.arg, Parameter.VAR_POSITIONAL))
    for arg, node in zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True):
        default = Parameter.empty if node is None else value(node)
        made.append(Parameter(arg.arg, Parameter.KEYWORD_ONLY, default=default))
    if arguments.kwarg is not None:
        made.append(Parameter(arguments.kwarg.arg, Parameter.VAR_KEYWORD))
    return Signature(made)


def bind_arguments(
    signature: Signature, name: str, args: list[Any] | tuple[Any, ...], kwargs: Mapping[str, Any], span: Span | None
) -> dict[str, Any]:
    """Parameters and their values, defaults included. Raises `InvalidArguments`."""
    try:
        bound = signature.bind(*args, **kwargs)
    except TypeError as error:
        raise InvalidArguments(
            function=name, reason=str(error), span=span, hint=f"it is {name}{format_signature(signature)}"
        ) from None
    bound.apply_defaults()
    return dict(bound.arguments)


def format_signature(signature: Signature) -> str:
    """The parameters as a definition writes them, `...` for defaults that have no short text."""
    shown = [
        parameter if parameter.default is Parameter.empty or _is_short(parameter.default)
        else parameter.replace(default=_Dots())
        for parameter in signature.parameters.values()
    ]  # fmt: skip
    return str(signature.replace(parameters=shown))


def _is_short(value: Any) -> bool:
    return isinstance(value, bool | int | float | str | type(None)) and len(repr(value)) < 40


class _Dots:
    def __repr__(self) -> str:
        return "..."


class Lambda:
    """A lambda of a text: a Python function over values, that sees the names around it as they were."""

    __slots__ = ("__signature__", "evaluate", "span")

    def __init__(self, signature: Signature, evaluate: Callable[[dict[str, Any]], Any], span: Span) -> None:
        self.__signature__ = signature
        self.evaluate = evaluate
        self.span = span

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """The value of the body. Raises `InvalidArguments`."""
        return self.evaluate(bind_arguments(self.__signature__, "lambda", args, kwargs, self.span))

    def __repr__(self) -> str:
        return f"lambda {format_signature(self.__signature__)[1:-1]}: ..."


def parameter_names(function: Callable[..., Any]) -> list[str]:
    """Names of a function's parameters, in order."""
    return list(inspect.signature(function).parameters)
