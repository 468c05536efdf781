"""Constructors of dtypes, and of expression nodes by their class names."""

from __future__ import annotations

from typing import Any

from tvmscript.ir.core import CallEffect, DType, Node, Op, Span, Target
from tvmscript.ir.core.errors import InvalidDType, UnknownName, WrongType
from tvmscript.ir.core.types import PointerType, PrimType, TupleType, Type
from tvmscript.ir.core.values.nan import nan_from_text
from tvmscript.ir.tir import Buffer, Expr, operators
from tvmscript.ir.tir import expr as nodes
from tvmscript.ir.tir.expr import Broadcast, BufferRegion, FloatImm, IntImm, SizeVar, Var, type_of
from tvmscript.ir.tir.intrin.derived import iter_domain
from tvmscript.ir.tir.slices import index, region_load
from tvmscript.parser.builtins.argument_checks import integer, lane_count, text
from tvmscript.parser.builtins.table import TIR, value
from tvmscript.parser.names.name_hints import MetaVar
from tvmscript.parser.names.namespace import Builtin, Namespace

#: floats without a literal
_SPECIAL = {"inf": float("inf"), "-inf": float("-inf")}


def as_dtype(given: object) -> DType:
    """Return a dtype given as a string or by its constructor (`T.float32`). Raises `InvalidDType`."""
    if isinstance(given, Builtin):
        dtype = _DTYPES.get(given.name)
        if dtype is not None:
            return dtype
    if not isinstance(given, str):
        raise InvalidDType(name=repr(given) if not isinstance(given, Builtin) else given.name)
    return DType(given)


#: name of a constructor -> its dtype
_DTYPES: dict[str, DType] = {}


def _dtype_constructor(dtype: DType) -> Builtin:
    def build(expr: object = None, is_size_var: bool = False, span: Span | None = None) -> Expr:
        if expr is None:
            return SizeVar("", dtype, None, span) if is_size_var else Var("", dtype, None, span)
        if isinstance(expr, str):
            special = _SPECIAL.get(expr) or nan_from_text(dtype.element, expr)
            if special is None:
                raise WrongType(where=f"T.{dtype}", expected='"inf", "-inf" or "nan"', got=repr(expr), span=span)
            return operators.const(special, dtype, span)
        if isinstance(expr, (bool, int, float)) and not isinstance(expr, Expr):
            return operators.const(expr, dtype, span)
        return operators.cast(dtype, expr, span)

    build.__doc__ = f"A constant of {dtype}, a cast to it, or, without argument, a new variable."
    builtin = Builtin(f"T.{dtype}", build)
    _DTYPES[builtin.name] = dtype
    return builtin


TIR.make_dtype = _dtype_constructor
TIR["boolean"] = TIR.get("bool")
TIR.update({name: TIR.get(name) for name in ("bool", "void")})
# listed in dir(T); constructors of other dtypes are created on first use
_LISTED = ("int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "float16", "float32", "float64",
           "bfloat16", "e4m3_float8", "e5m2_float8")  # fmt: skip
for _name in _LISTED:
    for _lanes in ("", "x4", "x8", "x16", "x32", "x64"):
        TIR[f"{_name}{_lanes}"] = TIR.get(f"{_name}{_lanes}")


@value("handle")
def handle(
    dtype: object = None, storage_scope: str = "global", *, is_size_var: bool = False, span: Span | None = None
) -> Var:
    """A new pointer variable, to elements of `dtype` if given."""
    cls = SizeVar if is_size_var else Var
    if dtype is None and storage_scope == "global":
        return cls("", "handle", None, span)
    scope = text("a storage scope", storage_scope)
    return cls("", PointerType(_type("void" if dtype is None else dtype), scope), None, span)


def _type(given: object) -> Type:
    """Return a type, given as a dtype, a variable or the constructor of a variable (`T.handle("float32")`)."""
    if isinstance(given, Builtin):
        given = given()
    if isinstance(given, Var):
        return type_of(given)
    return given if isinstance(given, Type) else PrimType(as_dtype(given))


@value("Tuple")
def tuple_type(*fields: object, span: Span | None = None) -> TupleType:
    """A tuple type."""
    return TupleType(tuple(_type(field) for field in fields), span=span)


_DTYPES["T.handle"] = DType("handle")


@value("Ptr", "ptr", "buffer_var")
def pointer(dtype: object, storage_scope: str = "global", is_size_var: bool = False, span: Span | None = None) -> Var:
    """A new variable that points to elements of `dtype`."""
    return handle(dtype, storage_scope, is_size_var=is_size_var, span=span)


@value("var")
def var(dtype: object, name: str = "", span: Span | None = None) -> Var:
    """A new variable (the spelling of old texts)."""
    return Var(text("T.var", name), as_dtype(dtype), None, span)


@value("Var")
def named_var(name: str, dtype: object, span: Span | None = None) -> Var:
    """A new variable with a name."""
    return Var(text("T.Var", name), _type(dtype), None, span)


@value("SizeVar")
def named_size_var(name: str, dtype: object, span: Span | None = None) -> Var:
    """A new size variable with a name."""
    return SizeVar(text("T.SizeVar", name), _type(dtype), None, span)


@value("meta_var")
def meta_var(value: object, span: Span | None = None) -> MetaVar:
    """A Python value that an assignment binds without a variable in the program."""
    return MetaVar(value)


