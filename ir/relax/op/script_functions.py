"""Functions in `R`: convert Python arguments by an operator's signature, and create the call node."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator, Mapping, Sequence
from numbers import Real
from operator import index
from typing import Any, cast

from tvmscript.ir.core import VOID, DType, GlobalVar, Span, TVMScriptError
from tvmscript.ir.core.values.constant_data import pack
from tvmscript.ir.relax.base import RelaxExpr, StructInfo
from tvmscript.ir.relax.errors import InvalidCall
from tvmscript.ir.relax.expr import Call, Constant, DataTypeImm, ExternFunc, PrimValue, ShapeExpr, StringImm, Tuple
from tvmscript.ir.relax.operator import Operator
from tvmscript.ir.relax.signature import REQUIRED, Parameter
from tvmscript.ir.relax.symbolic_shape import scalar_of
from tvmscript.ir.tir import Expr, FloatImm, IntImm, as_expr, const


class _WrongKind(Exception):
    """A value does not have the kind; the message names the accepted values."""


def script_function_of(operator: Operator) -> Callable[..., Call]:
    """Return the function `R.name`: `(*args, span=None, **kwargs) -> Call`. It raises `InvalidCall`."""
    if operator.script_function is not None:
        return operator.script_function

    def function(*args: Any, span: Span | None = None, sinfo_args: Any = (), **kwargs: object) -> Call:
        infos = (sinfo_args,) if isinstance(sinfo_args, StructInfo) else tuple(sinfo_args)
        return make_call(operator, args, kwargs, span, infos)

    function.__name__ = operator.name.rpartition(".")[2]
    function.__qualname__ = operator.script_name
    function.__doc__ = operator.doc
    function.__signature__ = signature_of(operator)  # type: ignore[attr-defined]  # what inspect.signature reads
    return function


def signature_of(operator: Operator) -> inspect.Signature:
    """Return the signature of `R.name` without `span`."""
    if operator.script_function is not None:
        whole = inspect.signature(operator.script_function)
        return whole.replace(parameters=[parameter for name, parameter in whole.parameters.items() if name != "span"])
    parameters: list[inspect.Parameter] = []
    is_keyword_only = False
    for parameter in operator.parameters:
        kind = inspect.Parameter.KEYWORD_ONLY if is_keyword_only else inspect.Parameter.POSITIONAL_OR_KEYWORD
        if parameter.variadic:
            kind, is_keyword_only = inspect.Parameter.VAR_POSITIONAL, True  # type: ignore[assignment]  # mypy sees a Literal
        default = inspect.Parameter.empty if parameter.default is REQUIRED else parameter.default
        parameters.append(inspect.Parameter(parameter.name, kind, default=default, annotation=parameter.annotation))
    return inspect.Signature(parameters, return_annotation="Expr")


def make_call(
    operator: Operator,
    args: Sequence[object],
    kwargs: Mapping[str, object] | None = None,
    span: Span | None = None,
    sinfo_args: Sequence[StructInfo] = (),
) -> Call:
    """Return the call of an operator with arguments converted by its signature. Raises `InvalidCall`."""
    values: list[RelaxExpr | GlobalVar] = []
    attrs: dict[str, object] = {}
    for parameter, value in _bind_arguments(operator, args, kwargs or {}, span):
        if parameter.variadic:
            values += [convert_argument(operator, parameter, item, span) for item in value]
        elif not parameter.is_argument:
            attrs[parameter.name] = convert_argument(operator, parameter, value, span)
        elif value is not None:
            values.append(convert_argument(operator, parameter, value, span))
    return Call(operator, values, attrs, sinfo_args, span=span)


def _bind_arguments(
    operator: Operator, args: Sequence[object], kwargs: Mapping[str, object], span: Span | None
) -> Iterator[tuple[Parameter, Any]]:
    """Yield each parameter with its argument or default. Raises `InvalidCall`."""
    position, taken = 0, 0
    for parameter in operator.parameters:
        if parameter.variadic:
            yield parameter, args[position:]
            position = len(args)
        elif position < len(args) and parameter.name not in kwargs:
            yield parameter, args[position]
            position += 1
        elif parameter.name in kwargs:
            yield parameter, kwargs[parameter.name]
            taken += 1
        elif parameter.default is not REQUIRED:
            yield parameter, parameter.default
        else:
            raise _signature_mismatch(operator, f"no {parameter.name}", span)
    if position < len(args):
        raise _signature_mismatch(operator, f"{len(args)} arguments", span)
    if taken < len(kwargs):
        names = {parameter.name for parameter in operator.parameters}
        raise _signature_mismatch(operator, next(name for name in kwargs if name not in names), span)


def _signature_mismatch(operator: Operator, got: str, span: Span | None) -> InvalidCall:
    expected = operator.signature or "no argument"
    return InvalidCall(operator=operator.script_name, argument="it", expected=f"({expected})", got=got, span=span)


def convert_argument(operator: Operator, parameter: Parameter, value: object, span: Span | None) -> Any:
    """Convert a value for a parameter. Raises `InvalidCall`."""
    if value is None and parameter.optional:
        return VOID if parameter.kind == "dtype" else None
    return convert_to_kind(operator.script_name, parameter.name, parameter.kind, value, span, parameter.count)


def convert_to_kind(
    name: str, parameter: str, kind: str, value: object, span: Span | None = None, count: int = 0
) -> Any:
    """Convert a value to a kind, for a call of the function `name`. Raises `InvalidCall`."""
    try:
        return KINDS[kind](value, count)
    except _WrongKind as error:
        got = value if isinstance(value, str) else repr(value)
        raise InvalidCall(operator=name, argument=parameter, expected=str(error), got=got, span=span) from None


def as_value(value: object, _: int = 0) -> RelaxExpr | GlobalVar:
    """Convert to an expression: scalars become R.prim_value, sequences become tuples."""
    if isinstance(value, (RelaxExpr, GlobalVar)):
        return value
    if isinstance(value, (Expr, bool, int, float)):
        return as_prim(value)
    if isinstance(value, (list, tuple)):
        return as_tuple(value)
    if isinstance(value, str):
        return StringImm(value)
    raise _WrongKind("an expression")


def as_tuple(value: object, _: int = 0) -> RelaxExpr:
    """Convert to a tuple of values."""
    if isinstance(value, (list, tuple)):
        # functions of the module are accepted too: passes that offload graphs use them
        return Tuple(tuple([cast("RelaxExpr", as_value(item)) for item in value]))
    if isinstance(value, RelaxExpr):
        return value
    raise _WrongKind("a tuple of values")


def as_shape(value: object, count: int = 0) -> RelaxExpr:
    """Convert to a shape; Python integers become int64.

    A single extent is repeated `count` times, if `count` is not 0.
    """
    if isinstance(value, RelaxExpr) and not isinstance(value, PrimValue):
        return value
    if count and not isinstance(value, (list, tuple)):
        value = (value,) * count
    if not isinstance(value, (list, tuple)):
        raise _WrongKind("a shape")
    return ShapeExpr(tuple([_as_extent(item) for item in value]))


def _as_extent(value: object) -> Expr:
    extent = value if isinstance(value, Expr) else scalar_of(value)
    if extent is not None:
        return extent
    return const(_as_int(value, 0), "int64")


def as_prim(value: object, _: int = 0) -> RelaxExpr:
    """Convert to a scalar: Python integers and bools become int64, floats float32."""
    if isinstance(value, RelaxExpr):
        return value
    if isinstance(value, int):
        return PrimValue(const(int(value), "int64"))
    if isinstance(value, (Expr, float)):
        return PrimValue(as_expr(value))
    raise _WrongKind("a scalar")


def _as_string(value: object, _: int) -> RelaxExpr:
    if isinstance(value, RelaxExpr):
        return value
    if isinstance(value, str):
        return StringImm(value)
    raise _WrongKind("a string")


def _as_data_type(value: object, _: int) -> RelaxExpr:
    return value if isinstance(value, RelaxExpr) else DataTypeImm(_as_dtype(value, 0))


def as_function(value: object, _: int = 0) -> RelaxExpr | GlobalVar:
    """Convert to a function; a string becomes an external function."""
    if isinstance(value, (RelaxExpr, GlobalVar)):
        return value
    if isinstance(value, str):
        return ExternFunc(value)
    raise _WrongKind("a function or the name of an external function")


def as_constant(value: object, _: int = 0) -> RelaxExpr:
    """Convert to a constant scalar: Python integers become int32, floats float32."""
    if isinstance(value, RelaxExpr):
        return value
    scalar = value if isinstance(value, Expr) else as_expr(value) if isinstance(value, Real) else None
    if isinstance(scalar, (IntImm, FloatImm)):
        return Constant(pack([scalar.value], scalar.dtype, ()), scalar.dtype)
    raise _WrongKind("a constant")


def _as_int(value: Any, _: int) -> int:
    try:
        return index(value)
    except TypeError:
        raise _WrongKind("an integer") from None


def _as_bool(value: object, _: int) -> bool:
    number = _as_int(value, 0)
    if number in (0, 1):
        return bool(number)
    raise _WrongKind("True or False")


def _as_float(value: object, _: int) -> float:
    if isinstance(value, Real):
        return float(value)
    raise _WrongKind("a number")


def _as_immediate(value: object, _: int) -> Expr:
    """Convert to a FloatImm: Python numbers become float32."""
    if isinstance(value, FloatImm):
        return value
    return const(_as_float(value, 0), "float32")


def _as_floats(value: object, count: int) -> tuple[Expr, ...]:
    """Convert to `count` FloatImms: None becomes zeros, a single number is repeated."""
    if value is None:
        value = 0.0
    if not isinstance(value, (list, tuple)):
        value = (value,) * (count or 1)
    if count and len(value) != count:
        raise _WrongKind(f"{count} numbers")
    return tuple([_as_immediate(item, 0) for item in value])


def _as_numbers(value: object, count: int) -> tuple[float, ...]:
    """Convert to `count` Python floats."""
    if isinstance(value, (list, tuple)) and len(value) == count:
        numbers = [item.value if isinstance(item, (FloatImm, IntImm)) else item for item in value]
        if all(isinstance(item, Real) for item in numbers):
            return tuple([float(item) for item in numbers])
    raise _WrongKind(f"{count} numbers")


def _as_str(value: object, _: int) -> str:
    if isinstance(value, str):
        return value
    raise _WrongKind("a string")


def _as_dtype(value: object, _: int) -> DType:
    if isinstance(value, DataTypeImm):
        return value.value
    if not isinstance(value, str):
        raise _WrongKind("a dtype")
    try:
        return DType(value)
    except TVMScriptError:
        raise _WrongKind("a dtype") from None


def _as_ints(value: object, count: int) -> tuple[int, ...]:
    """Convert to a tuple of integers; a single integer is repeated `count` times."""
    if not isinstance(value, (list, tuple)):
        return (_as_int(value, 0),) * (count or 1)
    integers = tuple([_as_int(item, 0) for item in value])
    if count and len(integers) != count:
        if len(integers) != 1:
            raise _WrongKind(f"{count} integers")
        integers *= count
    return integers


def _as_padding(value: object, count: int) -> tuple[int, ...]:
    """Convert to `2 * count` integers: padding before, then after each dimension. Fewer integers are repeated."""
    integers = tuple([_as_int(item, 0) for item in (value if isinstance(value, (list, tuple)) else [value])])
    if len(integers) not in (1, count, 2 * count):
        raise _WrongKind(f"1, {count} or {2 * count} integers")
    return integers * (2 * count // len(integers))


def _as_sections(value: object, _: int) -> int | tuple[int, ...]:
    """Convert to a number of sections or a tuple of split indices."""
    return _as_ints(value, 0) if isinstance(value, (list, tuple)) else _as_int(value, 0)


def _as_any(value: object, _: int) -> Any:
    return tuple(value) if isinstance(value, list) else value


#: kind -> converter (value, count of the kind) -> value in the call; raises `_WrongKind`
KINDS: dict[str, Callable[[Any, int], Any]] = {
    "Expr": as_value,
    "Tuple": as_tuple,
    "Shape": as_shape,
    "Prim": as_prim,
    "Str": _as_string,
    "DType": _as_data_type,
    "Const": as_constant,
    "Func": as_function,
    "int": _as_int,
    "bool": _as_bool,
    "float": _as_float,
    "str": _as_str,
    "dtype": _as_dtype,
    "ints": _as_ints,
    "padding": _as_padding,
    "immediate": _as_immediate,
    "floats": _as_floats,
    "numbers": _as_numbers,
    "sections": _as_sections,
    "any": _as_any,
}
