"""`create_prim_func`: tensors as a function of blocks, which the tensor-level schedule takes."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from tvmscript.ir.arith.analyzer import Analyzer
from tvmscript.ir.arith.fold import TRUE
from tvmscript.ir.core import DType, Node, on
from tvmscript.ir.core.errors import WrongType
from tvmscript.ir.core.name_supply import NameSupply
from tvmscript.ir.te.errors import NotAnArgument
from tvmscript.ir.te.reciprocals import Reciprocals
from tvmscript.ir.te.tensor import (
    LAYOUT_FREE,
    ComputeOp,
    ExternOp,
    HybridOp,
    Operation,
    PlaceholderOp,
    Tensor,
    topological_order,
)
from tvmscript.ir.tir import (
    Block,
    BlockRealize,
    Buffer,
    BufferLoad,
    BufferStore,
    Expr,
    For,
    ForKind,
    IntImm,
    IterKind,
    IterVar,
    LetStmt,
    PrimFunc,
    Range,
    Stmt,
    TirRewriter,
    Var,
    is_noop,
    make_buffer,
    seq,
    substitute,
    uses,
)
from tvmscript.ir.tir.intrin.control import if_then_else
from tvmscript.ir.tir.stmt import infer_regions
from tvmscript.ir.tir.te_nodes import ProducerLoad, Reduce
from tvmscript.ir.transform.dtypes.common.index_dtype_rewriter import override_index_dtype


class LoadRewriter(TirRewriter):
    """Rewriter of elements of tensors to elements of buffers."""

    def __init__(self, buffers: Mapping[Any, Buffer]) -> None:
        super().__init__()
        self.buffers = buffers

    @on(ProducerLoad)
    def producer_load(self, node: ProducerLoad) -> Expr:
        return BufferLoad(self.buffers[node.producer], self.indices(node.indices), span=node.span)


#: axes whose domains depend on those of outer levels alone
_Level = Sequence[tuple[IterVar, Range]]


def _levels(axes: _Level) -> list[_Level]:
    """Return the axes by how deeply their domains depend on other axes."""
    depths: dict[Var, int] = {}
    levels: list[list[tuple[IterVar, Range]]] = [[]]
    for axis, domain in axes:
        depth = max([depths[var] + 1 for var in uses(domain) if var in depths], default=0)
        depths[axis.var] = depth
        levels += [[] for _ in range(depth + 1 - len(levels))]
        levels[depth].append((axis, domain))
    return list(levels)


def _loops(axes: _Level, body: Stmt) -> Stmt:
    for axis, domain in reversed(axes):
        body = For(axis.var, domain.min, domain.extent, ForKind.SERIAL, body)
    return body


class _PrimFuncBuilder:
    """Statements of operations, over buffers of their tensors."""

    def __init__(self, args: Sequence[Tensor | Var]) -> None:
        self.args = args
        self.buffers: dict[Tensor, Buffer] = {}
        #: buffers of tensors that are no arguments
        self.allocated: list[Buffer] = []
        #: positions of arguments whose layout may change
        self.layout_free: set[int] = set()
        self.names = NameSupply(separator="_")
        self.analyzer = Analyzer()
        self.loads = LoadRewriter(self.buffers)

    def bind(self, tensor: Tensor, buffer: Buffer) -> None:
        """Let a buffer hold the elements of a tensor; it is allocated if the tensor is no argument."""
        self.buffers[tensor] = buffer
        if tensor not in self.args:
            self.allocated.append(buffer)

    def create(self) -> PrimFunc:
        """Return the function. Raises `NotAnArgument`."""
        order = topological_order(arg.op for arg in self.args if isinstance(arg, Tensor))
        for op in order:
            if isinstance(op, ExternOp):
                for tensor, buffer in zip(op.inputs, op.input_placeholders, strict=True):
                    if isinstance(tensor.op, PlaceholderOp):
                        self.buffers.setdefault(tensor, buffer)
        body = seq(*[stmt for op in order for stmt in self.statements(op)])
        params = [arg if isinstance(arg, Var) else Var(f"var_{_name(arg)}", "handle") for arg in self.args]
        buffer_map = {p: self.buffers[arg] for p, arg in zip(params, self.args, strict=True) if isinstance(arg, Tensor)}
        attrs: dict[str, Any] = {"global_symbol": "main", "tir.noalias": True}
        if self.layout_free:
            attrs["layout_free_buffers"] = sorted(self.layout_free)
        root = _with_root(_complete(body, buffer_map, self.allocated), self.allocated)
        return PrimFunc(tuple(params), root, buffer_map=buffer_map, attrs=attrs)

    def statements(self, op: Operation) -> list[Stmt]:
        """Return the statements that compute an operation."""
        if isinstance(op, PlaceholderOp):
            (tensor,) = op.outputs
            if tensor not in self.args:
                raise NotAnArgument(where="te.create_prim_func", name=tensor.name)
            self.buffers.setdefault(tensor, _buffer(tensor))
            return []
        if isinstance(op, ComputeOp):
            return [self.compute(op)]
        if isinstance(op, ExternOp) and not isinstance(op, HybridOp):
            return [self.extern(op)]
        raise WrongType(where="te.create_prim_func", expected="compute and extern operations", got=repr(op))

    def compute(self, op: ComputeOp) -> Stmt:
        """Return loops around the blocks of an operation: one for a reduction, otherwise one for each output."""
        for tensor in op.outputs:
            self.bind(tensor, _buffer(tensor))
        levels = _levels([(axis, self.domain(axis)) for axis in op.root_axes])
        groups = [op.outputs] if isinstance(op.body[0], Reduce) else [(tensor,) for tensor in op.outputs]
        return _loops(levels[0], seq(*[self.block(op, tensors, levels) for tensors in groups]))

    def domain(self, axis: IterVar) -> Range:
        """Return the range of an axis, simplified."""
        assert axis.dom is not None
        simplify = self.analyzer.simplify
        return Range.from_min_extent(
            simplify(self.loads.rewrite(axis.dom.min)), simplify(self.loads.rewrite(axis.dom.extent))
        )

    def block(self, op: ComputeOp, tensors: Sequence[Tensor], levels: Sequence[_Level]) -> Stmt:
        """Return the block that computes tensors: outputs of a reduction, or one output.

        Axes whose domains depend on other axes are those of a block inside. The init belongs to the outermost block
        that has reduction axes.
        """
        inside = {axis.var: Var(f"v_{axis.var.name}", axis.var.dtype) for level in levels for axis, _ in level}
        indices = tuple([inside[axis.var] for axis in op.axis])
        outputs = [self.buffers[tensor] for tensor in tensors]

        def inner(value: Expr) -> Expr:
            return substitute(self.loads.rewrite(value), inside)

        def simplest(value: Expr) -> Expr:
            return Reciprocals().rewrite(self.analyzer.simplify(inner(value)))

        reduction = op.body[0]
        init: Stmt | None = None
        if isinstance(reduction, Reduce):
            start = [simplest(value) for value in reduction.init] or list(reduction.combiner.identity_element)
            init = seq(*[BufferStore(buffer, value, indices) for buffer, value in zip(outputs, start, strict=True)])
            body = self.reduction(reduction, outputs, indices, inner)
            name = op.name
        else:
            (tensor,) = tensors
            body = BufferStore(outputs[0], simplest(op.body[tensor.value_index]), indices)
            name = tensor.name
        annotations = {key: value for key, value in op.attrs.items() if key != LAYOUT_FREE}
        layout_free = op.attrs.get(LAYOUT_FREE, ())
        self.layout_free.update(self.args.index(tensor) for tensor in layout_free if tensor in self.args)
        inner_buffers = [self.buffers[tensor] for tensor in layout_free if tensor not in self.args]
        if inner_buffers:
            annotations[LAYOUT_FREE] = inner_buffers
        first = next(
            (i for i, level in enumerate(levels) if any(axis in op.reduce_axis for axis, _ in level)), len(levels) - 1
        )
        for depth in reversed(range(len(levels))):
            axes = [(axis, substitute(domain, inside)) for axis, domain in levels[depth]]
            iter_vars = tuple([IterVar(dom, inside[axis.var], axis.iter_type, axis.thread_tag) for axis, dom in axes])
            values: tuple[Expr, ...] = tuple([axis.var for axis, _ in axes])
            if not axes:
                iter_vars = (IterVar(Range(0, 1), Var("vi", "int32"), IterKind.DATA_PAR),)
                values = (IntImm("int32", 0),)
            own = annotations if depth == len(levels) - 1 else {}
            block = Block(
                iter_vars, (), (), self.names.fresh(name), body, init if depth == first else None, annotations=own
            )
            realize = BlockRealize(values, TRUE, block)
            body = _loops(axes, realize) if depth else realize
        return body

    def reduction(
        self, node: Reduce, outputs: Sequence[Buffer], indices: tuple[Expr, ...], inner: Callable[[Expr], Expr]
    ) -> Stmt:
        """Return the stores of one step of a reduction; those of several results are computed before the first."""
        lhs = [BufferLoad(buffer, indices) for buffer in outputs]
        sources = [inner(value) if len(outputs) == 1 else self.analyzer.simplify(inner(value)) for value in node.source]
        operands = dict(zip((*node.combiner.lhs, *node.combiner.rhs), (*lhs, *sources), strict=True))
        results = [substitute(value, operands) for value in node.combiner.result]
        if len(outputs) == 1:
            results = [Reciprocals().rewrite(self.analyzer.simplify(results[0]))]
        if node.condition is not TRUE:
            holds = inner(node.condition)
            results = [if_then_else(holds, new, old) for new, old in zip(results, lhs, strict=True)]
        if len(outputs) == 1:
            return BufferStore(outputs[0], results[0], indices)
        held = [Var(f"v_{buffer.name}", value.dtype) for buffer, value in zip(outputs, results, strict=True)]
        body = seq(*[BufferStore(buffer, var, indices) for buffer, var in zip(outputs, held, strict=True)])
        for var, value in reversed(list(zip(held, results, strict=True))):
            body = LetStmt(var, value, body)
        return body

    def extern(self, op: ExternOp) -> Stmt:
        """Return the statement of an operation in a block, on the buffers of its inputs."""
        renamed: dict[Node, Node] = {}
        for tensor, placeholder in zip(op.inputs, op.input_placeholders, strict=True):
            buffer = self.buffers[tensor]
            if buffer is not placeholder:
                renamed |= {placeholder: buffer, placeholder.data: buffer.data}
                if isinstance(placeholder.elem_offset, Var):
                    renamed[placeholder.elem_offset] = buffer.elem_offset
        for tensor, placeholder in zip(op.outputs, op.output_placeholders, strict=True):
            self.bind(tensor, placeholder)
        block = Block((), (), (), self.names.fresh(op.name), substitute(op.body, renamed), annotations=op.attrs)
        return BlockRealize((), TRUE, block)


def _name(tensor: Tensor) -> str:
    return re.sub(r"\W", "_", tensor.name)


def _buffer(tensor: Tensor) -> Buffer:
    return make_buffer(tensor.shape, tensor.dtype, _name(tensor))


class _RegionInference(TirRewriter):
    """Rewriter that adds the regions of blocks, innermost first."""

    def __init__(self, visible: dict[Var, Buffer]) -> None:
        super().__init__()
        self.visible = visible

    @on(Block)
    def block(self, node: Block) -> Stmt:
        node = self.descend(node)
        if node.reads or node.writes or not node.iter_vars:
            return node
        reads, writes = infer_regions(node, self.visible)
        return node.replace(reads=reads, writes=writes)

    def rewrite(self, node: Any) -> Any:
        return node if isinstance(node, Expr) else super().rewrite(node)


def _complete(body: Stmt, buffer_map: dict[Var, Buffer], allocated: Sequence[Buffer]) -> Stmt:
    visible = {buffer.data: buffer for buffer in (*buffer_map.values(), *allocated)}
    completed: Stmt = _RegionInference(visible).rewrite(body)
    return completed


def _with_root(body: Stmt, allocated: Sequence[Buffer]) -> Stmt:
    """Return the body in a root block, unless it is an opaque block or nothing."""
    is_opaque = isinstance(body, BlockRealize) and not body.block.iter_vars
    is_nothing = is_noop(body)
    if not allocated and (is_opaque or is_nothing):
        return body
    return BlockRealize((), TRUE, Block((), (), (), "root", body, None, tuple(allocated)))


def create_prim_func(ops: Sequence[Tensor | Var], index_dtype_override: DType | str | None = None) -> PrimFunc:
    """Return a function of tensors and variables that computes the tensors which are no placeholders.

    Tensors that are needed and are no arguments are allocated. Each operation is a loop nest around blocks.
    `index_dtype_override` is the dtype of sizes and indices. Raises `NotAnArgument`, `WrongType`.
    """
    args = [ops] if isinstance(ops, (Tensor, Var)) else list(ops)
    for arg in args:
        if not isinstance(arg, (Tensor, Var)):
            raise WrongType(where="te.create_prim_func", expected="tensors and variables", got=repr(arg))
    func = _PrimFuncBuilder(args).create()
    return func if index_dtype_override is None else override_index_dtype(func, DType(index_dtype_override))
