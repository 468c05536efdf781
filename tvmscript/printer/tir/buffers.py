"""Print buffers: declarations, elements, regions."""

from __future__ import annotations

from tvmscript.ir.core import Node, PointerType, PrimType
from tvmscript.ir.core.dtype import INT8, INT32
from tvmscript.ir.tir import Expr
from tvmscript.ir.tir import expr as E
from tvmscript.ir.tir.buffer import DEFAULT_ALIGNMENT, Buffer
from tvmscript.ir.tir.operators import wrap
from tvmscript.ir.tir.scalable_vectors import lanes_value
from tvmscript.printer.errors import NoText
from tvmscript.printer.identifiers import identifier, unused
from tvmscript.printer.literals import string, tuple_text
from tvmscript.printer.printer import Printer, expr_rule
from tvmscript.printer.text_buffer import Frame
from tvmscript.printer.tir.exprs import creation, sum_text


def buffer_hint(buffer: Buffer) -> str:
    """Return the name of the buffer, before it is made unique."""
    return buffer.name or "buffer"


def declaration(
    p: Printer,
    buffer: Buffer,
    function: str,
    frame: Frame,
    *,
    defines_data: bool = True,
    first: str = "",
    shape: str | None = None,
    always_dtype: bool = False,
) -> str:
    """Return the call that makes a buffer: `T.alloc_buffer((16,), "int8", scope="shared")`.

    The call defines the data pointer, unless not `defines_data`, as T.decl_buffer. Variables that only the buffer uses
    are named by it (`A.data`), which `name_parts` does; others are declared in `frame` or further out.
    """
    new: list[tuple[str, str]] = []
    arguments = [first] if first else []
    arguments.append(_shape(p, buffer, frame, new) if shape is None else shape)
    if always_dtype or buffer.dtype is not p.buffer_dtype:
        arguments.append(f'"{p.spelling.dtype(buffer.dtype)}"')
    data = buffer.data
    pointer = p.names.get(data)
    if pointer is None and not defines_data:
        pointer = _declare(p, data, frame, new)
    elif pointer is None and not (has_usual_data(buffer) and _is_part(p, data, buffer, frame)):
        pointer = p.expr(data)
    if pointer is not None:
        arguments.append(f"data={pointer}")
    if buffer.strides:
        arguments.append(f"strides={_strides(p, buffer, function, frame, new)}")
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
    if buffer.layout is not None or buffer.allocated_addr or buffer.is_flat:
        arguments += _placement(p, buffer)
    if len(new) == 1:
        p.insert(frame, f"{new[0][0]} = {new[0][1]}")
    elif new:
        p.insert(frame, f"{', '.join([name for name, _ in new])} = {', '.join([value for _, value in new])}")
    return f"{p.tir}{function}({', '.join(arguments)})"


def _placement(p: Printer, buffer: Buffer) -> list[str]:
    """Return the arguments for layout and address, of the tile level of 0.27. Raises `NoText` in other dialects."""
    if not p.spelling.has_layouts:
        if buffer.layout is None and not buffer.allocated_addr:
            return []
        what = "the layout" if buffer.layout is not None else "the fixed address"
        hint = 'print it with dialect="0.27"'
        raise NoText(what=f"{what} of the buffer {buffer.name} in the dialect {p.spelling.dialect}", hint=hint)
    arguments: list[str] = []
    if buffer.layout is not None or buffer.is_flat:
        arguments.append(f"layout={'None' if buffer.layout is None else p.expr(buffer.layout)}")
    addresses = [p.expr(item) for item in buffer.allocated_addr]
    if addresses:
        text = addresses[0] if len(addresses) == 1 else f"[{', '.join(addresses)}]"
        arguments.append(f"allocated_addr={text}")
    return arguments


def has_usual_data(buffer: Buffer) -> bool:
    """Whether a declaration without `data` has the same data pointer: one to the elements; those of bool are bytes."""
    annotation = buffer.data.pointer_type
    if not isinstance(annotation, PointerType) or not isinstance(annotation.element_type, PrimType):
        return False
    dtype = buffer.dtype
    stored = INT8.with_lanes(dtype.lanes) if dtype.is_bool else dtype
    return annotation.element_type.dtype is stored and type(buffer.data) is E.Var


def name_parts(p: Printer, buffer: Buffer, name: str, frame: Frame) -> None:
    """Name the variables that the buffer defines by it: `A.data`, `A.strides[0]`, `A.elem_offset`."""
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
    return tuple_text(texts)


