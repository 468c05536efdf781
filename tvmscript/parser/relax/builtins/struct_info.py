"""Struct info of `R`: `R.Tensor((n, 4), "float32")`, `R.Shape([n])`, `R.Prim("int64")`, `R.Tuple(...)`, ..."""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Any, Final

from tvmscript.ir.core import INT64, VOID, DType, Span, Target, UnknownName, WrongType
from tvmscript.ir.core.module import VDevice
from tvmscript.ir.relax.base import RelaxExpr, StructInfo
from tvmscript.ir.relax.expr import ShapeExpr
from tvmscript.ir.relax.struct_info import (
    UNKNOWN_NDIM,
    FuncStructInfo,
    ObjectStructInfo,
    PrimStructInfo,
    ShapeStructInfo,
    TensorStructInfo,
    TupleStructInfo,
)
from tvmscript.ir.relax.symbolic_shape import scalar_of
from tvmscript.ir.tir import Expr, Var, const
from tvmscript.parser.builtins.argument_checks import integer
from tvmscript.parser.builtins.module import StringType
from tvmscript.parser.diagnostics.errors import InvalidAnnotation, refused
from tvmscript.parser.names.namespace import Builtin
from tvmscript.parser.relax.reader import ValueReader
from tvmscript.parser.tir.builtins.constructors import as_dtype

#: completes struct info with the variables of quoted sizes and the devices of the module
Make = Callable[["ValueReader"], StructInfo]


class PendingStructInfo:
    """Struct info with sizes or devices given by name, which a parser resolves."""

    __slots__ = ("make", "name")

    def __init__(self, name: str, make: Make) -> None:
        self.name = name
        self.make = make

    def __repr__(self) -> str:
        return f"{self.name}(...)"


def known(given: object) -> StructInfo | PendingStructInfo | None:
    """Convert a value to struct info; a name such as `R.Object` is allowed. Return None for other values."""
    if isinstance(given, (StructInfo, PendingStructInfo)):
        return given
    if isinstance(given, Builtin) and STRUCT_INFOS.get(given.name.removeprefix("R.")) is given:
        info: StructInfo | PendingStructInfo = given.function()
        return info
    if isinstance(given, Builtin) and given.name.startswith("T."):
        return PendingStructInfo(given.name, lambda parser: _scalar_type(parser, given))
    return ObjectStructInfo() if isinstance(given, StringType) else None


def _scalar_type(parser: ValueReader, given: Builtin) -> StructInfo:
    """Return the struct info of `T.int64`, a scalar in 0.27. Raises `InvalidAnnotation` in 0.17."""
    if not parser.scalars_are_values:
        hint = f'write R.Prim("{given.name.removeprefix("T.")}")'
        raise InvalidAnnotation(what=given.name, role="value", span=None, hint=hint)
    return PrimStructInfo(as_dtype(given))


def resolve_struct_info(parser: ValueReader, given: object, span: Span) -> StructInfo | None:
    """Convert a value to struct info and resolve names in it. Return None for other values."""
    info = known(given)
    if isinstance(info, PendingStructInfo):
        try:
            info = info.make(parser)
        except InvalidAnnotation as error:
            raise error if error.span is not None else refused(error, span) from error
    return info.replace(span=span) if info is not None and info.span is None else info


