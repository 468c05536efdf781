"""Buffers: their declarations, elements and regions."""

from __future__ import annotations

from enum import IntEnum

from tvmscript.ir.core.dtype import INT8
from tvmscript.ir.core.node import Node
from tvmscript.ir.core.types import PointerType, PrimType
from tvmscript.ir.tir import expr as E
from tvmscript.ir.tir.base import Expr
from tvmscript.ir.tir.buffer import DEFAULT_ALIGNMENT, Buffer
from tvmscript.ir.tir.operators import wrap
from tvmscript.ir.tir.scalable_vectors import lanes_value
from tvmscript.printer.errors import NoText
from tvmscript.printer.identifiers import identifier, unused
from tvmscript.printer.literals import string
from tvmscript.printer.printer import Printer, expr_rule
from tvmscript.printer.text_buffer import Frame
from tvmscript.printer.tir.exprs import creation, sum_text


class Defines(IntEnum):
    """Which new variables a declaration brings with it."""

    #: none: the data must exist (T.decl_buffer)
    NOTHING = 0
    #: the data pointer (T.alloc_buffer, T.Buffer)
    DATA = 1


def buffer_hint(buffer: Buffer) -> str:
    """The name to start from."""
    return buffer.name or "buffer"


def declaration(
    p: Printer,
    buffer: Buffer,
    function: str,
    frame: Frame,
    defines: Defines = Defines.DATA,
    first: str = "",
    shape: str | None = None,
    always_dtype: bool = False,
) -> str:
    """The call that makes a buffer: `T.alloc_buffer((16,), "int8", scope="shared")`.

    Variables that it alone uses are called by way of the buffer (`A.data`), which `name_parts` settles; others are
    declared in `frame` or further out.
    """
    new: list[tuple[str, str]] = []
    arguments = [first] if first else []
    arguments.append(_shape(p, buffer, frame, new) if shape is None else shape)
    if always_dtype or buffer.dtype is not p.buffer_dtype:
        arguments.append(f'"{p.spelling.dtype(buffer.dtype)}"')
    data = buffer.data
    known = p.names.get(data)
    if known is None and defines is Defines.NOTHING:
        known = _declare(p, data, frame, new)
    elif known is None and not (has_usual_data(buffer) and _is_part(p, data, buffer, frame)):
        known = p.expr(data)
    if known is not None:
        arguments.append(f"data={known}")
    if buffer.strides:
        arguments.append(f"strides={_strides(p, buffer, frame, new)}")
    offset = _offset(p, buffer, frame, new)
    if offset:
        arguments.append(f"elem_offset={offset}")
    if buffer.storage_scope != "global":
        arguments.append(f"scope={string(buffer.storage_scope)}")
    if buffer.data_alignment != DEFAULT_ALIGNMENT:
        arguments.append(f"align={buffer.data_alignment}")
    if buffer.offset_factor != 1 or offset is None:
        arguments.append(f"offset_factor={buffer.offset_factor}")
    if not p.spelling.has_buffer_types and (buffer.buffer_type != "default" or buffer.axis_separators):
        what = "the axis separators" if buffer.axis_separators else f"the type {buffer.buffer_type}"
        raise NoText(what=f"{what} of the buffer {buffer.name} in the dialect {p.spelling.dialect}")
    if buffer.buffer_type != "default":
        arguments.append('buffer_type="auto"')
    if buffer.axis_separators:
        arguments.append(f"axis_separators=[{', '.join(map(str, buffer.axis_separators))}]")
    if len(new) == 1:
        p.put(frame, f"{new[0][0]} = {new[0][1]}")
    elif new:
        p.put(frame, f"{', '.join([name for name, _ in new])} = {', '.join([value for _, value in new])}")
    return f"{p.tir}{function}({', '.join(arguments)})"


def has_usual_data(buffer: Buffer) -> bool:
    """Whether the data pointer is what reading a declaration without `data` makes: a pointer to the elements.

    The elements of bool buffers are bytes.
    """
    annotation = buffer.data.type_annotation
    if not isinstance(annotation, PointerType) or not isinstance(annotation.element_type, PrimType):
        return False
    dtype = buffer.dtype
    stored = INT8.with_lanes(dtype.lanes) if dtype.is_bool else dtype
    return annotation.element_type.dtype is stored and type(buffer.data) is E.Var


