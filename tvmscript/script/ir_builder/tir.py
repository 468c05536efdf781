"""The names of `tvm.script.ir_builder.tir`: frames and statements of functions; expressions are those of `T`."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from tvmscript.ir import tir
from tvmscript.ir.arith.python_operators import FUNCTIONS
from tvmscript.ir.core import BOOL, INT32, INT64, DType, PointerType, PrimType, Type, on
from tvmscript.ir.core.values.constant_data import pack
from tvmscript.ir.tir.slices import buffer_store as make_store
from tvmscript.ir.tir.slices import range_between, region_of
from tvmscript.ir.tir.stmt import infer_regions
from tvmscript.language import T
from tvmscript.parser.tir.root_block import add_root_block
from tvmscript.script.ir_builder.frames import Frame, FrameNotOpen, IRBuilder, emit, find, innermost
from tvmscript.script.ir_builder.ir import ModuleFrame, def_function

#: annotation of blocks whose regions are inferred once the function is complete: 1 reads, 2 writes
_DETECT: Final = "tir.script_parsing_detect_access"


def __getattr__(name: str) -> Any:
    return FUNCTIONS[name] if name in FUNCTIONS else getattr(T, name)


class PrimFuncFrame(Frame):
    """A function that is open."""

    def __init__(self, is_private: bool) -> None:
        super().__init__()
        self.is_private = is_private
        self.name: str | None = None
        self.params: list[tir.Var] = []
        self.buffer_map: dict[tir.Var, tir.Buffer] = {}
        self.attrs: dict[str, Any] = {}
        self.ret_type: Type | None = None
        self.root_buffers: list[tir.Buffer] = []
        self.has_blocks = False

    def finish(self) -> None:
        """Complete the function: infer regions, add the root block."""
        body = add_root_block(self.body, tuple(self.root_buffers), self.has_blocks, span=None)
        completed = _Regions({buffer.data: buffer for buffer in self.buffer_map.values()}).rewrite(body)
        attrs = dict(self.attrs)
        if self.name is not None and not self.is_private:
            attrs["global_symbol"] = self.name
        func = tir.PrimFunc(tuple(self.params), completed, self.ret_type, self.buffer_map, attrs)
        if find(ModuleFrame) is not None:
            def_function(self.name or "main", func)
        else:
            IRBuilder.current().results.append(func)


class _Regions(tir.TirRewriter):
    """Infer the regions of blocks that do not say them."""

    def __init__(self, visible: dict[tir.Var, tir.Buffer]) -> None:
        super().__init__()
        self.visible = visible

    @on(tir.Block)
    def block(self, node: tir.Block) -> tir.Block:
        self.visible.update({buffer.data: buffer for buffer in node.alloc_buffers})
        block = self.descend(node)
        mask = block.annotations.get(_DETECT)
        if not isinstance(mask, tir.IntImm):
            return block
        reads, writes = infer_regions.call(block, self.visible)
        annotations = {key: value for key, value in block.annotations.items() if key != _DETECT}
        return block.replace(
            reads=reads if mask.value & 1 else block.reads,
            writes=writes if mask.value & 2 else block.writes,
            annotations=annotations,
        )


def prim_func(is_private: bool = False) -> PrimFuncFrame:
    """Return the frame of a function."""
    return PrimFuncFrame(is_private)


def _func(call: str) -> PrimFuncFrame:
    return innermost(PrimFuncFrame, call, "T.prim_func")


def func_name(name: str) -> None:
    """Name the function."""
    _func("T.func_name").name = name


def func_attr(attrs: Mapping[str, Any]) -> None:
    """Set attributes of the function."""
    _func("T.func_attr").attrs.update(attrs)


def func_ret(ret_type: Type) -> Type:
    """Set the type that the function returns."""
    _func("T.func_ret").ret_type = ret_type
    return ret_type


def arg(name: str, obj: Any) -> Any:
    """Add a parameter: a variable or a buffer."""
    frame = _func("T.arg")
    IRBuilder.name(name, obj)
    if isinstance(obj, tir.Buffer):
        handle = tir.Var(f"{name}_handle", "handle")
        frame.buffer_map[handle] = obj
        frame.params.append(handle)
    else:
        frame.params.append(obj)
    return obj


def match_buffer(
    param: Any, shape: Any = None, dtype: DType | str = "float32", *args: Any, **options: Any
) -> tir.Buffer:
    """Return the buffer of a handle parameter, or of a region in a block."""
    if isinstance(param, tir.Var):
        buffer: tir.Buffer = T.Buffer(shape, dtype, *args, **options)
        _func("T.match_buffer").buffer_map[param] = buffer
        return buffer
    region = _region(param)
    extents = tuple([part.extent for part in region.region]) if shape is None else shape
    view: tir.Buffer = T.Buffer(extents, region.buffer.dtype if shape is None else dtype, *args, **options)
    _block("T.match_buffer").match_buffers.append(tir.MatchBufferRegion(view, region))
    return view


def alloc_buffer(shape: Any, dtype: DType | str = "float32", *args: Any, **options: Any) -> tir.Buffer:
    """Return a buffer that the block, or the function, allocates."""
    buffer: tir.Buffer = T.Buffer(shape, dtype, *args, **options)
    block = find(BlockFrame)
    (_func("T.alloc_buffer").root_buffers if block is None else block.alloc_buffers).append(buffer)
    return buffer


class BlockFrame(Frame):
    """A block that is open."""

    def __init__(self, name: str, no_realize: bool) -> None:
        super().__init__()
        self.name = name
        self.no_realize = no_realize
        self.iter_vars: list[tir.IterVar] = []
        self.iter_values: list[tir.Expr] = []
        self.reads: tuple[tir.BufferRegion, ...] | None = None
        self.writes: tuple[tir.BufferRegion, ...] | None = None
        self.init: tir.Stmt | None = None
        self.alloc_buffers: list[tir.Buffer] = []
        self.match_buffers: list[tir.MatchBufferRegion] = []
        self.annotations: dict[str, Any] = {}
        self.predicate: tir.Expr = tir.IntImm(BOOL, 1)

    def finish(self) -> None:
        """Emit the block."""
        func = find(PrimFuncFrame)
        if func is not None:
            func.has_blocks = True
        mask = (self.reads is None) + 2 * (self.writes is None)
        annotations = {**self.annotations, _DETECT: tir.IntImm(INT64, mask)} if mask else self.annotations
        block = tir.Block(
            tuple(self.iter_vars), self.reads or (), self.writes or (), self.name, self.body, self.init,
            tuple(self.alloc_buffers), tuple(self.match_buffers), annotations,
        )  # fmt: skip
        emit(block if self.no_realize else tir.BlockRealize(tuple(self.iter_values), self.predicate, block))


def block(name: str = "", no_realize: bool = False) -> BlockFrame:
    """Return the frame of a block."""
    return BlockFrame(name, no_realize)


def _block(call: str) -> BlockFrame:
    return innermost(BlockFrame, call, "T.block")


def init() -> Frame:
    """Return the frame of the initialization of a block."""
    outer = _block("T.init")

    def close(body: tir.Stmt) -> None:
        outer.init = body

    return Frame(close)


def where(predicate: Any) -> None:
    """Set the predicate of the block."""
    _block("T.where").predicate = tir.as_expr(predicate)


def _region(part: Any) -> tir.BufferRegion:
    if isinstance(part, tir.BufferRegion):
        return part
    return region_of(part) if isinstance(part, tir.BufferLoad) else tir.BufferRegion.full(part)


def _regions(parts: Sequence[Any]) -> tuple[tir.BufferRegion, ...]:
    given = [item for part in parts for item in (part if isinstance(part, (list, tuple)) else (part,))]
    return tuple(map(_region, given))


def reads(*buffer_slices: Any) -> None:
    """Say what the block reads."""
    _block("T.reads").reads = _regions(buffer_slices)


def writes(*buffer_slices: Any) -> None:
    """Say what the block writes."""
    _block("T.writes").writes = _regions(buffer_slices)


def block_attr(attrs: Mapping[str, Any]) -> None:
    """Annotate the block."""
    _block("T.block_attr").annotations.update(attrs)


class axis:
    """Axes of blocks: `T.axis.spatial(16, i)`, `T.axis.remap("SR", [i, k])`."""

    @staticmethod
    def _bind(kind: tir.IterKind, dom: Any, binding: Any, dtype: DType | str) -> tir.Var:
        value = tir.as_expr(binding)
        var = tir.Var("v", value.dtype if isinstance(binding, tir.Expr) else dtype)
        low, high = dom if isinstance(dom, (tuple, list)) else (0, dom)
        domain = dom if isinstance(dom, tir.Range) else range_between(low, high)
        ends = tir.Range.from_min_extent(tir.cast(var.dtype, domain.min), tir.cast(var.dtype, domain.extent))
        frame = _block("T.axis")
        frame.iter_vars.append(tir.IterVar(ends, var, kind))
        frame.iter_values.append(tir.cast(var.dtype, value))
        return var

    @staticmethod
    def spatial(dom: Any, binding: Any, dtype: DType | str = "int32") -> tir.Var:
        return axis._bind(tir.IterKind.DATA_PAR, dom, binding, dtype)

    @staticmethod
    def reduce(dom: Any, binding: Any, dtype: DType | str = "int32") -> tir.Var:
        return axis._bind(tir.IterKind.COMM_REDUCE, dom, binding, dtype)

    @staticmethod
    def scan(dom: Any, binding: Any, dtype: DType | str = "int32") -> tir.Var:
        return axis._bind(tir.IterKind.ORDERED, dom, binding, dtype)

    @staticmethod
    def opaque(dom: Any, binding: Any, dtype: DType | str = "int32") -> tir.Var:
        return axis._bind(tir.IterKind.OPAQUE, dom, binding, dtype)

    @staticmethod
    def remap(kinds: str, bindings: Sequence[tir.Var], dtype: DType | str = "int32") -> Any:
        """Return one axis for each loop, over the domain of the loop."""
        domains = {var: dom for frame in IRBuilder.current().frames for var, dom in getattr(frame, "domains", ())}
        makers = {"S": axis.spatial, "R": axis.reduce}
        for loop in bindings:
            if loop not in domains:
                raise FrameNotOpen(call=f"T.axis.remap of {loop}", frame="the loop")
        made = [makers[kind](domains[loop], loop, dtype) for kind, loop in zip(kinds, bindings, strict=True)]
        return made if len(made) != 1 else made[0]

    S = spatial
    R = reduce


class LoopFrame(Frame):
    """Loops in each other that are open."""

    def __init__(self, domains: Sequence[tir.Range], make: Callable[[tir.Var, tir.Range, tir.Stmt], tir.Stmt]) -> None:
        loops = [tir.Var("v", domain.min.dtype) for domain in domains]
        self.domains = list(zip(loops, domains, strict=True))
        super().__init__(value=loops[0] if len(loops) == 1 else loops)
        self._make = make

    def finish(self) -> None:
        """Emit the loops."""
        body = self.body
        for var, domain in reversed(self.domains):
            body = self._make(var, domain, body)
        emit(body)


def _loop(kind: tir.ForKind) -> Callable[..., LoopFrame]:
    def loop(start: Any, stop: Any = None, *, annotations: Mapping[str, Any] | None = None) -> LoopFrame:
        domain = range_between(0, start) if stop is None else range_between(start, stop)
        return LoopFrame(
            [domain],
            lambda var, dom, body: tir.For(var, dom.min, dom.extent, kind, body, None, dict(annotations or {})),
        )

    return loop


serial, parallel, vectorized, unroll = map(
    _loop, (tir.ForKind.SERIAL, tir.ForKind.PARALLEL, tir.ForKind.VECTORIZED, tir.ForKind.UNROLLED)
)


def thread_binding(
    start: Any, stop: Any = None, thread: str | None = None, *, annotations: Mapping[str, Any] | None = None
) -> LoopFrame:
    """Return the frame of a loop over threads."""
    if thread is None and isinstance(stop, str):
        stop, thread = None, stop
    domain = range_between(0, start) if stop is None else range_between(start, stop)
    tag = str(thread)

    def make(var: tir.Var, dom: tir.Range, body: tir.Stmt) -> tir.Stmt:
        axis_var = tir.IterVar(None, tir.Var("", INT32), tir.IterKind.THREAD_INDEX, tag)
        return tir.For(var, dom.min, dom.extent, tir.ForKind.THREAD_BINDING, body, axis_var, dict(annotations or {}))

    return LoopFrame([domain], make)


def grid(*extents: Any) -> LoopFrame:
    """Return the frame of loops in each other."""
    return LoopFrame(
        [range_between(*extent) if isinstance(extent, tuple) else range_between(0, extent) for extent in extents],
        lambda var, dom, body: tir.For(var, dom.min, dom.extent, tir.ForKind.SERIAL, body),
    )


class IfFrame(Frame):
    """A branch that is open; `T.Then` and `T.Else` fill it."""

    def __init__(self, condition: tir.Expr) -> None:
        super().__init__()
        self.condition = condition
        self.then_case: tir.Stmt | None = None
        self.else_case: tir.Stmt | None = None

    def finish(self) -> None:
        """Emit the branch."""
        emit(tir.IfThenElse(self.condition, self.body if self.then_case is None else self.then_case, self.else_case))


def If(condition: Any) -> IfFrame:
    """Return the frame of a branch."""
    return IfFrame(tir.as_expr(condition))


def Then() -> Frame:
    """Return the frame of what happens where the condition holds."""
    outer = innermost(IfFrame, "T.Then", "T.If")

    def close(body: tir.Stmt) -> None:
        outer.then_case = body

    return Frame(close)


def Else() -> Frame:
    """Return the frame of what happens otherwise."""
    outer = innermost(IfFrame, "T.Else", "T.If")

    def close(body: tir.Stmt) -> None:
        outer.else_case = body

    return Frame(close)


def While(condition: Any) -> Frame:
    """Return the frame of a loop that runs while a condition holds."""
    return Frame(lambda body: emit(tir.While(tir.as_expr(condition), body)))


def Assert(condition: Any, message: str) -> Frame:
    """Return the frame of what follows an assertion."""
    return Frame(lambda body: emit(tir.AssertStmt(tir.as_expr(condition), tir.StringImm(message), body)))


def LetStmt(value: Any, type_annotation: Type | None = None, *, var: tir.Var | None = None) -> Frame:
    """Return the frame in which a variable has a value."""
    expr = tir.as_expr(value)
    name = tir.Var("v", expr.dtype if type_annotation is None else type_annotation) if var is None else var
    return Frame(lambda body: emit(tir.LetStmt(name, expr, body)), name)


def attr(node: Any, attr_key: str, value: Any) -> Frame:
    """Return the frame of what an attribute is about."""
    content = tir.StringImm(value) if isinstance(value, str) else tir.as_expr(value)
    target = tir.as_expr(node) if isinstance(node, (str, int, float)) else node
    return Frame(lambda body: emit(tir.AttrStmt(target, attr_key, content, body)))


def launch_thread(thread: tir.Var | str, extent: Any) -> Frame:
    """Return the frame of what every thread does."""
    axis_var = env_thread(thread) if isinstance(thread, str) else _THREADS[thread]
    size = tir.as_expr(extent)
    launched = axis_var.replace(dom=tir.Range.from_extent(size))
    return Frame(lambda body: emit(tir.AttrStmt(launched, "thread_extent", size, body)), launched.var)


#: thread indices by their variables
_THREADS: Final[dict[tir.Var, tir.IterVar]] = {}


def env_thread(thread_tag: str, dtype: DType | str = "int32") -> tir.IterVar:
    """Return a thread index."""
    index = tir.IterVar(None, tir.Var("v", dtype), tir.IterKind.THREAD_INDEX, thread_tag)
    _THREADS[index.var] = index
    return index


def allocate(
    extents: Sequence[Any],
    dtype: DType | str,
    scope: str = "global",
    condition: Any = None,
    annotations: Mapping[str, Any] | None = None,
) -> Frame:
    """Return the frame in which memory is allocated."""
    content = DType(dtype)
    data = tir.Var("v", PointerType(PrimType(content), scope))
    sizes = tuple(map(tir.as_expr, extents))
    holds = tir.const(True, BOOL) if condition is None else tir.as_expr(condition)
    return Frame(lambda body: emit(tir.Allocate(data, content, sizes, holds, body, dict(annotations or {}))), data)


def allocate_const(
    data: Sequence[Any], dtype: DType | str, extents: Sequence[Any], annotations: Mapping[str, Any] | None = None
) -> Frame:
    """Return the frame in which constant memory is allocated."""
    content = DType(dtype)
    pointer = tir.Var("v", PointerType(PrimType(content), "global"))
    sizes = tuple(map(tir.as_expr, extents))
    values = pack(list(data), content, tuple(map(int, extents)))
    return Frame(
        lambda body: emit(tir.AllocateConst(pointer, content, sizes, values, body, dict(annotations or {}))), pointer
    )


def decl_buffer(shape: Any, dtype: DType | str = "float32", *args: Any, **options: Any) -> Frame:
    """Return the frame in which a buffer is declared."""
    buffer: tir.Buffer = T.Buffer(shape, dtype, *args, **options)
    return Frame(lambda body: emit(tir.DeclBuffer(buffer, body)), buffer)


def realize(buffer_slice: Any, storage_scope: str, condition: Any = True) -> Frame:
    """Return the frame in which a region of a buffer exists."""
    region = _region(buffer_slice)
    scope = tir.StringImm(storage_scope)

    def close(body: tir.Stmt) -> None:
        exists = tir.BufferRealize(region.buffer, region.region, tir.as_expr(condition), body)
        emit(tir.AttrStmt(region.buffer, "realize_scope", scope, exists))

    return Frame(close)


def buffer_store(buffer: tir.Buffer, value: Any, indices: Sequence[Any], predicate: Any = None) -> None:
    """Emit a store."""
    expr = tir.as_expr(value, buffer.dtype if isinstance(value, (int, float)) else None)
    emit(make_store(buffer, expr, list(indices) if isinstance(indices, (list, tuple)) else [indices]))


def evaluate(value: Any) -> None:
    """Emit the evaluation of an expression."""
    emit(tir.Evaluate(tir.StringImm(value) if isinstance(value, str) else tir.as_expr(value)))
