"""TIR of TVM 0.27: forms that differ from those of 0.17.

Allocations, views, `let` and assertions hold to the end of the body around them. Unique names keep them apart
from statements that were outside of their scope. `NoText` is raised for what 0.27 cannot express.
"""

from __future__ import annotations

from typing import Any

from tvmscript.ir.arith.buffer_layout import allocation_shape
from tvmscript.ir.arith.fold import is_const, is_true
from tvmscript.ir.arith.sums.linear_form import is_index_dtype
from tvmscript.ir.arith.value_numbering import expr_deep_equal
from tvmscript.ir.core import INT32, GlobalVar, Op, PointerType, PrimType, nodes
from tvmscript.ir.core.values.nan import nan_text
from tvmscript.ir.tir import BufferRealize, Expr, Prefetch, Stmt
from tvmscript.ir.tir import expr as E
from tvmscript.ir.tir import stmt as S
from tvmscript.ir.tir.buffer import DEFAULT_ALIGNMENT, Buffer
from tvmscript.ir.tir.expr import Call, IntImm, IterVar, StringImm, Var
from tvmscript.ir.tir.intrin.intrinsic import Intrinsic
from tvmscript.ir.tir.intrin.matrix import element_dtype
from tvmscript.ir.tir.operators import LARGEST_FLOAT32
from tvmscript.printer.attribute_values import dictionary, value
from tvmscript.printer.errors import NoText
from tvmscript.printer.literals import float_digits, string
from tvmscript.printer.printer import Printer
from tvmscript.printer.tir import stmts
from tvmscript.printer.tir.buffers import buffer_hint, declaration, declare_buffer, name_parts
from tvmscript.printer.tir.calls import call_text
from tvmscript.printer.tir.exprs import BIT_AND, BIT_OR, BIT_XOR, SHIFT, UNARY
from tvmscript.printer.tir.loops import annotations_argument, write_loop
from tvmscript.printer.v0_27.attribute_values import python_value
from tvmscript.printer.v0_27.dialect import expr_rule, stmt_rule
from tvmscript.printer.v0_27.spelling import NAMESPACED, PRIM, REMOVED, RENAMED, TYPED_NAMESPACED, UNNAMED
from tvmscript.printer.v0_27.views import view_text


def digits(number: float) -> str:
    """Return a finite float as a literal of 0.27."""
    text = float_digits(number) if number == 0.0 or not number.is_integer() else f"{number:.1f}"
    return "0.0" if text == "0" else text


@expr_rule(E.FloatImm)
def _float(p: Printer, node: E.FloatImm, level: int) -> str:
    number, dtype = node.value, p.spelling.dtype(node.dtype)
    if number != number or number in (float("inf"), float("-inf")):
        # TVM knows no payloads of nan; without one the text is what it writes
        text = f'"{nan_text(node.dtype, number)}"' if number != number else '"inf"' if number > 0 else '"-inf"'
    else:
        text = digits(number)
        if abs(number) > LARGEST_FLOAT32:  # T.float64 accepts no larger ones
            return f'{p.tir}FloatImm("{dtype}", {number!r})'
    return text if dtype == p.float_dtype and text[0] != '"' else f"{p.tir}{dtype}({text})"


@expr_rule(E.IntImm)
def _int(p: Printer, node: E.IntImm, level: int) -> str:
    dtype, number = node.dtype, node.value
    if dtype is p.int_dtype:
        return str(number)
    if dtype.bits not in _CONSTRUCTED:
        return f'{p.tir}IntImm("{dtype}", {number})'
    if number > _LARGEST_INT64:  # beyond the literals of 0.27
        return f'{p.tir}Cast("{dtype}", {p.tir}int64({number - (1 << 64)}))'
    return f"{p.tir}{dtype}({bool(number) if dtype.is_bool else number})"


_LARGEST_INT64 = (1 << 63) - 1
#: widths of integers that have a constructor in T
_CONSTRUCTED = frozenset((1, 8, 16, 32, 64))


@expr_rule(E.BufferLoad)
def _load(p: Printer, node: E.BufferLoad, level: int) -> str:
    buffer = p.names.get(node.buffer) or declare_buffer(p, node.buffer)
    if node.buffer in p.scalars:
        return buffer
    indices = p.exprs(node.indices)
    if node.predicate is not None:
        dtype = _dtype(p, node.dtype)
        return f"{p.tir}masked_load({dtype}, {buffer}, {indices}, {p.expr(node.predicate)})"
    return f"{buffer}[{indices or '()'}]"


