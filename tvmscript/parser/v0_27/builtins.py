"""The table of `T` as TVM 0.27 understands it: that of 0.17, with the names that are new there or mean something else.

They make the nodes that 0.17 has: an allocation that is a statement of its own is an Allocate with its DeclBuffer, a
variable that can be set is a local buffer of one element.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, TypeVar

from tvmscript.ir.arith import fold
from tvmscript.ir.arith.buffer_layout import allocation_shape
from tvmscript.ir.core.dtype import BOOL, DType
from tvmscript.ir.core.errors import WrongType
from tvmscript.ir.core.op import Op
from tvmscript.ir.core.span import Span
from tvmscript.ir.core.types import Type
from tvmscript.ir.tir import expr as nodes
from tvmscript.ir.tir import operators
from tvmscript.ir.tir.base import Expr, Stmt
from tvmscript.ir.tir.buffer import Buffer
from tvmscript.ir.tir.expr import BufferLoad, IntImm, StringImm, Var, type_of
from tvmscript.ir.tir.intrin import SURFACE
from tvmscript.ir.tir.stmt import Allocate, AssertStmt, AttrStmt, BufferStore, DeclBuffer, Evaluate, LetStmt
from tvmscript.parser.builtins.argument_checks import text
from tvmscript.parser.builtins.table import TIR, LayeredTable
from tvmscript.parser.diagnostics.errors import NoCounterpart
from tvmscript.parser.frames import KernelReader, Loops, Wrapper
from tvmscript.parser.names.name_hints import name_if_unnamed
from tvmscript.parser.names.namespace import PRIM_FUNC_V0_27, Builtin, Decorator
from tvmscript.parser.source.dialect import attribute_key, read_attributes
from tvmscript.parser.tir.buffer_spec import BufferSpec
from tvmscript.parser.tir.builtins import blocks, buffers, loops, statements
from tvmscript.parser.tir.builtins.constructors import as_dtype
from tvmscript.parser.v0_27.device_namespaces import DEVICES
from tvmscript.parser.v0_27.unsupported_names import REFUSED, TILE

F = TypeVar("F", bound=Callable[..., Any])

_OWN: dict[str, Any] = {}


def _construct(*names: str) -> Callable[[F], F]:
    """Offer a function as `T.<name>` that works on the parser."""

    def register(function: F) -> F:
        _OWN.update({name: Builtin(f"T.{name}", function, True) for name in names})
        return function

    return register


def _value(*names: str) -> Callable[[F], F]:
    """Offer a function as `T.<name>` that makes a value."""

    def register(function: F) -> F:
        _OWN.update({name: Builtin(f"T.{name}", function) for name in names})
        return function

    return register


# buffers


def _spec(
    shape: Any,
    dtype: Any,
    data: Var | None,
    strides: Any,
    elem_offset: Any,
    byte_offset: Any,
    scope: str,
    align: int,
    offset_factor: int,
    layout: Any,
    allocated_addr: Any,
    span: Span | None,
) -> BufferSpec:
    """Return the declaration of a buffer. Raises `NoCounterpart` for a layout or address of the tile level."""
    check_layout(layout, allocated_addr, span)
    offset = _offset(elem_offset, byte_offset, dtype)
    return BufferSpec(shape, dtype, data, strides, offset, scope, align, offset_factor)


def check_layout(layout: Any, allocated_addr: Any, span: Span | None) -> None:
    """Refuse a layout or an address, which the tile level alone has."""
    if layout is not None and layout != "default":
        raise NoCounterpart(name="a layout of a buffer", place=TILE, span=span)
    if allocated_addr not in (None, [], ()):
        raise NoCounterpart(name="a fixed address of a buffer", place=TILE, span=span)


def _offset(elem_offset: Any, byte_offset: Any, dtype: Any) -> Any:
    """The offset in elements, where it may be given in bytes."""
    if byte_offset is None:
        return operators.as_expr(elem_offset) if isinstance(elem_offset, int) else elem_offset
    return operators.floordiv(operators.as_expr(byte_offset), as_dtype(dtype).itemsize)


@_value("Buffer", "buffer", "buffer_decl")
def buffer(
    shape: Any,
    dtype: Any = "float32",
    data: Var | None = None,
    strides: Any = None,
    elem_offset: Any = None,
    byte_offset: Any = None,
    scope: str = "global",
    align: int = 0,
    offset_factor: int = 0,
    layout: Any = "default",
    allocated_addr: Any = None,
    span: Span | None = None,
) -> Buffer:
    """A buffer; as an annotation a parameter."""
    if isinstance(shape, tuple | list):
        # only Python calls this with quoted sizes, to evaluate annotations: the parser has replaced them
        shape = [Var(item, "int32", None, span) if isinstance(item, str) else item for item in shape]
    spec = _spec(
        shape, dtype, data, strides, elem_offset, byte_offset, scope, align, offset_factor, layout, allocated_addr, span
    )
    return spec.make(span)


@_construct("match_buffer")
def match_buffer(
    parser: KernelReader,
    span: Span,
    param: Any,
    shape: Any = None,
    dtype: Any = "float32",
    data: Var | None = None,
    strides: Any = None,
    elem_offset: Any = None,
    byte_offset: Any = None,
    scope: str = "global",
    align: int = -1,
    offset_factor: int = 0,
    layout: Any = "default",
    allocated_addr: Any = None,
) -> Buffer:
    """The buffer behind a handle parameter, or behind a region of another buffer inside of a block."""
    spec = _spec(
        shape, dtype, data, strides, elem_offset, byte_offset, scope, align, offset_factor, layout, allocated_addr, span
    )
    return buffers.bind_buffer(parser, span, param, spec)


@_construct("sblock_alloc_buffer")
def sblock_alloc_buffer(
    parser: KernelReader,
    span: Span,
    shape: Any,
    dtype: Any = "float32",
    data: Var | None = None,
    strides: Any = None,
    elem_offset: Any = None,
    scope: str = "global",
    align: int = -1,
    offset_factor: int = 0,
    layout: Any = "default",
    allocated_addr: Any = None,
) -> Buffer:
    """A buffer of the block, or of the function outside of any block."""
    check_layout(layout, allocated_addr, span)
    spec = BufferSpec(shape, dtype, data, strides, elem_offset, scope, align, offset_factor)
    return buffers.allocate_in_block(parser, spec.make(span))


@_construct("alloc_buffer")
def alloc_buffer(
    parser: KernelReader,
    span: Span,
    shape: Any,
    dtype: Any = "float32",
    data: Var | None = None,
    strides: Any = None,
    elem_offset: Any = None,
    byte_offset: Any = None,
    scope: str = "global",
    align: int = -1,
    offset_factor: int = 0,
    layout: Any = "default",
    allocated_addr: Any = None,
    annotations: Mapping[str, Any] | None = None,
) -> Wrapper:
    """Memory with its buffer, for the rest of the body."""
    spec = _spec(
        shape, dtype, data, strides, elem_offset, byte_offset, scope, align, offset_factor, layout, allocated_addr, span
    )
    return allocation(spec.make(span), annotations, span)


def allocation(buffer: Buffer, annotations: Mapping[str, Any] | None, span: Span) -> Wrapper:
    """Return the frame of a buffer's allocation: Allocate with DeclBuffer."""
    attrs = read_attributes(annotations)

    def wrap(body: Stmt) -> Stmt:
        declaration = DeclBuffer(buffer, body, span=span)
        return Allocate(
            buffer.data, buffer.dtype, allocation_shape(buffer), IntImm(BOOL, 1), declaration, attrs, span=span
        )

    return Wrapper(buffer, span, wrap)


