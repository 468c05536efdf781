"""Define tensors: `placeholder`, `compute`, `scan`, `extern`, `extern_primfunc`, and their variables and axes."""

from __future__ import annotations

import inspect
import linecache
from collections.abc import Callable, Iterable, Mapping, Sequence
from types import CodeType, TracebackType
from typing import Any, ClassVar, ParamSpec, TypeVar, overload

from tvmscript.ir.core import DType, Span, TVMScriptError
from tvmscript.ir.core.equality.equal import structural_equal
from tvmscript.ir.core.errors import WrongType
from tvmscript.ir.core.span import Source
from tvmscript.ir.core.visit import nodes
from tvmscript.ir.te.errors import InvalidCompute, InvalidOperation, InvalidReduction
from tvmscript.ir.te.generator import evaluate
from tvmscript.ir.te.tensor import (
    ComputeOp,
    Extent,
    ExternOp,
    PlaceholderOp,
    ScanOp,
    Shape,
    Tensor,
    TensorComputeOp,
    as_shape,
)
from tvmscript.ir.te.tensor_intrin import TensorIntrinCall
from tvmscript.ir.tir import (
    Buffer,
    BufferLoad,
    BufferStore,
    Evaluate,
    Expr,
    IterKind,
    IterVar,
    PrimFunc,
    Range,
    SizeVar,
    Stmt,
    Var,
    as_expr,
    make_buffer,
)
from tvmscript.ir.tir import const as _const
from tvmscript.ir.tir.buffer import Operand
from tvmscript.ir.tir.te_nodes import Reduce

P = ParamSpec("P")
R = TypeVar("R")
Attrs = Mapping[str, Any]
Tensors = Tensor | Iterable[Tensor]
Buffers = Buffer | Sequence[Buffer]
#: of all outputs, or of each
DTypes = DType | str | Sequence[DType | str]
#: `end`, or `(begin, end)`
Domain = Range | Extent | tuple[Extent, Extent] | list[Extent]

#: buffers of the inputs and of the outputs -> what computes the outputs
ExternBody = Callable[[list[Buffer], list[Buffer]], Stmt | Expr]


class TagScope:
    """A context in which operations have a tag; also a decorator of functions that define operations."""

    _current: ClassVar[list[TagScope]] = []

    def __init__(self, tag: str) -> None:
        self.tag = tag

    def __enter__(self) -> TagScope:
        if TagScope._current:
            raise InvalidOperation(where="tag_scope", reason="tag scopes are not nested")
        TagScope._current.append(self)
        return self

    def __exit__(self, *error: object) -> None:
        TagScope._current.pop()

    def __call__(self, function: Callable[P, R]) -> Callable[P, R]:
        def tagged(*args: P.args, **kwargs: P.kwargs) -> R:
            with self:
                return function(*args, **kwargs)

        return tagged

    @staticmethod
    def get_current() -> TagScope | None:
        """Return the scope around."""
        return TagScope._current[-1] if TagScope._current else None


def tag_scope(tag: str) -> TagScope:
    """Return a context in which operations have a tag."""
    return TagScope(tag)


def _tag(tag: str) -> str:
    """Return the tag of a new operation. Raises `InvalidOperation` for one inside of a tag scope."""
    scope = TagScope.get_current()
    if scope is None:
        return tag
    if tag:
        raise InvalidOperation(where="tag_scope", reason=f"an operation has the tag {tag!r} of its own")
    return scope.tag


def var(name: str = "tindex", dtype: DType | str = "int32", span: Span | None = None) -> Any:
    """Return a variable. Type checkers see no type: `range(n)` takes it in a reduction."""
    return Var(name, dtype, span=span)


def size_var(name: str = "size", dtype: DType | str = "int32", span: Span | None = None) -> Any:
    """Return a variable that is at least 0."""
    return SizeVar(name, dtype, span=span)


def const(value: float, dtype: DType | str = "int32", span: Span | None = None) -> Expr:
    """Return a constant."""
    return _const(value, dtype, span)


def reduce_axis(dom: Domain, name: str = "rv", thread_tag: str = "", span: Span | None = None) -> IterVar:
    """Return an axis of a reduction: `reduce_axis((0, K), "k")`."""
    domain = _range(dom)
    assert domain is not None
    return IterVar(domain, Var(name, domain.extent.dtype), IterKind.COMM_REDUCE, thread_tag, span=span)