def _dtype(p: Printer, dtype: Any) -> str:
    """Return a dtype as an argument; that of a pointer is the type of a variable."""
    return f"{p.tir}handle().ty" if dtype == "handle" else f'"{p.spelling.dtype(dtype)}"'


_NOT = "tir.bitwise_not"
#: operator -> its sign, precedence, and name of the node
_INFIX = {
    "tir.bitwise_or": ("|", BIT_OR, "BitwiseOr"),
    "tir.bitwise_xor": ("^", BIT_XOR, "BitwiseXor"),
    "tir.bitwise_and": ("&", BIT_AND, "BitwiseAnd"),
    "tir.shift_left": ("<<", SHIFT, "LShift"),
    "tir.shift_right": (">>", SHIFT, "RShift"),
}


@expr_rule(Call)
def _call(p: Printer, node: Call, level: int) -> str:
    op, args = node.op, node.args
    if not isinstance(op, Op):
        if p.names.get(op) is not None and p.result_dtypes.get(op) is node.dtype:
            return call_text(p, node)
        if isinstance(op, GlobalVar) and op not in p.names:
            raise NoText(what=f"a call of {op.name_hint}, which is not in the text, in the dialect 0.27")
        return f"{p.tir}Call({p.expr(op)}, [{p.exprs(args)}], ret_ty={_result(p, node)})"
    name = op.name
    infix = _INFIX.get(name)
    if infix is not None and node.dtype is args[0].dtype is args[1].dtype:
        return _infix(p, args, level, *infix)
    if name == _NOT and node.dtype is args[0].dtype:
        if isinstance(args[0], IntImm):
            return f"{p.tir}BitwiseNot({p.expr(args[0])})"
        return f"~{p.expr(args[0], UNARY)}"
    if op.dialect:
        return _instruction(p, node, op)
    if name in REMOVED:
        raise NoText(what=f"the operator {name} in the dialect 0.27")
    if name in NAMESPACED:
        return f"{p.tir}{NAMESPACED[name]}({p.exprs(args)})"
    if name in TYPED_NAMESPACED:
        typed = [] if _is_legacy_mma(node) else [_dtype(p, node.dtype)]
        return f"{p.tir}{TYPED_NAMESPACED[name]}({', '.join([*typed, *map(p.expr, args)])})"
    if name == "tir.call_ffi_kernel" and args and isinstance(args[-1], Call):
        axes = p.exprs(args[-1].args)  # a tuple of strings
        return (
            f"{p.tir}call_ffi_kernel({p.exprs(args[:-1])}, launch_params=[{axes}], "
            f"ret_ty={_dtype(p, node.dtype)})"
        )  # fmt: skip
    if name in RENAMED and node.dtype is RENAMED[name][1]:
        return f"{p.tir}{RENAMED[name][0]}({p.exprs(args)})"
    if isinstance(op, Intrinsic) and name not in UNNAMED:
        if op.dtype_position != "none":
            return _typed_call(p, node, op, _dtype(p, node.dtype))
        text = call_text(p, node)
        if not text.startswith((f"{p.tir}Call(", f"{p.tir}tir.")):
            return text
    if name.startswith(Op.CUSTOM):
        return call_text(p, node)
    full = f"prim.{name[4:]}" if name in PRIM else f"tirx.{name[4:]}"
    return f"{p.tir}call_intrin({', '.join([_dtype(p, node.dtype), string(full), *map(p.expr, args)])})"


def _is_legacy_mma(node: Call) -> bool:
    """Whether this is a product whose dtype is that of its accumulator, which 0.27 leaves out."""
    return (
        getattr(node.op, "name", "") == "tir.ptx_mma"
        and len(node.args) > 5
        and element_dtype(node.args[5]) is node.dtype
    )


def _instruction(p: Printer, node: Call, op: Any) -> str:
    """Return the call of a device instruction: `T.cuda.ldg(A.data, "float32")`."""
    keywords = [param.name for param in op.params if param.is_keyword]
    split = len(node.args) - len(keywords)
    arguments = [p.expr(item) for item in node.args[:split]]
    arguments += [f"{name}={p.expr(item)}" for name, item in zip(keywords, node.args[split:], strict=True)]
    if op.result == "dtype_first":
        arguments.insert(0, _dtype(p, node.dtype))
    if op.result == "return_type" and node.dtype != "void":
        arguments.append(f"return_type={_dtype(p, node.dtype)}")
    return f"{p.tir}{op.path}({', '.join(arguments)})"