def _scoped_allocation(scope: str) -> Callable[..., Any]:
    def build(parser: KernelReader, span: Span, *args: Any, **options: Any) -> Wrapper:
        return alloc_buffer(parser, span, *args, **{"scope": scope, **options})

    build.__doc__ = f"Memory in the scope {scope} with its buffer, for the rest of the body."
    return build


for _name, _scope in (("alloc_shared", "shared"), ("smem", "shared"), ("alloc_local", "local")):
    _construct(_name)(_scoped_allocation(_scope))


@_construct("decl_buffer")
def decl_buffer(
    parser: KernelReader,
    span: Span,
    shape: Any,
    dtype: Any = "float32",
    data: Any = None,
    strides: Any = None,
    elem_offset: Any = None,
    byte_offset: Any = None,
    scope: str = "global",
    align: int = 0,
    offset_factor: int = 0,
    layout: Any = "default",
    allocated_addr: Any = None,
) -> Wrapper:
    """A view of the memory at `data`, which may be any pointer; new memory without one."""
    check_layout(layout, allocated_addr, span)
    offset = _offset(elem_offset, byte_offset, dtype)
    if data is None:
        return alloc_buffer(parser, span, shape, dtype, None, strides, offset, None, scope, align, offset_factor)
    pointer = None
    if not isinstance(data, Var) or isinstance(data, nodes.SizeVar):
        pointer, data = operators.as_expr(data, None, span), None
    elif data.type_annotation is not None and scope == "global":
        scope = data.storage_scope or scope
    buffer = BufferSpec(shape, dtype, data, strides, offset, scope, align, offset_factor).make(span)

    def wrap(body: Stmt) -> Stmt:
        declaration: Stmt = DeclBuffer(buffer, body, span=span)
        return declaration if pointer is None else LetStmt(buffer.data, pointer, declaration, span=span)

    return Wrapper(buffer, span, wrap)