def thread_axis(dom: Domain | str | None = None, tag: str = "", name: str = "", span: Span | None = None) -> IterVar:
    """Return a thread index: `thread_axis((0, 16), "threadIdx.x")`, `thread_axis("threadIdx.x")`."""
    if isinstance(dom, str):
        tag = dom
        dom = None
    if not tag:
        raise WrongType(where="te.thread_axis", expected="a tag such as threadIdx.x", got=repr(tag))
    domain = _range(dom)
    dtype = "int32" if domain is None else domain.extent.dtype
    return IterVar(domain, Var(name or tag, dtype), IterKind.THREAD_INDEX, tag, span=span)


def _range(dom: Domain | None) -> Range | None:
    if isinstance(dom, (tuple, list)):
        if len(dom) != 2:
            raise WrongType(where="a domain", expected="a pair (begin, end)", got=repr(dom))
        return Range(*dom)
    return dom if dom is None or isinstance(dom, Range) else Range(dom)


def placeholder(shape: Shape, dtype: DType | str | None = None, name: str = "placeholder") -> Tensor:
    """Return a tensor that is an input, of float32 where no dtype is given."""
    return PlaceholderOp(name, "", {}, as_shape(shape, "te.placeholder"), DType(dtype or "float32")).outputs[0]


@overload
def compute(
    shape: Shape,
    fcompute: Callable[..., Operand],
    name: str = "compute",
    tag: str = "",
    attrs: Attrs | None = None,
    varargs_names: Sequence[str] | None = None,
) -> Tensor: ...
@overload
def compute(
    shape: Shape,
    fcompute: Callable[..., Sequence[Operand]],
    name: str = "compute",
    tag: str = "",
    attrs: Attrs | None = None,
    varargs_names: Sequence[str] | None = None,
) -> tuple[Tensor, ...]: ...
@overload
def compute(
    shape: Shape,
    fcompute: Callable[..., TensorIntrinCall],
    name: str = "compute",
    tag: str = "",
    attrs: Attrs | None = None,
    varargs_names: Sequence[str] | None = None,
) -> Tensor | tuple[Tensor, ...]: ...
def compute(
    shape: Shape,
    fcompute: Callable[..., Any],
    name: str = "compute",
    tag: str = "",
    attrs: Attrs | None = None,
    varargs_names: Sequence[str] | None = None,
) -> Tensor | tuple[Tensor, ...]:
    """Return the tensor whose elements a function of the indices gives: `compute((n,), lambda i: A[i] + B[i])`.

    A function that returns several expressions gives several tensors, one that returns a call of a tensor intrinsic
    (`decl_tensor_intrin`) takes fewer indices. A reduction is the whole value: `te.sum(A[i, k], axis=k)`, or
    `te.sum(A[i, k] for k in range(K))`. Errors point at the line of the function. Raises `InvalidCompute`,
    `InvalidReduction`, `InvalidGenerator`.
    """
    tag = _tag(tag)
    extents = as_shape(shape, f"te.compute({name})")
    names = _axis_names(fcompute, len(extents), name, varargs_names)
    axes = [_axis(extent, axis_name) for axis_name, extent in zip(names, extents, strict=False)]
    try:
        body = evaluate(fcompute, [axis.var for axis in axes])
        if isinstance(body, TensorIntrinCall):
            axes += [_axis(extent, f"ax{i}", IterKind.OPAQUE) for i, extent in enumerate(extents[len(axes) :])]
            op = TensorComputeOp(
                name, tag, dict(attrs or {}), tuple(axes), body.reduce_axis, len(names), body.intrin, body.tensors,
                body.regions, body.scalar_inputs,
            )  # fmt: skip
            return op.outputs[0] if len(op.outputs) == 1 else op.outputs
        if len(axes) != len(extents):
            _refuse_rank(name, len(names), len(extents))
        values = tuple([as_expr(value) for value in (body if isinstance(body, (list, tuple)) else (body,))])
        _check_values(name, values)
    except TVMScriptError as error:
        if error.span is None:
            error.span = span_of_failure(error.__traceback__, fcompute)
        raise
    outputs = ComputeOp(name, tag, dict(attrs or {}), tuple(axes), values).outputs
    return outputs[0] if len(outputs) == 1 else outputs