def _result(p: Printer, node: Call) -> str:
    return f"{p.tir}Tuple()" if node.dtype == "void" else f"{p.tir}{p.spelling.dtype(node.dtype)}().ty"


def _typed_call(p: Printer, node: Call, op: Intrinsic, dtype: str) -> str:
    """Return a call with its dtype as an argument."""
    args = [p.expr(arg) for arg in node.args]
    args.insert(0 if op.dtype_position == "first" else len(args), dtype)
    return f"{p.tir}{op.script_name}({', '.join(args)})"


def pointer_text(p: Printer, var: Var, pointer: Expr) -> str:
    """Return the text of a pointer, which states the type of the variable that it initializes."""
    kind = var.pointer_type
    if isinstance(kind, PointerType) and isinstance(pointer, Call):
        op = pointer.op
        if isinstance(op, Intrinsic) and op.dtype_position != "none" and op.name not in TYPED_NAMESPACED:
            return _typed_call(p, pointer, op, f"{p.expr(kind)}.ty")
    return p.expr(pointer)


def _infix(p: Printer, args: tuple[Expr, ...], level: int, sign: str, own: int, explicit: str) -> str:
    a, b = args
    if isinstance(b, IntImm) and (isinstance(a, IntImm) or (own == SHIFT and b.value == 0 and is_index_dtype(a.dtype))):
        return f"{p.tir}{explicit}({p.expr(a)}, {p.expr(b)})"
    text = f"{p.expr(a, own)} {sign} {p.expr(b, own + 1)}"
    return f"({text})" if level > own else text


@expr_rule(E.Cast)
def _cast(p: Printer, node: E.Cast, level: int) -> str:
    value = node.value
    if node.dtype == "uint64" and isinstance(value, E.IntImm) and value.dtype == "int64" and value.value < 0:
        # by position it is a constant beyond the literals of 0.27
        return f'{p.tir}Cast(dtype="uint64", value={p.expr(value)})'
    return f"{p.tir}Cast({_dtype(p, node.dtype)}, {p.expr(value)})"


@expr_rule(Buffer)
def _buffer(p: Printer, buffer: Buffer, level: int) -> str:
    return p.names.get(buffer) or declare_buffer(p, buffer)


# statements


def write_rest(p: Printer, body: Stmt) -> None:
    """Write the body of a statement in the same scope as the statement."""
    frame, rules = p.frames[-1], p.stmt_rules
    frame.concise = False
    if type(body) is S.SeqStmt:
        for part in body.seq[:-1]:
            frame.mark = len(p.lines)
            rules[type(part)](p, part)
        body = body.seq[-1]
    elif _is_empty(body) and not (p.notes is not None and p.notes.has_any(body)):
        return
    frame.mark = len(p.lines)
    rules[type(body)](p, body)


def _is_empty(body: Stmt) -> bool:
    """Whether the statement is the `T.evaluate(0)` of an empty body."""
    value = body.value if isinstance(body, S.Evaluate) else None
    return isinstance(value, IntImm) and value.value == 0 and value.dtype is INT32


@stmt_rule(S.Evaluate)
def _evaluate(p: Printer, node: S.Evaluate) -> None:
    call = node.value
    if isinstance(call, Call) and isinstance(call.op, Op) and (call.op.name in _INFIX or call.op.name == _NOT):
        p.write(f"{p.tir}evaluate({p.expr(call)})")
    else:
        stmts.evaluate(p, node)


@stmt_rule(S.IfThenElse)
def _if(p: Printer, node: S.IfThenElse) -> None:
    condition = node.condition
    if isinstance(condition, E.NE) and isinstance(condition.a, Call) and is_const(condition.b, 0):
        op = condition.a.op
        if isinstance(op, Op) and op.dialect:
            condition = condition.a  # read as this comparison
    stmts.branches(p, node, condition)


@stmt_rule(S.LetStmt)
def _let(p: Printer, node: S.LetStmt) -> None:
    var = node.var
    if _is_pointer_of_declaration(node):
        body: Any = node.body
        buffer = body.buffer
        pointer = pointer_text(p, var, node.value)
        _declare(p, buffer, "decl_buffer", pointer)
        write_rest(p, body.body)
        return
    text = pointer_text(p, var, node.value)
    name = p.names.get(var)
    if name is not None:
        p.write(f"{p.tir}bind({text}, var={name})")
    else:
        kind = variable_type(p, var)
        p.write(f"{p.define(var, var.name or 'v')}: {p.tir}let[{kind}] = {text}")
    write_rest(p, node.body)