def _declare(p: Printer, var: E.Var, frame: Frame, new: list[tuple[str, str]]) -> str:
    """Declare a variable before the declaration, or in an outer scope if it is also used there."""
    if frame.node is not p.scope_root and p.is_outer(p.scope_of(var), frame):
        return p.expr(var)
    name = p.define(var, var.name or "v", frame)
    new.append((name, creation(p, var)))
    return name


def _is_part(p: Printer, var: E.Var, buffer: Buffer, frame: Frame) -> bool:
    """Whether no other part of the buffer and nothing outside of the scope uses the variable."""
    uses = sum(var is other for other in (buffer.data, buffer.elem_offset, *buffer.shape, *buffer.strides))
    if uses != 1 or any(_uses(part, var) for part in (buffer.elem_offset, *buffer.shape, *buffer.strides)):
        return False
    return frame.node is p.scope_root or frame is p.frames[0] or not p.is_outer(p.scope_of(var), frame)


def _uses(part: Expr, var: E.Var) -> bool:
    if part is var or isinstance(part, (E.IntImm, E.Var)):
        return False
    return any(item is var for item in _variables(part))


def _variables(part: Node) -> list[Node]:
    variables: list[Node] = []
    stack: list[Node] = [part]
    while stack:
        node = stack.pop()
        if node.is_name:
            variables.append(node)
            continue
        for name in node.schema.walked:
            value = getattr(node, name)
            stack += [child for child in (value if isinstance(value, tuple) else (value,)) if isinstance(child, Node)]
    return variables


def _strides(p: Printer, buffer: Buffer, function: str, frame: Frame, new: list[tuple[str, str]]) -> str:
    quoted = buffer.index_dtype if function == "match_buffer" or not p.spelling.strides_take_names else INT32
    texts: list[str] = []
    for stride in buffer.strides:
        if not isinstance(stride, E.Var) or stride in p.names:
            texts.append(p.expr(stride))
        elif type(stride) is E.Var and stride.dtype is quoted and _is_part(p, stride, buffer, frame):
            texts.append(string(_stride_name(p, stride, frame)))
        else:
            texts.append(_declare(p, stride, frame, new))
    return tuple_text(texts)


def _stride_name(p: Printer, stride: E.Var, frame: Frame) -> str:
    """Return the name of a stride in quotation marks."""
    if not p.spelling.strides_take_names:
        return stride.name
    name = unused(identifier(stride.name) or "v", p.taken)
    p.taken.add(name)
    frame.defined.append((stride, name))
    return name


def _offset(p: Printer, buffer: Buffer, frame: Frame, new: list[tuple[str, str]]) -> str | None:
    """Return the offset, empty for 0, None for a variable that the offset factor defines."""
    offset = buffer.elem_offset
    if isinstance(offset, E.IntImm):
        # without an offset, a factor defines a variable
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
    """Declare an undefined buffer in the scope that holds all its uses, and return its name."""
    frame = p.scope_of(buffer)
    name = p.define(buffer, buffer_hint(buffer), frame)
    has_data = buffer.data in p.names
    text = declaration(p, buffer, p.spelling.decl_buffer if has_data else "Buffer", frame)
    # a view of defined memory is no error; undefined memory has a note of its own
    note = p.undefined_note(buffer, name)
    if note.endswith("undefined here") and (has_data or buffer.data in p.names):
        note = ""
    name_parts(p, buffer, name, frame)
    p.insert(frame, f"{name} = {text}{note}")
    return name


def access(p: Printer, buffer: Buffer, indices: tuple[Expr, ...]) -> str:
    """Return `A[i, j]`; a Ramp with a positive constant stride is a slice."""
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
    # one element is read as that element
    as_slices = _is_fragment(p, node)
    return f"{name}[{', '.join([_slice(p, item, as_slices) for item in node.region])}]"


def _is_fragment(p: Printer, node: Node) -> bool:
    """Whether the text is only this node, in the form that reads back: there `A[0:4]` is a region, not a vector."""
    return p.scope_root is node and p.options.verbose_expr


def all_slices(p: Printer, buffer: Buffer, bounds: tuple[E.Range, ...]) -> str:
    """Return `A[0:1, 0:4]`: single elements are slices too."""
    return f"{p.expr(buffer)}[{', '.join([_slice(p, item, True) for item in bounds]) or '()'}]"


def _slice(p: Printer, item: E.Range, as_slice: bool) -> str:
    extent = item.extent
    if type(extent) is E.IntImm and extent.value == 1 and not as_slice:
        return p.expr(item.min)
    return f"{p.expr(item.min)}:{sum_text(p, item.min, extent)}"