def _axis(extent: Expr, name: str, kind: IterKind = IterKind.DATA_PAR) -> IterVar:
    return IterVar(Range.from_extent(extent), Var(name, extent.dtype), kind)


def _axis_names(
    function: Callable[..., object], rank: int, name: str, varargs_names: Sequence[str] | None
) -> list[str]:
    """Return names for the axes: those of the function's parameters. Raises `InvalidCompute`."""
    spec = inspect.getfullargspec(function)
    args = spec.args[1:] if inspect.ismethod(function) else spec.args
    if spec.varkw or spec.defaults or spec.kwonlyargs:
        got = "parameters with defaults or keywords"
        raise InvalidCompute(name=name, got=got, expected=f"{rank} dimensions", span=_span_of(function))
    if spec.varargs is None and args:
        if len(args) > rank:
            _refuse_rank(name, len(args), rank, _span_of(function))
        return args
    rest = rank - len(args)
    if spec.varargs is not None and varargs_names is not None:
        if len(varargs_names) != rest:
            got = f"{len(varargs_names)} varargs_names"
            raise InvalidCompute(name=name, got=got, expected=f"{rest} dimensions for them", span=_span_of(function))
        return [*args, *varargs_names]
    return [*args, *(f"i{i}" for i in range(rest))]


def _refuse_rank(name: str, count: int, rank: int, span: Span | None = None) -> None:
    raise InvalidCompute(name=name, got=f"{count} indices", expected=f"{rank} dimensions", span=span)


def _check_values(name: str, values: tuple[Expr, ...]) -> None:
    """Raise `InvalidReduction` for reductions inside of expressions, and for outputs that are reduced differently."""
    first = values[0]
    for index, value in enumerate(values):
        if isinstance(value, Reduce) is not isinstance(first, Reduce):
            raise InvalidReduction(name=name, reason="some outputs are reductions, others are not")
        parts = [*value.source, value.condition, *value.init] if isinstance(value, Reduce) else [value]
        if any(isinstance(node, Reduce) for part in parts for node in nodes(part)):
            raise InvalidReduction(name=name, reason="a reduction is a part of an expression")
        if isinstance(value, Reduce) and isinstance(first, Reduce):
            alike = value.axis == first.axis and len(values) == len(value.source) and value.value_index == index
            if not (alike and structural_equal(value.combiner, first.combiner, map_free_vars=True)):
                raise InvalidReduction(name=name, reason="the outputs are not the results of one reduction")


def _codes(code: CodeType) -> set[CodeType]:
    """Return the code of a function and of the functions inside of it."""
    return {code, *(inner for value in code.co_consts if isinstance(value, CodeType) for inner in _codes(value))}


def _span_of(function: Callable[..., object]) -> Span | None:
    """Return where a function begins."""
    code = getattr(function, "__code__", None)
    return None if code is None else _line_span(code.co_filename, code.co_firstlineno)


def _line_span(path: str, line: int, columns: tuple[int, int] | None = None) -> Span | None:
    text = linecache.getline(path, line).rstrip("\n")
    if not text:
        return None
    begin, end = columns or (len(text) - len(text.lstrip()), len(text))
    return Span(Source(text, path, line), line, begin + 1, line, end + 1)