def name_parts(p: Printer, buffer: Buffer, name: str, frame: Frame) -> None:
    """Call the variables that the buffer brought with it by its name: `A.data`, `A.strides[0]`, `A.elem_offset`."""
    if buffer.data not in p.names:
        p.define_as(buffer.data, f"{name}.data", frame)
        p.owners[buffer.data] = buffer
    for axis, stride in enumerate(buffer.strides):
        if isinstance(stride, E.Var) and stride not in p.names:
            p.define_as(stride, f"{name}.strides[{axis}]", frame)
    if isinstance(buffer.elem_offset, E.Var) and buffer.elem_offset not in p.names:
        p.define_as(buffer.elem_offset, f"{name}.elem_offset", frame)


def _shape(p: Printer, buffer: Buffer, frame: Frame, new: list[tuple[str, str]]) -> str:
    texts = [
        _declare(p, extent, frame, new) if isinstance(extent, E.Var) and extent not in p.names else p.expr(extent)
        for extent in buffer.shape
    ]
    return f"({texts[0]},)" if len(texts) == 1 else f"({', '.join(texts)})"


def _declare(p: Printer, var: E.Var, frame: Frame, new: list[tuple[str, str]]) -> str:
    """A new variable in front of the declaration, or further out where it is used there as well."""
    if frame.node is not p.scope_root and p.is_outer(p.scope_of(var), frame):
        return p.expr(var)
    name = p.define(var, var.name or "v", frame)
    new.append((name, creation(p, var)))
    return name


def _is_part(p: Printer, var: E.Var, buffer: Buffer, frame: Frame) -> bool:
    """Whether nothing outside of the scope, and nothing else in the declaration, uses the variable."""
    uses = sum(var is other for other in (buffer.data, buffer.elem_offset, *buffer.shape, *buffer.strides))
    if uses != 1 or any(_mentions(part, var) for part in (buffer.elem_offset, *buffer.shape, *buffer.strides)):
        return False
    return frame.node is p.scope_root or frame is p.frames[0] or not p.is_outer(p.scope_of(var), frame)


def _mentions(part: Expr, var: E.Var) -> bool:
    if part is var or isinstance(part, E.IntImm | E.Var):
        return False
    return any(item is var for item in _variables(part))


def _variables(part: Node) -> list[Node]:
    found: list[Node] = []
    stack: list[Node] = [part]
    while stack:
        item = stack.pop()
        if item.is_name:
            found.append(item)
            continue
        for name in item.schema.walked:
            value = getattr(item, name)
            stack += [part for part in (value if isinstance(value, tuple) else (value,)) if isinstance(part, Node)]
    return found


def _strides(p: Printer, buffer: Buffer, frame: Frame, new: list[tuple[str, str]]) -> str:
    texts: list[str] = []
    for stride in buffer.strides:
        if not isinstance(stride, E.Var) or stride in p.names:
            texts.append(p.expr(stride))
        elif type(stride) is E.Var and stride.dtype is buffer.index_dtype and _is_part(p, stride, buffer, frame):
            texts.append(string(_stride_name(p, stride, frame)))
        else:
            texts.append(_declare(p, stride, frame, new))
    return f"({texts[0]},)" if len(texts) == 1 else f"({', '.join(texts)})"


def _stride_name(p: Printer, stride: E.Var, frame: Frame) -> str:
    """The name of a stride in quotation marks."""
    if not p.spelling.strides_take_names:
        return stride.name
    name = unused(identifier(stride.name) or "v", p.taken)
    p.taken.add(name)
    frame.defined.append((stride, name))
    return name


def _offset(p: Printer, buffer: Buffer, frame: Frame, new: list[tuple[str, str]]) -> str | None:
    """The offset; empty for 0; None where it is a variable of the buffer's own, which an offset factor brings."""
    offset = buffer.elem_offset
    if isinstance(offset, E.IntImm):
        # next to a factor, no offset is a variable
        is_default = offset.value == 0 and offset.dtype is buffer.index_dtype and buffer.offset_factor == 1
        return "" if is_default else p.expr(offset)
    if not isinstance(offset, E.Var) or offset in p.names:
        return p.expr(offset)
    if type(offset) is E.Var and offset.dtype is buffer.index_dtype and _is_part(p, offset, buffer, frame):
        return None
    return _declare(p, offset, frame, new)