def variable_type(p: Printer, var: Var) -> str:
    """Return the type annotation of a variable."""
    annotation = var.pointer_type
    if annotation is not None and not isinstance(annotation, PrimType):
        return p.expr(annotation)
    return f"{p.tir}{p.spelling.dtype(var.dtype)}"


def _is_pointer_of_declaration(node: S.LetStmt) -> bool:
    """Whether the variable is only the data of the buffer that is declared next, as made by reading `data=`."""
    body = node.body
    return (
        isinstance(body, S.DeclBuffer)
        and body.buffer.data is node.var
        and node.var.name == body.buffer.name
        and not isinstance(node.value, Var)
    )


@stmt_rule(S.AssertStmt)
def _assert(p: Printer, node: S.AssertStmt) -> None:
    message = node.message
    if not isinstance(message, StringImm):
        raise NoText(what="an assertion whose message is no string in the dialect 0.27")
    kind, *parts = _message_parts(message.value, node.parts)
    p.write(f"assert {p.expr(node.condition)}, ({string(kind)}, [{', '.join(map(string, parts))}])")
    write_rest(p, node.body)


def _message_parts(message: str, parts: tuple[str, ...]) -> tuple[str, ...]:
    """Return the kind of error of an assertion and its message in parts: those that were read, or one."""
    said = "".join(parts[1:])
    if parts and message == (said if parts[0] == "RuntimeError" else f"{parts[0]}: {said}"):
        return parts
    kind, colon, rest = message.partition(": ")
    return (kind, rest) if colon and kind in _ERRORS else ("RuntimeError", message)


_ERRORS = frozenset(("TypeError", "ValueError", "IndexError", "AssertionError", "AttributeError", "KeyError"))


def _declare(p: Printer, buffer: Buffer, function: str, pointer: str | None = None) -> None:
    """Write `A = T.decl_buffer(...)`, whose data is the pointer."""
    frame = p.frames[-1]
    name = p.define(buffer, buffer_hint(buffer))
    if pointer is not None:
        p.define_as(buffer.data, pointer, frame)
    call = declaration(p, buffer, function, frame, defines_data=False)
    if pointer is not None:
        p.define_as(buffer.data, f"{name}.data", frame)
    name_parts(p, buffer, name, frame)
    p.write(f"{name} = {call}")


@stmt_rule(S.DeclBuffer)
def _decl_buffer(p: Printer, node: S.DeclBuffer) -> None:
    buffer = node.buffer
    view = view_text(p, buffer)
    if view is not None:
        name = p.define(buffer, buffer_hint(buffer))
        p.write(f"{name} = {view}")
    else:
        _declare(p, buffer, "decl_buffer")
        name = p.names[buffer]
    # the data is named by the buffer that was declared last
    data = buffer.data
    previous, owner = p.names[data], p.owners.get(data)
    if owner is not None and previous == f"{p.names.get(owner)}.data":
        p.names[data], p.owners[data] = f"{name}.data", buffer
        write_rest(p, node.body)
        p.names[data], p.owners[data] = previous, owner
    else:
        write_rest(p, node.body)


#: scope -> the function that allocates in it
_ALLOCATIONS = {"shared": "alloc_shared", "local": "alloc_local"}


@stmt_rule(S.Allocate)
def _allocate(p: Printer, node: S.Allocate) -> None:
    if not is_true(node.condition):
        raise NoText(what="a conditional allocation in the dialect 0.27")
    body = node.body
    if isinstance(body, S.DeclBuffer) and _is_allocated(node, body.buffer):
        buffer, rest = body.buffer, body.body
    else:
        buffer, rest = _buffer_of(node), body
    if buffer in p.scalars:
        _scalar(p, buffer, rest)
        return
    frame = p.frames[-1]
    scope = buffer.storage_scope
    function = _ALLOCATIONS.get(scope, "alloc_buffer")
    call = declaration(p, buffer, function, frame)
    if function != "alloc_buffer":
        call = call.replace(f", scope={string(scope)}", "")
    if node.annotations:
        call = f"{call[:-1]}, annotations={dictionary(p, node.annotations)})"
    name = p.define(buffer, buffer_hint(buffer))
    name_parts(p, buffer, name, frame)
    p.write(f"{name} = {call}")
    write_rest(p, rest)