def view(owner: Buffer, parser: KernelReader, span: Span, *shape: Any, layout: Any = None) -> Wrapper:
    """Another shape of the same elements: `A.view(512)`; the same bits as elements of a dtype: `A.view("int8")`."""
    dtype = owner.dtype
    if len(shape) == 1 and isinstance(shape[0], str):
        dtype = as_dtype(shape[0])
        shape = _shape_as(owner, dtype, span)
    if any(isinstance(item, int) and item < 0 for item in shape):
        raise NoCounterpart(name="a view whose shape is inferred", place=TILE, span=span)
    check_layout(layout, None, span)
    spec = BufferSpec(
        shape,
        dtype,
        owner.data,
        owner.strides,
        owner.elem_offset,
        owner.storage_scope,
        owner.data_alignment,
        owner.offset_factor,
    )
    buffer = spec.make(span)
    return Wrapper(buffer, span, lambda body: DeclBuffer(buffer, body, span=span))


#: attributes of buffers
MEMBERS_V0_27: dict[str, Any] = {"view": lambda owner: Builtin("view", partial(view, owner), needs_kernel=True)}


def _shape_as(owner: Buffer, dtype: DType, span: Span) -> tuple[Expr, ...]:
    """The shape of a buffer's bits as elements of another dtype: its last dimension is longer or shorter."""
    if not owner.shape or owner.strides:
        raise NoCounterpart(name="a view of another dtype with strides or without dimensions", place=TILE, span=span)
    old, new = ((8 if item.is_bool else item.bits) * item.lanes for item in (owner.dtype, dtype))
    *others, last = owner.shape
    if old % new == 0:
        return (*others, fold.mul(last, IntImm(last.dtype, old // new)))
    return (*others, fold.make(nodes.FloorDiv, last, IntImm(last.dtype, max(new // old, 1))))


# variables


class Scalar:
    """What `T.local_scalar` makes: a buffer of one element that a name is going to stand for."""

    __slots__ = ("dtype", "scope")

    def __init__(self, dtype: DType, scope: str) -> None:
        self.dtype = dtype
        self.scope = scope


@_value("alloc_scalar")
def alloc_scalar(dtype: Any = "float32", scope: str = "global", span: Span | None = None) -> Scalar:
    """A variable that can be set: memory for one element."""
    return Scalar(as_dtype(dtype), text("a storage scope", scope))


@_value("local_scalar")
def local_scalar(dtype: Any = "float32", span: Span | None = None) -> Scalar:
    """A variable of the thread that can be set."""
    return Scalar(as_dtype(dtype), "local")


@_value("shared_scalar")
def shared_scalar(dtype: Any = "float32", span: Span | None = None) -> Scalar:
    """A variable that the threads of a block share."""
    return Scalar(as_dtype(dtype), "shared")


def scalar_buffer(parser: KernelReader, name: str, dtype: DType, scope: str, span: Span) -> BufferLoad:
    """Open the allocation of a variable that can be set; its value."""
    buffer = BufferSpec((1,), dtype, scope=scope).make(span)
    parser.open(allocation(buffer, None, span))
    name_if_unnamed(buffer, name)
    return BufferLoad(buffer, (IntImm("int32", 0),), span=span)


class LetType:
    """`T.let[type]` as an annotation: a variable that is never set again; without a type that of its value."""

    __slots__ = ("type",)

    def __init__(self, type: Any = None) -> None:
        self.type = type


@_value("let", "LetAnnotation")
def let(type: Any = None, span: Span | None = None) -> LetType:
    """As an annotation, `v: T.let = value`: a variable that is never set again."""
    return LetType(type)


def annotated_type(annotation: Any, value: Expr, span: Span) -> Type | str:
    """The type that an annotation `T.let`, `T.let[T.int32]` or `T.let[T.handle("float32")]` gives to a value."""
    given = annotation.type if isinstance(annotation, LetType) else None
    if given is None:
        return type_of(value) if isinstance(value, Var) else value.dtype
    if isinstance(given, Builtin):
        return as_dtype(given)
    if isinstance(given, Var):
        return given.dtype if given.type_annotation is None else given.type_annotation
    if isinstance(given, Type):
        return given
    raise WrongType(where="T.let", expected="a type", got=repr(given), span=span)


@_construct("Bind", "bind")
def bind(
    parser: KernelReader, span: Span, value: Any, type_annotation: Any = None, *, var: Var | None = None
) -> Wrapper:
    """A variable for a value, for the rest of the body."""
    return statements.let_stmt(parser, span, value, type_annotation, var=var)


# statements


@_construct("attr")
def attr(
    parser: KernelReader, span: Span, node_or_dict: Any, attr_key: str | None = None, value: Any = None
) -> Wrapper:
    """A fact about a node, for the body; several facts about the place where they stand as a dictionary."""
    if attr_key is not None and not isinstance(node_or_dict, Mapping):
        return statements.attr(parser, span, node_or_dict, attribute_key(attr_key), value)
    if not isinstance(node_or_dict, Mapping) or attr_key is not None:
        raise WrongType(where="T.attr", expected="a node, a key and a value, or a dict", got=repr(attr_key), span=span)
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


@_construct("Assert")
def assert_(
    parser: KernelReader, span: Span, condition: Any, message: Any, error_kind: str = "RuntimeError"
) -> Wrapper:
    """Stop with an error of a kind unless the condition holds; the message may be given in parts."""
    test = operators.as_expr(condition, None, span)
    told = assert_message(message, error_kind)
    return Wrapper(None, span, lambda body: AssertStmt(test, told, body, span=span))


#: The kind of error that a message means if it does not name one.
USUAL_ERROR = "RuntimeError"


def assert_message(message: Any, kind: str = USUAL_ERROR) -> Expr:
    """The message of an assertion as one string, the kind of its error in front unless it is the usual one."""
    if isinstance(message, tuple) and len(message) == 2 and isinstance(message[1], list | tuple):
        kind, message = text("the kind of an error", message[0]), message[1]
    if isinstance(message, list | tuple):
        message = "".join([text("a part of a message", part) for part in message])
    if isinstance(message, str):
        return StringImm(message if kind == USUAL_ERROR else f"{kind}: {message}")
    return operators.as_expr(message)


@_construct("Return")
def return_(parser: KernelReader, span: Span, value: Any) -> Stmt:
    """`return value`."""
    return Evaluate(SURFACE["ret"](operators.as_expr(value, None, span), span=span), span=span)


def jump(name: str, span: Span) -> Stmt:
    """`break` or `continue`."""
    return Evaluate(SURFACE[f"{name}_loop"](span=span), span=span)


@_construct("Break")
def break_(parser: KernelReader, span: Span) -> Stmt:
    """`break`: leave the innermost loop."""
    return jump("break", span)


@_construct("Continue")
def continue_(parser: KernelReader, span: Span) -> Stmt:
    """`continue`: go on with the next iteration."""
    return jump("continue", span)


@_construct("masked_store")
def masked_store(parser: KernelReader, span: Span, buffer: Buffer, value: Any, *indices_and_mask: Any) -> Stmt:
    """Set the elements where the mask holds."""
    *indices, mask = [operators.as_expr(item, None, span) for item in indices_and_mask]
    return BufferStore(buffer, operators.as_expr(value, None, span), tuple(indices), mask, span=span)


@_value("masked_load")
def masked_load(dtype: Any, buffer: Buffer, *indices_and_mask: Any, span: Span | None = None) -> Expr:
    """The elements where the mask holds."""
    *indices, mask = [operators.as_expr(item, None, span) for item in indices_and_mask]
    made = BufferLoad(buffer, tuple(indices), mask, span=span)
    if made.dtype is not as_dtype(dtype):
        raise WrongType(where="T.masked_load", expected=made.dtype, got=as_dtype(dtype), span=span)
    return made


# loops


def _loop(name: str, usual: Callable[..., Loops]) -> Callable[..., Loops]:
    def build(
        parser: KernelReader,
        span: Span,
        start: Any,
        stop: Any = None,
        *,
        annotations: Mapping[str, Any] | None = None,
        step: Any = None,
        unroll: Any = None,
        dtype: Any = None,
    ) -> Loops:
        if step not in (None, 1) and not (isinstance(step, IntImm) and step.value == 1):
            hint = "count in steps of 1 and multiply"
            raise WrongType(where=f"T.{name}", expected="a step of 1", got=repr(step), span=span, hint=hint)
        if unroll is not None:
            key = "disable_unroll" if unroll is False else "pragma_unroll"
            annotations = {**(annotations or {}), key: unroll is False or unroll}
        if dtype is not None:
            kind = as_dtype(dtype)
            start, stop = [item if item is None else operators.cast(kind, item, span) for item in (start, stop)]
        return usual(parser, span, start, stop, annotations=annotations)

    build.__doc__ = usual.__doc__
    return build


for _name in ("serial", "parallel", "vectorized", "unroll"):
    _construct(_name)(_loop(_name, getattr(loops, _name)))


# values


@_value("Call")
def call(op: Any, args: Any, ret_ty: Any = None, span: Span | None = None, **more: Any) -> Any:
    """A call of an operator by name: `T.Call("tirx.exp", [x], ret_ty="float32")`; 0.17's order is taken too."""
    if isinstance(op, str) and not isinstance(args, list | tuple):
        op, args, ret_ty = args, ret_ty, op  # dtype, operator, arguments
    name = operator_name(op) if isinstance(op, str) else op
    return TIR["Call"].function("void" if ret_ty is None else ret_ty, name, args, span=span)


def operator_name(name: str) -> str:
    """The name of an operator as 0.17 calls it."""
    for prefix in ("tirx.", "prim."):
        if name.startswith(prefix):
            return f"tir.{name.removeprefix(prefix)}"
    return name


@_value("call_intrin")
def call_intrin(dtype: Any, func_name: Any, *args: Any, span: Span | None = None) -> Expr:
    """A call of the operator of this name: `T.call_intrin("float32", "tirx.exp", x)`."""
    name = operator_name(func_name) if isinstance(func_name, str) else func_name
    made: Expr = SURFACE["call_intrin"](dtype, name, *args, span=span)
    return made


@_value("handle")
def handle(dtype: Any = None, storage_scope: str = "global", span: Span | None = None) -> Var:
    """A new pointer variable; one to "void" is one of which nothing is known."""
    known = None if dtype == "void" and storage_scope == "global" else dtype
    found: Var = TIR["handle"].function(known, storage_scope, span=span)
    return found


@_value("tvm_global_barrier_kinit")
def tvm_global_barrier_kinit(span: Span | None = None) -> Expr:
    """Set up the barrier of all blocks."""
    return nodes.Call("void", Op.get("tir.tvm_global_barrier_kinit"), (), span)


def _operator(name: str) -> Callable[..., Expr]:
    def build(*args: Any, span: Span | None = None) -> Expr:
        values = [operators.as_expr(arg, None, span) for arg in args]
        made: Expr = SURFACE[name](*values, span=span)
        return made

    build.__doc__ = SURFACE[name].__doc__
    return build


for _name, _made in (
    ("BitwiseAnd", "bitwise_and"), ("BitwiseOr", "bitwise_or"), ("BitwiseXor", "bitwise_xor"),
    ("BitwiseNot", "bitwise_not"), ("LShift", "shift_left"), ("RShift", "shift_right"),
):  # fmt: skip
    _value(_name)(_operator(_made))


_SHORT = {"bf16": "bfloat16", "f16": "float16", "f32": "float32", "f64": "float64", "i8": "int8", "i16": "int16",
          "i32": "int32", "i64": "int64", "u8": "uint8", "u16": "uint16", "u32": "uint32", "u64": "uint64"}  # fmt: skip
_OWN.update({short: TIR.get(name) for short, name in _SHORT.items()})
_OWN["sblock"] = Builtin("T.sblock", blocks.block, True)
_OWN["sblock_attr"] = Builtin("T.sblock_attr", blocks.block_attr, True)


_OWN.update({"prim_func": PRIM_FUNC_V0_27, "inline": Decorator("T.inline", "macro", ())})
_OWN.update(REFUSED)
_OWN.update(DEVICES)


class _TableV027(LayeredTable):
    """The table of `T`, with the dtype names of 0.27."""

    def get(self, key: str, default: Any = None) -> Any:
        """Return the entry of a name."""
        entry = super().get(key)
        if entry is None and key.startswith("float"):
            name, _, lanes = key.partition("x")
            dtype = NEW_DTYPES.get(name)
            entry = None if dtype is None else self.under.get(f"{dtype}x{lanes}" if lanes else dtype)
        return entry if entry is not None else default


#: new name of a dtype -> the one of 0.17
NEW_DTYPES = {"float8_e4m3fn": "e4m3_float8", "float8_e5m2": "e5m2_float8"}

TIR_V0_27 = _TableV027(_OWN, TIR)