@expr_rule(Buffer)
def _buffer(p: Printer, buffer: Buffer, level: int) -> str:
    return p.names.get(buffer) or declare_buffer(p, buffer)


def declare_buffer(p: Printer, buffer: Buffer) -> str:
    """The name of a buffer that nothing has defined: declared in the scope that holds all its uses."""
    frame = p.scope_of(buffer)
    name = p.define(buffer, buffer_hint(buffer), frame)
    is_known = buffer.data in p.names
    text = declaration(p, buffer, p.spelling.decl_buffer if is_known else "Buffer", frame)
    # a view of memory that is known is nothing wrong; memory that is not has a note of its own
    note = p.undefined(buffer, name)
    if note.endswith("undefined here") and (is_known or buffer.data in p.names):
        note = ""
    name_parts(p, buffer, name, frame)
    p.put(frame, f"{name} = {text}{note}")
    return name


def access(p: Printer, buffer: Buffer, indices: tuple[Expr, ...]) -> str:
    """`A[i, j]`; a Ramp of a positive constant stride is a slice."""
    name = p.names.get(buffer) or declare_buffer(p, buffer)
    if p.marks is not None:
        name = p.marks.wrap(buffer, name)
    if not indices:
        return f"{name}[()]"
    rules = p.expr_rules
    texts = [
        _ramp_index(p, index) if type(index) is E.Ramp else rules[type(index)](p, index, 0)
        for index in indices
    ]  # fmt: skip
    return f"{name}[{', '.join(texts)}]"


def _ramp_index(p: Printer, ramp: E.Ramp) -> str:
    base, stride = ramp.base, ramp.stride
    if not isinstance(stride, E.IntImm) or stride.value <= 0:
        return p.expr(ramp)
    length: Expr
    if ramp.lanes < 0 and stride.value > 1:
        length = E.Mul(lanes_value(ramp.lanes, stride.dtype), stride)
    else:
        length = lanes_value(wrap(stride.value * ramp.lanes, stride.dtype), stride.dtype)
    bounds = f"{p.expr(base)}:{sum_text(p, base, length)}"
    return bounds if stride.value == 1 else f"{bounds}:{p.expr(stride)}"


@expr_rule(E.BufferLoad)
def _load(p: Printer, node: E.BufferLoad, level: int) -> str:
    if node.predicate is None:
        if _is_fragment(p, node) and any(type(index) is E.Ramp for index in node.indices):
            return f"{p.tir}BufferLoad({p.expr(node.buffer)}, [{p.exprs(node.indices)}])"
        return access(p, node.buffer, node.indices)
    return f"{p.expr(node.buffer)}.vload([{p.exprs(node.indices)}], predicate={p.expr(node.predicate)})"


@expr_rule(E.BufferRegion)
def _region(p: Printer, node: E.BufferRegion, level: int) -> str:
    name = p.expr(node.buffer)
    if not node.region:
        return f"{name}[()]"
    # one element alone is read as that element
    as_slices = _is_fragment(p, node)
    return f"{name}[{', '.join([_slice(p, item, as_slices) for item in node.region])}]"


def _is_fragment(p: Printer, node: Node) -> bool:
    """Whether the text is this node alone, in the form that reads back: `A[0:4]` is a region then, no vector."""
    return p.scope_root is node and p.options.verbose_expr


def all_slices(p: Printer, buffer: Buffer, bounds: tuple[E.Range, ...]) -> str:
    """`A[0:1, 0:4]`: single elements are slices too."""
    return f"{p.expr(buffer)}[{', '.join([_slice(p, item, True) for item in bounds]) or '()'}]"


def _slice(p: Printer, item: E.Range, as_slice: bool) -> str:
    extent = item.extent
    if type(extent) is E.IntImm and extent.value == 1 and not as_slice:
        return p.expr(item.min)
    return f"{p.expr(item.min)}:{sum_text(p, item.min, extent)}"