def size(
    parser: ValueReader, given: object, span: Span | None, dtypes: Mapping[str, DType] = MappingProxyType({})
) -> Expr:
    """Evaluate a size, which may be a quoted expression.

    Undefined names in it become new variables, of int64 unless `dtypes` has theirs.
    """
    if not isinstance(given, str):
        return _extent(given, span)
    try:
        tree: ast.expr = ast.parse(given.strip(), mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        raise InvalidAnnotation(what=repr(given), role="size", span=span) from None
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and node.id not in parser.names and node.id not in parser.roots:
            parser.scope.replace(node.id, Var(node.id, dtypes.get(node.id, INT64), span=span))
        if isinstance(node, (ast.expr, ast.keyword)) and span is not None:
            parser.tree.put(node, span)
    return _extent(parser.value(tree), span)


def _extent(given: object, span: Span | None) -> Expr:
    scalar = scalar_of(given)
    if scalar is not None:
        return scalar
    if isinstance(given, int) and not isinstance(given, (bool, Expr)):
        return const(given, "int64", span)
    if isinstance(given, Expr):
        return given
    raise WrongType(where="a shape", expected="integers", got=repr(given), span=span)


def _is_named(values: Sequence[object]) -> bool:
    return any(isinstance(value, str) for value in values)


def _sequence(where: str, given: object, span: Span | None) -> tuple[object, ...]:
    if isinstance(given, (tuple, list)):
        return tuple(given)
    raise WrongType(where=where, expected="a shape", got=repr(given), span=span)


def tensor(
    shape: object = None, dtype: object = None, vdevice: object = None, ndim: int = -1, span: Span | None = None
) -> StructInfo | PendingStructInfo:
    """A tensor with an optional shape and dtype."""
    if isinstance(shape, str) and dtype is None:
        shape, dtype = None, shape
    kind = VOID if dtype is None else as_dtype(dtype)
    rank = integer("R.Tensor", ndim)
    if shape is not None and rank != UNKNOWN_NDIM:
        raise WrongType(where="R.Tensor", expected="a shape or ndim", got="both", span=span, hint="leave ndim out")
    if shape is not None and not isinstance(shape, RelaxExpr):
        shape = _sequence("R.Tensor", shape, span)
        if _is_named(shape) or isinstance(vdevice, str):
            return PendingStructInfo("R.Tensor", lambda parser: _tensor(parser, shape, kind, vdevice, rank, span))
        shape = ShapeExpr(tuple([_extent(value, span) for value in shape]), span=span)
    if isinstance(vdevice, str):
        return PendingStructInfo("R.Tensor", lambda parser: _tensor(parser, shape, kind, vdevice, rank, span))
    if vdevice is not None and not isinstance(vdevice, VDevice):
        raise WrongType(where="R.Tensor", expected="a virtual device", got=repr(vdevice), span=span)
    return TensorStructInfo(shape, kind, rank, vdevice, span=span)


def _tensor(parser: ValueReader, shape: Any, dtype: DType, vdevice: Any, ndim: int, span: Span | None) -> StructInfo:
    if isinstance(shape, tuple):
        shape = ShapeExpr(tuple([size(parser, value, span) for value in shape]), span=span)
    if isinstance(vdevice, str):
        vdevice = device(parser.session.global_infos, vdevice, span)
    return TensorStructInfo(shape, dtype, ndim, vdevice, span=span)


def device(infos: Any, name: str, span: Span | None) -> VDevice:
    """The device `"cuda:1"` of a module: the one of this number among those of the kind. Raises `UnknownName`."""
    kind, number, *_ = [*name.split(":"), ""]  # 0.27 adds the scope of its memory
    wanted = int(number) if number.isdecimal() else 0
    devices = [item for item in (infos or {}).get("vdevice", ()) if isinstance(item, VDevice)]
    candidates = [item for item in devices if kind == "vdevice" or _kind(item) == kind]
    if wanted >= len(candidates):
        hint = 'I.module_global_infos({"vdevice": [...]}) before the function defines devices'
        raise UnknownName(kind="virtual device", name=name, span=span, hint=hint)
    return candidates[wanted]


def _kind(item: VDevice) -> str:
    return item.target.kind if isinstance(item.target, Target) else ""


def shape(values: object = None, ndim: int = -1, span: Span | None = None) -> StructInfo | PendingStructInfo:
    """A shape with the given sizes, or with `ndim` unknown sizes."""
    if values is None:
        return ShapeStructInfo(None, integer("R.Shape", ndim), span=span)
    extents = _sequence("R.Shape", values, span)
    if ndim not in (-1, len(extents)):
        raise WrongType(where="R.Shape", expected=f"ndim={len(extents)}, the number of sizes", got=ndim, span=span)
    if _is_named(extents):
        return PendingStructInfo(
            "R.Shape",
            lambda parser: ShapeStructInfo(tuple([size(parser, value, span) for value in extents]), span=span),
        )
    return ShapeStructInfo(tuple([_extent(value, span) for value in extents]), span=span)


def prim(dtype: Any = None, value: Any = None, span: Span | None = None) -> StructInfo | PendingStructInfo:
    """A scalar of a dtype, or with a known value."""
    if dtype is not None and value is not None:
        raise WrongType(where="R.Prim", expected="a dtype or a value", got="both", span=span)
    if isinstance(value, str):
        text = value
        return PendingStructInfo(
            "R.Prim", lambda parser: _prim_value(size(parser, text, span, parser.declared_dtypes), span)
        )
    if value is not None:
        expr = value if isinstance(value, Expr) else const(value, "int64" if isinstance(value, int) else None, span)
        return _prim_value(expr, span)
    if dtype is None:
        raise WrongType(where="R.Prim", expected="a dtype or a value", got="none", span=span)
    return PrimStructInfo(as_dtype(dtype), span=span)


def _prim_value(value: Expr, span: Span | None) -> StructInfo:
    return PrimStructInfo(value.dtype, value, span=span)


def object_(span: Span | None = None) -> StructInfo:
    """A value of any kind."""
    return ObjectStructInfo(span=span)


def _parts(where: str, given: Sequence[object], span: Span | None) -> list[StructInfo | PendingStructInfo]:
    parts: list[StructInfo | PendingStructInfo] = []
    for item in given:
        info = known(item)
        if info is None:
            raise WrongType(where=where, expected="struct info such as R.Tensor", got=repr(item), span=span)
        parts.append(info)
    return parts


def complete(parser: ValueReader | None, part: StructInfo | PendingStructInfo) -> StructInfo:
    """Return struct info with its names resolved. No parser is needed if nothing is pending."""
    if isinstance(part, StructInfo):
        return part
    assert parser is not None
    return part.make(parser)


def _complete_all(
    parser: ValueReader | None, parts: Sequence[StructInfo | PendingStructInfo]
) -> tuple[StructInfo, ...]:
    return tuple([complete(parser, part) for part in parts])


def tuple_(*fields: object, span: Span | None = None) -> StructInfo | PendingStructInfo:
    """A tuple with the given fields."""
    given = fields[0] if len(fields) == 1 and isinstance(fields[0], (tuple, list)) else fields
    parts = _parts("R.Tuple", given, span)
    if any(isinstance(part, PendingStructInfo) for part in parts):
        return PendingStructInfo("R.Tuple", lambda parser: TupleStructInfo(_complete_all(parser, parts), span=span))
    return TupleStructInfo(_complete_all(None, parts), span=span)


def callable_(
    params: object = None,
    ret: object = None,
    purity: bool | None = None,
    derive_func: Any = None,
    span: Span | None = None,
) -> StructInfo | PendingStructInfo:
    """A function with the given parameters and result; without parameters an opaque function."""
    result = _parts("R.Callable", [ObjectStructInfo() if ret is None else ret], span)
    if params is None:
        pure = False if purity is None else bool(purity)
        if isinstance(result[0], PendingStructInfo):
            return PendingStructInfo(
                "R.Callable", lambda parser: FuncStructInfo(None, _complete_all(parser, result)[0], pure, span=span)
            )
        return FuncStructInfo(None, result[0], pure, derive_func, span=span)
    given = _parts("R.Callable", params if isinstance(params, (tuple, list)) else [params], span)
    pure = True if purity is None else bool(purity)

    def make(parser: ValueReader | None) -> StructInfo:
        return FuncStructInfo(_complete_all(parser, given), _complete_all(parser, result)[0], pure, span=span)

    if any(isinstance(part, PendingStructInfo) for part in (*given, *result)):
        return PendingStructInfo("R.Callable", make)
    return make(None)


#: name in `R` -> constructor of struct info
STRUCT_INFOS: Final[dict[str, Builtin]] = {
    "Tensor": Builtin("R.Tensor", tensor),
    "Shape": Builtin("R.Shape", shape),
    "Prim": Builtin("R.Prim", prim),
    "Object": Builtin("R.Object", object_),
    "Any": Builtin("R.Any", object_),
    "Tuple": Builtin("R.Tuple", tuple_),
    "Callable": Builtin("R.Callable", callable_),
}
