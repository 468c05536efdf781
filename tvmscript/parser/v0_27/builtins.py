"""The table of `T` of TVM 0.27: that of 0.17, with names that are new or have another meaning."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import wraps
from typing import Any

from tvmscript.ir.arith.index_map import IndexMap
from tvmscript.ir.core import Op, Span, Type, WrongType
from tvmscript.ir.core.dtype import SHORT_NAMES
from tvmscript.ir.tir import Buffer, Expr, Stmt, operators
from tvmscript.ir.tir import expr as nodes
from tvmscript.ir.tir.expr import BufferLoad, IntImm, StringImm, Var, type_of
from tvmscript.ir.tir.intrin import SURFACE
from tvmscript.ir.tir.intrin.v0_27 import pointer_type_of
from tvmscript.ir.tir.stmt import AssertStmt, AttrStmt, BufferStore, Evaluate
from tvmscript.parser.builtins.argument_checks import text
from tvmscript.parser.builtins.table import TIR, LayeredTable
from tvmscript.parser.diagnostics.errors import InvalidArguments
from tvmscript.parser.frames import KernelReader, Loops, Wrapper
from tvmscript.parser.names.lazy_table import LazyTable
from tvmscript.parser.names.namespace import JIT, PRIM_FUNC_V0_27, Builtin, Decorator
from tvmscript.parser.tir.builtins import blocks, buffers, constants, constructors, functions, loops, statements
from tvmscript.parser.tir.builtins.constructors import as_dtype
from tvmscript.parser.tir.builtins.index_maps import checked_index_map
from tvmscript.parser.v0_27.attribute_names import attribute_key, rename_attributes, with_attributes
from tvmscript.parser.v0_27.buffers import OWN, construct, value
from tvmscript.parser.v0_27.device_namespaces import DEVICES
from tvmscript.parser.v0_27.meta_classes import meta_class
from tvmscript.parser.v0_27.specialization import ANNOTATIONS
from tvmscript.parser.v0_27.unsupported_names import INSTRUCTION_NAMES, REFUSED, TILE_NAMES

# variables


class LetType:
    """The annotation `T.let[type]` of an immutable variable; the default is the type of its value."""

    __slots__ = ("type",)

    def __init__(self, type: object = None) -> None:
        self.type = type


@value("let", "LetAnnotation")
def let(type: object = None, span: Span | None = None) -> LetType:
    """The annotation of an immutable variable: `v: T.let = value`."""
    return LetType(type)


def annotated_type(annotation: object, value: Expr, span: Span) -> Type | str:
    """Return the type of a variable annotated `T.let`, `T.let[T.int32]` or `T.let[T.handle("float32")]`."""
    given = annotation.type if isinstance(annotation, LetType) else None
    if given is None:
        return type_of(value) if isinstance(value, Var) else pointer_type_of(value) or value.dtype
    if isinstance(given, Builtin):
        return as_dtype(given)
    if isinstance(given, Var):
        return given.dtype if given.pointer_type is None else given.pointer_type
    if isinstance(given, Type):
        return given
    raise WrongType(where="T.let", expected="a type", got=repr(given), span=span)


@construct("Bind", "bind")
def bind(
    parser: KernelReader, span: Span, value: object, type_annotation: object = None, *, var: Var | None = None
) -> Wrapper:
    """Bind a variable to a value, for the rest of the body."""
    return statements.let_stmt(parser, span, value, type_annotation, var=var)


# statements


@construct("attr")
def attr(
    parser: KernelReader, span: Span, node_or_dict: object, attr_key: str | None = None, value: object = None
) -> Wrapper:
    """Attach an attribute of a node to the body, or several attributes given as a dict."""
    if not isinstance(node_or_dict, Mapping):
        if attr_key is None or value is None:
            missing = "attr_key" if attr_key is None else "value"
            raise InvalidArguments(function="T.attr", reason=f"missing the argument {missing}", span=span)
        return statements.attr(parser, span, node_or_dict, attribute_key(attr_key), value)
    if attr_key is not None:
        got = "a dict and a key"
        raise WrongType(where="T.attr", expected="a node, a key and a value, or a dict", got=got, span=span)
    facts = [
        (attribute_key(text("a key of T.attr", key)), operators.as_expr(item, None, span))
        for key, item in node_or_dict.items()
    ]
    subject = operators.const(0, "int32")

    def wrap(body: Stmt) -> Stmt:
        for key, fact in reversed(facts):
            body = AttrStmt(subject, key, fact, body, span=span)
        return body

    return Wrapper(None, span, wrap)


@construct("Assert")
def assert_(
    parser: KernelReader, span: Span, condition: object, message: object, error_kind: str = "RuntimeError"
) -> Wrapper:
    """Abort with an error of a kind unless the condition holds; the message may be given in parts."""
    test = operators.as_expr(condition, None, span)
    text_, parts = assert_message(message, error_kind)
    return Wrapper(None, span, lambda body: AssertStmt(test, text_, body, parts, span=span))


#: kind of error of a message without one
DEFAULT_ERROR = "RuntimeError"


def assert_message(message: object, kind: str = DEFAULT_ERROR) -> tuple[Expr, tuple[str, ...]]:
    """Return the message of an assertion, and the kind of its error with the parts of the message.

    The kind is a prefix of the message unless it is the default.
    """
    if isinstance(message, tuple) and len(message) == 2:
        kind, message = text("the kind of an error", message[0]), message[1]
    if isinstance(message, str):
        message = [message]
    if not isinstance(message, (list, tuple)):
        return operators.as_expr(message), ()
    parts = [text("a part of a message", part) for part in message]
    return StringImm("".join(parts if kind == DEFAULT_ERROR else [f"{kind}: ", *parts])), (kind, *parts)


@construct("Return")
def return_(parser: KernelReader, span: Span, value: object) -> Stmt:
    """`return value`."""
    return Evaluate(SURFACE["ret"](operators.as_expr(value, None, span), span=span), span=span)


def jump(name: str, span: Span) -> Stmt:
    """Return the statement of `break` or `continue`."""
    return Evaluate(SURFACE[f"{name}_loop"](span=span), span=span)


@construct("Break")
def break_(parser: KernelReader, span: Span) -> Stmt:
    """Exit the innermost loop."""
    return jump("break", span)


@construct("Continue")
def continue_(parser: KernelReader, span: Span) -> Stmt:
    """Continue with the next iteration."""
    return jump("continue", span)


@construct("masked_store")
def masked_store(parser: KernelReader, span: Span, buffer: Buffer, value: object, *indices_and_mask: object) -> Stmt:
    """Store the elements whose mask is true."""
    *indices, mask = [operators.as_expr(item, None, span) for item in indices_and_mask]
    return BufferStore(buffer, operators.as_expr(value, None, span), tuple(indices), mask, span=span)


@value("masked_load")
def masked_load(dtype: object, buffer: Buffer, *indices_and_mask: object, span: Span | None = None) -> Expr:
    """Load the elements whose mask is true."""
    *indices, mask = [operators.as_expr(item, None, span) for item in indices_and_mask]
    load = BufferLoad(buffer, tuple(indices), mask, span=span)
    if load.dtype is not as_dtype(dtype):
        raise WrongType(where="T.masked_load", expected=load.dtype, got=as_dtype(dtype), span=span)
    return load


# loops


def _loop(usual: Callable[..., Loops]) -> Callable[..., Loops]:
    def build(
        parser: KernelReader,
        span: Span,
        start: object,
        stop: object = None,
        *,
        annotations: Mapping[str, object] | None = None,
        step: object = None,
        unroll: object = None,
        dtype: object = None,
    ) -> Loops:
        if unroll is not None:
            key = "disable_unroll" if unroll is False else "pragma_unroll"
            annotations = {**(annotations or {}), key: unroll is False or unroll}
        if dtype is not None:
            kind = as_dtype(dtype)
            start, stop = [item if item is None else operators.cast(kind, item, span) for item in (start, stop)]
        loop = usual(parser, span, start, stop, annotations=rename_attributes(annotations))
        number = step.value if isinstance(step, IntImm) else step
        return loop if number is None or number == 1 else loops.with_step(loop, step, span)

    build.__doc__ = usual.__doc__
    return build


for _name in ("serial", "parallel", "vectorized", "unroll"):
    construct(_name)(_loop(TIR[_name].function))


# values


@value("Call")
def call(op: object, args: object, ret_ty: object = None, span: Span | None = None, **more: object) -> object:
    """A call of an operator by name: `T.Call("tirx.exp", [x], ret_ty="float32")`; the order of 0.17 is accepted."""
    if isinstance(op, str) and not isinstance(args, (list, tuple)):
        op, args, ret_ty = args, ret_ty, op  # dtype, operator, arguments
    name = operator_name(op) if isinstance(op, str) else op
    return TIR["Call"].function("void" if ret_ty is None else ret_ty, name, args, span=span)


def operator_name(name: str) -> str:
    """Return the name of an operator in 0.17."""
    for prefix in ("tirx.", "prim."):
        if name.startswith(prefix):
            return f"tir.{name.removeprefix(prefix)}"
    return name


@value("call_intrin")
def call_intrin(dtype: object, func_name: object, *args: object, span: Span | None = None) -> Expr:
    """A call of an operator by name: `T.call_intrin("float32", "tirx.exp", x)`."""
    name = operator_name(func_name) if isinstance(func_name, str) else func_name
    expr: Expr = SURFACE["call_intrin"](dtype, name, *args, span=span)
    return expr


@value("handle")
def handle(dtype: object = None, storage_scope: str = "global", span: Span | None = None) -> Var:
    """A new pointer variable; a pointer to "void" is untyped."""
    if dtype == "tensormap":
        tensor_map: Var = _TILE_LEVEL["TensorMap"](span=span)
        return tensor_map
    value_dtype = None if dtype == "void" and storage_scope == "global" else dtype
    var: Var = TIR["handle"].function(value_dtype, storage_scope, span=span)
    return var


@value("tvm_global_barrier_kinit")
def tvm_global_barrier_kinit(span: Span | None = None) -> Expr:
    """Initialize the global barrier."""
    return nodes.Call("void", Op.get("tir.tvm_global_barrier_kinit"), (), span)


def _operator(name: str) -> Callable[..., Expr]:
    def build(*args: object, span: Span | None = None) -> Expr:
        values = [operators.as_expr(arg, None, span) for arg in args]
        expr: Expr = SURFACE[name](*values, span=span)
        return expr

    build.__doc__ = SURFACE[name].__doc__
    return build


for _name, _made in (
    ("BitwiseAnd", "bitwise_and"), ("BitwiseOr", "bitwise_or"), ("BitwiseXor", "bitwise_xor"),
    ("BitwiseNot", "bitwise_not"), ("LShift", "shift_left"), ("RShift", "shift_right"),
):  # fmt: skip
    value(_name)(_operator(_made))


def _binary_node(name: str) -> Callable[..., Expr]:
    """Return the function of a node whose operands may be integers of two widths, as passes of 0.27 leave them."""
    usual = TIR[name].function

    def build(a: object, b: object, span: Span | None = None) -> Expr:
        if isinstance(a, Expr) and isinstance(b, Expr) and a.dtype is not b.dtype:
            kinds = [item.dtype for item in (a, b)]
            if all(kind.is_integer and kind.is_signed for kind in kinds):
                wide = max(kinds, key=lambda kind: kind.bits)
                a, b = [operators.cast(wide, item, span) for item in (a, b)]
        node: Expr = usual(a, b, span=span)
        return node

    build.__doc__ = f"{usual.__doc__} Integers of two widths become the wider one."
    return build


for _name in ("Add", "Sub", "Mul", "FloorDiv", "FloorMod", "Min", "Max", "EQ", "NE", "LT", "LE", "GT", "GE"):
    value(_name)(_binary_node(_name))


@wraps(constructors.cast)
def _cast(*args: Any, **kwargs: Any) -> Expr:
    node = constructors.cast(*args, **kwargs)
    value = node.value
    # how a constant is written that no literal of 0.27 has
    is_constant = len(args) == 2 and node.dtype == "uint64" and isinstance(value, IntImm) and value.dtype == "int64"
    if is_constant and isinstance(value, IntImm) and value.value < 0:
        return IntImm("uint64", value.value + (1 << 64), span=node.span)
    return node


@value("index_map")
def index_map(
    mapping: Any, *, inverse_index_map: Any = None, index_dtype: object = "int64", span: Span | None = None
) -> IndexMap:
    """An index map, with indices of `index_dtype`."""
    return checked_index_map(mapping, inverse_index_map, as_dtype(index_dtype), span)


OWN["Cast"] = Builtin("T.Cast", _cast)
OWN.update({short: TIR.get(name) for short, name in SHORT_NAMES.items()})
OWN["sblock"] = Builtin("T.sblock", blocks.block, True)
#: constructs of 0.17 that take attributes
_WITH_ATTRIBUTES: dict[str, Callable[..., object]] = {
    "func_attr": functions.func_attr,
    "block_attr": blocks.block_attr,
    "sblock_attr": blocks.block_attr,
    "allocate": buffers.allocate,
    "allocate_const": constants.allocate_const,
    "thread_binding": loops.thread_binding,
}
OWN.update({name: with_attributes(f"T.{name}", function) for name, function in _WITH_ATTRIBUTES.items()})


@construct("add_to_parent")
def add_to_parent(parser: KernelReader, span: Span, stmt: object) -> Stmt | None:
    """Add a statement; one that Python code made by a call of `T` is there already. Raises `WrongType`."""
    if stmt is not None and not isinstance(stmt, Stmt):
        raise WrongType(where="T.add_to_parent", expected="a statement", got=repr(stmt), span=span)
    return stmt


@value("static_assert")
def static_assert(condition: object, message: str = "", span: Span | None = None) -> None:
    """Check a condition of constants when the text is read. Raises `WrongType`."""
    value = condition.value if isinstance(condition, IntImm) else condition
    if not isinstance(value, (bool, int)) or not value:
        expected = f"a condition that holds{f' ({message})' if message else ''}"
        raise WrongType(where="T.static_assert", expected=expected, got=repr(value), span=span)


OWN.update({"prim_func": PRIM_FUNC_V0_27, "jit": JIT, "inline": Decorator("T.inline", "macro", ()), **ANNOTATIONS})
OWN["meta_class"] = Builtin("T.meta_class", meta_class)
OWN.update(REFUSED)
OWN.update(DEVICES)


class _TableV027(LayeredTable):
    """The table of `T`, with the dtype names of 0.27."""

    def get(self, key: str, default: object = None) -> object:
        """Return the entry of a name."""
        if key in TILE_NAMES:
            return _TILE_LEVEL.get(key)
        if key in INSTRUCTION_NAMES:
            return _INSTRUCTIONS.get(key)
        entry = super().get(key)
        if entry is None and key.startswith("float"):
            name, _, lanes = key.partition("x")
            dtype = NEW_DTYPES.get(name)
            entry = None if dtype is None else self.under.get(f"{dtype}x{lanes}" if lanes else dtype)
        return entry if entry is not None else default

    def __getitem__(self, key: str) -> object:
        if key in INSTRUCTION_NAMES:
            return _INSTRUCTIONS[key]
        return _TILE_LEVEL[key] if key in TILE_NAMES else super().__getitem__(key)

    def __iter__(self) -> Iterator[str]:
        yield from super().__iter__()
        yield from sorted(TILE_NAMES | INSTRUCTION_NAMES)

    def __len__(self) -> int:
        return super().__len__() + len(TILE_NAMES | INSTRUCTION_NAMES)


_TILE_LEVEL = LazyTable("tile level of 0.27")
_INSTRUCTIONS = LazyTable("device instructions of T")
#: dtype name of 0.27 -> that of 0.17
NEW_DTYPES = {"float8_e4m3fn": "e4m3_float8", "float8_e5m2": "e5m2_float8"}

TIR_V0_27 = _TableV027(OWN, TIR)