def _scalar(p: Printer, buffer: Buffer, rest: Stmt) -> None:
    """Write `x: T.float32 = value`, or `x: T.float32` where the first statement sets nothing."""
    name = p.define(buffer, buffer_hint(buffer))
    text = f"{name}: {p.tir}{p.spelling.dtype(buffer.dtype)}"
    first, *others = rest.seq if isinstance(rest, S.SeqStmt) else (rest,)
    is_set = isinstance(first, S.BufferStore) and first.buffer is buffer and buffer not in nodes(first.value)
    if isinstance(first, S.BufferStore) and is_set and not (p.notes is not None and p.notes.has_any(first)):
        p.write(f"{text} = {p.expr(first.value)}")
        rest = S.seq(*others)
    else:
        p.write(text)
    write_rest(p, rest)


def _is_allocated(node: S.Allocate, buffer: Buffer) -> bool:
    """Whether an allocation of the buffer is this allocation."""
    if buffer.data is not node.buffer_var or node.dtype is not buffer.dtype:
        return False
    extents = allocation_shape(buffer)
    return len(extents) == len(node.extents) and all(
        expr_deep_equal(a, b) for a, b in zip(node.extents, extents, strict=True)
    )


def _buffer_of(node: S.Allocate) -> Buffer:
    """Return a buffer for memory without one."""
    index = node.extents[0].dtype if node.extents else "int32"
    return Buffer(
        node.buffer_var, node.dtype, node.extents, (), IntImm(index, 0), node.buffer_var.name, DEFAULT_ALIGNMENT, 1
    )


@stmt_rule(S.AllocateConst, BufferRealize, Prefetch)
def _refuse(p: Printer, node: Stmt) -> None:
    raise NoText(what=f"a statement {type(node).__name__} in the dialect 0.27")


@stmt_rule(S.BufferStore)
def _store(p: Printer, node: S.BufferStore) -> None:
    if node.buffer in p.scalars:
        p.write(f"{p.names[node.buffer]} = {p.expr(node.value)}")
        return
    if node.predicate is None:
        stmts.store(p, node)
        return
    buffer = p.names.get(node.buffer) or declare_buffer(p, node.buffer)
    indices = p.exprs((*node.indices, node.predicate))
    p.write(f"{p.tir}masked_store({buffer}, {p.expr(node.value)}, {indices})")


@stmt_rule(S.AttrStmt)
def _attr(p: Printer, node: S.AttrStmt) -> None:
    subject = node.node
    if node.attr_key == "tirx_hint" and isinstance(subject, dict) and is_true(node.value):
        facts = dict(subject)
        arguments = [value(p, facts.pop("message"))] if facts.get("message") else []
        arguments += [f"{name}={python_value(p, item)}" for name, item in facts.items()]
        stmts.write_scoped(p, node, node.body, f"{p.tir}hint({', '.join(arguments)})", concise=False)
        return
    if isinstance(subject, dict):
        raise NoText(what=f"an attribute {node.attr_key} of a dictionary in the dialect 0.27")
    if isinstance(subject, IterVar) or not _is_zero(subject):
        stmts.attr(p, node)
        return
    entries: list[str] = []
    last: Stmt = node
    inner: Stmt = node
    while isinstance(inner, S.AttrStmt) and _is_zero(inner.node):
        entries.append(f"{string(p.spelling.key(inner.attr_key))}: {_attribute(p, inner.value)}")
        last, inner = inner, inner.body
    stmts.write_scoped(p, last, inner, f"{p.tir}attr({{{', '.join(entries)}}})", p.is_concise(node))


def _attribute(p: Printer, item: Expr) -> str:
    return string(item.value) if isinstance(item, StringImm) else value(p, item)


def _is_zero(subject: object) -> bool:
    return isinstance(subject, IntImm) and subject.value == 0 and subject.dtype == "int32"


@stmt_rule(S.For)
def _for(p: Printer, node: S.For) -> None:
    write_loop(p, node, _loop_annotations)


def _loop_annotations(p: Printer, node: S.For) -> str:
    unroll = _unroll(node)
    return annotations_argument(p, node) if unroll is None else f", unroll={unroll}"


def _unroll(node: S.For) -> int | bool | None:
    """Return the value of `unroll=` if it expresses the only annotation of a loop."""
    if len(node.annotations) != 1 or node.thread_binding is not None:
        return None
    [(key, item)] = node.annotations.items()
    if type(item) is not IntImm or item.value < 1:
        return None
    if key == "disable_unroll" and item.dtype.is_bool:
        return False
    return (True if item.dtype.is_bool else item.value) if key == "pragma_unroll" else None