@value("IntImm")
def int_imm(dtype: object, value: int, span: Span | None = None) -> IntImm:
    """An integer constant."""
    return IntImm(as_dtype(dtype), integer("T.IntImm", value), span)


@value("FloatImm")
def float_imm(dtype: object, value: float, span: Span | None = None) -> FloatImm:
    """A floating-point constant."""
    return FloatImm(as_dtype(dtype), float(value), span)


@value("StringImm")
def string_imm(value: str, span: Span | None = None) -> nodes.StringImm:
    """A string constant."""
    return nodes.StringImm(text("T.StringImm", value), span=span)


@value("Cast")
def cast(dtype: object, value: object, span: Span | None = None) -> nodes.Cast:
    """A Cast node."""
    return nodes.Cast(as_dtype(dtype), _expr(value, span), span)


@value("Select")
def select(condition: object, true_value: object, false_value: object, span: Span | None = None) -> nodes.Select:
    """One of two values; both are evaluated."""
    first, second = operators.match_types(true_value, false_value, "T.Select", span)
    return nodes.Select(_expr(condition, span), first, second, span=span)


@value("Ramp", "ramp")
def ramp(base: object, stride: object, lanes: object, span: Span | None = None) -> nodes.Ramp:
    """The vector base, base + stride, ..."""
    first = _expr(base, span)
    step = operators.as_expr(stride, first.dtype, span)
    return nodes.Ramp(first, step, lane_count("T.Ramp", lanes), span=span)


@value("Broadcast", "broadcast")
def broadcast(value: object, lanes: object, span: Span | None = None) -> Broadcast:
    """A scalar in every lane."""
    return Broadcast(_expr(value, span), lane_count("T.Broadcast", lanes), span=span)


@value("Shuffle")
def shuffle(vectors: Any, indices: Any, span: Span | None = None) -> nodes.Shuffle:
    """A vector of lanes selected from vectors."""
    return nodes.Shuffle(
        tuple(_expr(item, span) for item in vectors), tuple(_expr(item, span) for item in indices), span=span
    )


@value("BufferLoad")
def buffer_load(buffer: Buffer, indices: Any, predicate: Any = None, span: Span | None = None) -> nodes.BufferLoad:
    """An element of a buffer."""
    mask = None if predicate is None else _expr(predicate, span)
    return nodes.BufferLoad(_buffer(buffer), tuple(index(item, span) for item in indices), mask, span=span)


@value("Call")
def call(dtype: Any, op: object, args: Any, span: Span | None = None) -> nodes.Call:
    """A call of an operator, given by its name with or without "tir."."""
    if isinstance(op, str):
        op = Op.get(op if op in Op.registry or op.startswith("tir.") else f"tir.{op}")
    if not isinstance(op, Op) and not isinstance(op, Node):
        raise UnknownName(kind="operator", name=repr(op), span=span)
    return nodes.Call(as_dtype(dtype), op, tuple(_expr(arg, span) for arg in args), span)


@value("IterVar")
def iter_var(dom: Any, var: Any, iter_type: int, thread_tag: str = "", span: Span | None = None) -> nodes.IterVar:
    """An iteration variable."""
    dom = iter_domain(dom, span)
    if isinstance(var, str):
        var = Var(var, "int32", None, span)
    return nodes.IterVar(dom, var, nodes.IterKind(iter_type), text("T.IterVar", thread_tag), span=span)


def _binary_node(cls: type[nodes.BinaryOp]) -> Any:
    def build(a: object, b: object, span: Span | None = None) -> Expr:
        return cls(_expr(a, span, b), _expr(b, span, a), span=span)

    build.__doc__ = f"{cls.__doc__} Operands are not converted."
    return build


for _cls in (
    nodes.Add, nodes.Sub, nodes.Mul, nodes.Div, nodes.Mod, nodes.FloorDiv, nodes.FloorMod, nodes.Min, nodes.Max,
    nodes.EQ, nodes.NE, nodes.LT, nodes.LE, nodes.GT, nodes.GE, nodes.And, nodes.Or,
):  # fmt: skip
    value(_cls.__name__)(_binary_node(_cls))


@value("Not")
def logical_not(a: object, span: Span | None = None) -> Expr:
    """not a."""
    return nodes.Not(_expr(a, span), span=span)


def _expr(given: object, span: Span | None, other: object = None) -> Expr:
    """Convert an operand; a number takes the dtype of the other operand."""
    if isinstance(given, Expr):
        return given
    if isinstance(given, BufferRegion):
        return region_load(given)
    return operators.as_expr(given, other.dtype.element if isinstance(other, Expr) else None, span)


def _buffer(given: object) -> Buffer:
    if isinstance(given, Buffer):
        return given
    raise WrongType(where="T.BufferLoad", expected="a buffer", got=repr(given))


TIR["CallEffectKind"] = Namespace(
    "T.CallEffectKind",
    {
        "ExprAnnotation": CallEffect.EXPR_ANNOTATION,
        "Pure": CallEffect.PURE,
        "ReadState": CallEffect.READ_STATE,
        "UpdateState": CallEffect.UPDATE_STATE,
        "Opaque": CallEffect.UPDATE_STATE,
        "SpecialCallArg": CallEffect.SPECIAL_CALL_ARG,
        "EmbedInfo": CallEffect.EMBED_INFO,
        "ControlJump": CallEffect.CONTROL_JUMP,
    },
)


@value("target")
def target(target_config: Any, host: Any = None, span: Span | None = None) -> Target:
    """A target, for attributes."""
    return Target.make(target_config, host)