def span_of_failure(traceback: TracebackType | None, function: Callable[..., object]) -> Span | None:
    """Return the expression of a function, or of a function inside of it, that raised an error."""
    code = getattr(function, "__code__", None)
    span = _span_of(function)
    codes: set[CodeType] = set() if code is None else _codes(code)
    while traceback is not None:
        frame = traceback.tb_frame
        if frame.f_code in codes:
            line, end_line, begin, end = list(frame.f_code.co_positions())[traceback.tb_lasti // 2]
            columns = (begin, end) if line == end_line and begin is not None and end is not None else None
            span = _line_span(frame.f_code.co_filename, line or traceback.tb_lineno, columns) or span
        traceback = traceback.tb_next
    return span


def _tensors(value: Tensors | None, where: str) -> tuple[Tensor, ...]:
    """Return tensors as a tuple. Raises `WrongType`."""
    tensors = (value,) if isinstance(value, Tensor) else tuple(value or ())
    for tensor in tensors:
        if not isinstance(tensor, Tensor):
            raise WrongType(where=where, expected="tensors", got=repr(tensor))
    return tensors


@overload
def scan(
    init: Tensor,
    update: Tensor,
    state_placeholder: Tensor,
    inputs: Tensors | None = None,
    name: str = "scan",
    tag: str = "",
    attrs: Attrs | None = None,
) -> Tensor: ...
@overload
def scan(
    init: Tensors,
    update: Tensors,
    state_placeholder: Tensors,
    inputs: Tensors | None = None,
    name: str = "scan",
    tag: str = "",
    attrs: Attrs | None = None,
) -> Tensor | list[Tensor]: ...
def scan(
    init: Tensors,
    update: Tensors,
    state_placeholder: Tensors,
    inputs: Tensors | None = None,
    name: str = "scan",
    tag: str = "",
    attrs: Attrs | None = None,
) -> Tensor | list[Tensor]:
    """Return the states of a recurrence over the first axis.

    `init` has the first states, `update` the others, in terms of `state_placeholder`, which stands for the result. Each
    may be a list, for several states. Raises `InvalidOperation`.
    """
    tag = _tag(tag)
    first, rest, states = (_tensors(tensors, "te.scan") for tensors in (init, update, state_placeholder))
    if not len(first) == len(rest) == len(states):
        raise InvalidOperation(where="scan", reason="init, update and state_placeholder differ in length")
    begin, end = first[0].shape[0], rest[0].shape[0]
    domain = Range(begin, end)
    time = IterVar(domain, Var(f"{name}.idx", domain.extent.dtype), IterKind.ORDERED)
    for each, new, state in zip(first, rest, states, strict=True):
        if each.dtype is not state.dtype or new.dtype is not state.dtype:
            raise InvalidOperation(where="scan", reason=f"the dtypes of {state.name} and its values differ")
        if not each.ndim == new.ndim == state.ndim:
            raise InvalidOperation(where="scan", reason=f"the ranks of {state.name} and its values differ")
    spatial = tuple(
        [
            IterVar(Range.from_extent(extent), Var(f"{name}.out{i}.i{axis}", extent.dtype), IterKind.OPAQUE)
            for i, new in enumerate(rest)
            for axis, extent in enumerate(new.shape)
            if axis
        ]
    )
    op = ScanOp(name, tag, dict(attrs or {}), time, first, rest, states, _tensors(inputs, "te.scan"), spatial)
    return op.outputs[0] if len(op.outputs) == 1 else list(op.outputs)


@overload
def extern(
    shape: Shape,
    inputs: Sequence[Tensor],
    fcompute: ExternBody,
    name: str = "extern",
    dtype: DTypes | None = None,
    in_buffers: Buffers | None = None,
    out_buffers: Buffers | None = None,
    tag: str = "",
    attrs: Attrs | None = None,
) -> Tensor: ...
@overload
def extern(
    shape: Iterable[Shape],
    inputs: Sequence[Tensor],
    fcompute: ExternBody,
    name: str = "extern",
    dtype: DTypes | None = None,
    in_buffers: Buffers | None = None,
    out_buffers: Buffers | None = None,
    tag: str = "",
    attrs: Attrs | None = None,
) -> Tensor | list[Tensor]: ...
def extern(
    shape: Shape | Iterable[Shape],
    inputs: Sequence[Tensor],
    fcompute: ExternBody,
    name: str = "extern",
    dtype: DTypes | None = None,
    in_buffers: Buffers | None = None,
    out_buffers: Buffers | None = None,
    tag: str = "",
    attrs: Attrs | None = None,
) -> Tensor | list[Tensor]:
    """Return tensors that a statement computes: a call of a library, or loops.

    `fcompute` gets buffers of the inputs and of the outputs and returns a statement, or an expression to evaluate.
    Without a dtype the outputs have that of the inputs. Raises `InvalidOperation`.
    """
    tag = _tag(tag)
    sizes: list[Any] = [shape] if isinstance(shape, (Expr, int)) else list(shape)
    is_one = not sizes or isinstance(sizes[0], (Expr, int))
    shapes = [as_shape(size, "te.extern") for size in ([sizes] if is_one else sizes)]
    tensors = _tensors(inputs, "te.extern")
    sources = _buffers(in_buffers, len(tensors), "inputs and in_buffers")
    targets = _buffers(out_buffers, len(shapes), "outputs and out_buffers")
    if in_buffers is None:
        sources = [_extern_buffer(tensor.shape, tensor.dtype, tensor.op.name) for tensor in tensors]
    if out_buffers is None:
        if dtype is None:
            kinds = {tensor.dtype for tensor in tensors}
            if len(kinds) != 1:
                raise InvalidOperation(where="extern", reason="the inputs have several dtypes: give the dtype")
            dtype = kinds.pop()
        dtypes = [dtype] * len(shapes) if isinstance(dtype, str) else list(dtype)
        if len(dtypes) != len(shapes):
            reason = f"the numbers of outputs and dtypes differ: {len(shapes)} and {len(dtypes)}"
            raise InvalidOperation(where="extern", reason=reason)
        targets = [_extern_buffer(extents, kind, name) for extents, kind in zip(shapes, dtypes, strict=True)]
    body = fcompute(list(sources), list(targets))
    if isinstance(body, Expr):
        body = Evaluate(body)
    if not isinstance(body, Stmt):
        raise WrongType(where=f"te.extern({name})", expected="a statement or an expression", got=repr(body))
    for tensor, buffer in zip(tensors, sources, strict=True):
        if tensor.dtype is not buffer.dtype or tensor.ndim != len(buffer.shape):
            raise InvalidOperation(where="extern", reason=f"the buffer of {tensor.name} has another dtype or rank")
    op = ExternOp(name, tag, dict(attrs or {}), tensors, tuple(sources), tuple(targets), body)
    return op.outputs[0] if len(op.outputs) == 1 else list(op.outputs)


def _extern_buffer(shape: Sequence[Expr], dtype: DType | str, name: str) -> Buffer:
    return make_buffer(shape, dtype, name, elem_offset=Var("elem_offset", "int32"))


def _buffers(buffers: Buffers | None, count: int, what: str) -> list[Buffer]:
    """Return buffers as a list. Raises `InvalidOperation` for another number of them."""
    sequence = [buffers] if isinstance(buffers, Buffer) else list(buffers or ())
    if buffers is not None and len(sequence) != count:
        raise InvalidOperation(where="extern", reason=f"the numbers of {what} differ: {count} and {len(sequence)}")
    return sequence


def extern_primfunc(input_tensors: Sequence[Tensor], primfunc: PrimFunc, **kwargs: Any) -> Tensor | list[Tensor]:
    """Return tensors that the body of a PrimFunc computes, one for each buffer that it writes and does not read.

    The tensors stand for the buffers that it reads, in order. Raises `InvalidOperation`.
    """
    accesses = [node for node in nodes(primfunc.body) if isinstance(node, (BufferLoad, BufferStore))]
    reads = {access.buffer for access in accesses if isinstance(access, BufferLoad)}
    writes = {access.buffer for access in accesses if isinstance(access, BufferStore)}
    buffers = [primfunc.buffer_map[param] for param in primfunc.params if param in primfunc.buffer_map]
    sources = [buffer for buffer in buffers if buffer in reads]
    outputs = [buffer for buffer in buffers if buffer in writes and buffer not in reads]
    if not outputs:
        in_place = [buffer for buffer in buffers if buffer in writes]
        if not in_place:
            raise InvalidOperation(where="extern_primfunc", reason="the function writes no buffer")
        outputs = [in_place[-1]]
        sources = [buffer for buffer in sources if buffer is not outputs[0]]
    if not sources:
        raise InvalidOperation(where="extern_primfunc", reason="the function reads no buffer")
    tensors = _tensors(input_tensors, "te.extern_primfunc")
    if len(sources) != len(tensors):
        reason = f"{len(tensors)} tensors are given for the {len(sources)} buffers that it reads"
        raise InvalidOperation(where="extern_primfunc", reason=reason)
    for tensor, buffer in zip(tensors, sources, strict=True):
        same = len(tensor.shape) == len(buffer.shape) and all(map(structural_equal, tensor.shape, buffer.shape))
        if not same:
            raise InvalidOperation(where="extern_primfunc", reason=f"{tensor.name} and {buffer.name} differ in shape")
    shapes = [buffer.shape for buffer in outputs]
    return extern(shapes, tensors, lambda _ins, _outs: primfunc.body, in_buffers=sources, out_buffers=outputs, **kwargs)
