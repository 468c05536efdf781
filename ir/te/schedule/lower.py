"""Lower schedules: the loops of all stages in one statement, and functions of them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from tvmscript.ir.analysis.undefined_vars import undefined_vars
from tvmscript.ir.arith.analyzer import Analyzer
from tvmscript.ir.arith.fold import FALSE, TRUE, is_true
from tvmscript.ir.core import HANDLE, DType, IRModule, PointerType, PrimType, on
from tvmscript.ir.core.errors import WrongType
from tvmscript.ir.te.errors import InvalidSchedule, NotAnArgument
from tvmscript.ir.te.reciprocals import Reciprocals
from tvmscript.ir.te.schedule.bound import infer_bound
from tvmscript.ir.te.schedule.hybrid_loops import scheduled_loops
from tvmscript.ir.te.schedule.loop_nest import (
    LOOP_SCOPE,
    Around,
    Nest,
    bound_checks,
    condition_nest,
    loop_nest,
    merge,
    touched_by_reduction,
)
from tvmscript.ir.te.schedule.schedule import Argument, Schedule, lower_schedule
from tvmscript.ir.te.schedule.stage import Attach, AxisAttrs, Stage
from tvmscript.ir.te.schedule.tensorize import (
    BoundBuffers,
    Region,
    check_body,
    strides_of,
    tensorized_at,
    tensorized_regions,
)
from tvmscript.ir.te.tensor import (
    ComputeOp,
    ExternOp,
    HybridOp,
    Operation,
    PlaceholderOp,
    ScanOp,
    Tensor,
    TensorComputeOp,
    loaded_tensors,
)
from tvmscript.ir.te.tensor_intrin import TensorIntrin
from tvmscript.ir.tir import (
    NOOP,
    Allocate,
    AttrStmt,
    Buffer,
    BufferLoad,
    BufferRealize,
    BufferStore,
    Evaluate,
    Expr,
    IfThenElse,
    IntImm,
    IterKind,
    IterVar,
    LetStmt,
    PrimFunc,
    Range,
    Stmt,
    StringImm,
    TirRewriter,
    Var,
    can_drop,
    const,
    is_noop,
    make_buffer,
    seq,
    substitute,
    uses,
)
from tvmscript.ir.tir.intrin.bits import reinterpret
from tvmscript.ir.tir.intrin.control import likely, tvm_tuple
from tvmscript.ir.tir.intrin.sync import tvm_thread_allreduce
from tvmscript.ir.tir.operators import logical_or
from tvmscript.ir.tir.te_nodes import ProducerLoad, Reduce
from tvmscript.ir.transform.memory.apply_layout_transforms import ApplyLayoutTransforms

#: ranges of axes
Domains = Mapping[IterVar, Range]
_INIT_SCOPE: Final = "scan_init_scope"
_UPDATE_SCOPE: Final = "scan_update_scope"


class _Lowering:
    """Loops of stages, over buffers of their tensors."""

    def __init__(self, schedule: Schedule, domains: Domains, buffers: dict[Tensor, Buffer]) -> None:
        self.schedule = schedule
        self.domains = domains
        #: arguments
        self.arguments = dict(buffers)
        self.buffers = buffers
        #: variables whose values are computed where they are defined
        self.kept: set[Var] = set()
        #: what replaces a tensor of a replaced operation, or of a scan's parts
        self.origins: dict[Tensor, Tensor] = {}
        for stage in schedule.stages:
            if stage.op is not stage.origin_op:
                self.origins |= dict(zip(stage.op.outputs, stage.origin_op.outputs, strict=True))
            if isinstance(stage.op, ScanOp):
                for state, *parts in zip(
                    stage.origin_op.outputs, stage.op.init, stage.op.update, stage.op.state_placeholder, strict=True
                ):
                    self.origins |= dict.fromkeys(parts, state)

    def origin(self, tensor: Tensor) -> Tensor:
        """Return the tensor that the user defined, of one that replaces it."""
        while tensor in self.origins:
            tensor = self.origins[tensor]
        return tensor

    def buffer(self, tensor: Tensor) -> Buffer:
        """Return the buffer of a tensor, with the scope of its stage."""
        tensor = self.origin(tensor)
        buffer = self.buffers.get(tensor)
        if buffer is None:
            stage = self.schedule[tensor.op]
            data = Var(tensor.name, PointerType(PrimType(tensor.dtype), stage.scope))
            buffer = make_buffer(tensor.shape, tensor.dtype, tensor.name, data)
            if stage.axis_separators:
                buffer = buffer.replace(axis_separators=stage.axis_separators)
            self.buffers[tensor] = buffer
        return buffer

    # -- stages

    def lower(self) -> Stmt:
        """Return the loops of all stages."""
        body: Stmt = NOOP
        inits = {tensor.op: stage.op for stage in self.schedule.stages for tensor in _inits(stage.op)}
        for stage in reversed(self.schedule.stages):
            if isinstance(stage.op, PlaceholderOp) or stage.attach_type is Attach.INLINED_ALREADY:
                continue
            spec = stage.attach_spec()
            if stage.op in inits:
                body = self.attach(stage, body, _INIT_SCOPE, inits[stage.op])
            elif spec.attach_type is Attach.SCAN_UPDATE:
                assert spec.attach_stage is not None
                body = self.attach(stage, body, _UPDATE_SCOPE, spec.attach_stage.op)
            elif spec.attach_type is Attach.ROOT:
                body = self.pipeline(stage, body)
            else:
                body = self.attach(stage, body, LOOP_SCOPE, spec.attach_ivar)
        post = _PostProcessing(self)
        result: Stmt = post.rewrite(body)
        return result

    def attach(self, stage: Stage, body: Stmt, key: str, about: object) -> Stmt:
        """Put the loops of a stage inside of an attribute. Raises `InvalidSchedule` where it is not there."""
        attacher = _Attacher(key, about, lambda inner: self.pipeline(stage, inner))
        attached: Stmt = attacher.rewrite(body)
        if not attacher.is_found:
            raise InvalidSchedule(
                where=f"stage {stage.op.name}", reason="the loop that it is computed under is not there"
            )
        return attached

    def pipeline(self, stage: Stage, consumer: Stmt) -> Stmt:
        """Return the loops of a stage before its consumers, inside of the realized regions of its tensors."""
        producer = self.provide(stage)
        target = self.buffer(stage.op.outputs[0])
        if stage.is_double_buffered:
            producer = AttrStmt(target, "double_buffer_scope", IntImm("int32", 1), producer)
        body = producer if is_noop(consumer) else seq(producer, consumer)
        if stage.is_rolling:
            body = AttrStmt(target, "rolling_buffer_scope", TRUE, body)
        return self.realize(stage, body)

    def bounds(self, op: Operation, number: int) -> tuple[Range, ...]:
        """Return the region of an output that exists."""
        tensor = op.outputs[number]
        if isinstance(op, ScanOp):
            time = self.domains[op.scan_axis]
            whole = Range.from_min_extent(IntImm(time.min.dtype, 0), Analyzer().simplify(time.extent + time.min))
            return (whole, *(self.domains[axis] for axis in op.spatial_axes_of(number)))
        if isinstance(op, ExternOp):
            return tuple([Range.from_extent(extent) for extent in tensor.shape])
        return tuple([self.domains[axis] for axis in tensor.axis])

    def realize(self, stage: Stage, body: Stmt) -> Stmt:
        """Return a statement in which the outputs of a stage exist."""
        op = stage.op
        for number, tensor in reversed(list(enumerate(op.outputs))):
            bounds = self.bounds(op, number)
            buffer = self.buffer(tensor)
            body = BufferRealize(buffer, bounds, TRUE, body)
            if buffer.storage_scope != "global" or stage.scope:
                body = AttrStmt(buffer, "realize_scope", StringImm(stage.scope), body)
            for place, axis in enumerate(tensor.axis):
                alignment = stage.attrs.get(axis, AxisAttrs()).alignment
                if alignment is not None:
                    body = AttrStmt(buffer, "buffer_dim_align", tvm_tuple(place, *alignment), body)
        return body

    # -- operations

    def provide(self, stage: Stage) -> Stmt:
        """Return the loops that compute an operation."""
        op = stage.op
        if isinstance(op, ComputeOp):
            is_across = any(
                axis.iter_type is IterKind.COMM_REDUCE and stage.attrs.get(axis, AxisAttrs()).bind_thread is not None
                for axis in stage.leaf_iter_vars
            )
            place = tensorized_at(stage)
            if place is not None:
                return self.tensorize(stage, op, place)
            return self.cross_thread_reduction(stage, op) if is_across else self.compute(stage, op)
        if isinstance(op, TensorComputeOp):
            return self.tensor_compute(stage, op)
        if isinstance(op, ScanOp):
            return self.scan(stage, op)
        if isinstance(op, ExternOp):
            body = self.extern(op)
            if isinstance(op, HybridOp):
                body = scheduled_loops(stage, op, body, self.domains)
            return AttrStmt(IntImm("int32", 0), "extern_scope", IntImm("int32", 0), body)
        raise InvalidSchedule(where=f"stage {op.name}", reason=f"{type(op).__name__} is not lowered yet")

    def compute(self, stage: Stage, op: ComputeOp) -> Stmt:
        """Return loops around stores; those of a reduction have the init where its first loop begins."""
        values: dict[IterVar, Expr] = {}
        main = loop_nest(stage, self.domains, values)
        predicates = [likely(check) for check in bound_checks(stage, self.domains, values)]
        if stage.store_predicate is not None:
            predicates.append(stage.store_predicate)
        inside = condition_nest(predicates)
        first = op.body[0]
        if not isinstance(first, Reduce):
            stores = [self.store(tensor, value, op) for tensor, value in zip(op.outputs, op.body, strict=True)]
            return substitute(merge([*main, inside], seq(*stores)), _by_var(values))
        begin, init_values, init_nest = self.init_nest(stage, values)
        init, update = self.reduction(first, op)
        init = substitute(merge(init_nest, init), _by_var(init_values))
        body = merge([*main[begin + 1 :], inside], update)
        return substitute(merge(main[: begin + 1], seq(init, body)), _by_var(values))

    def init_nest(self, stage: Stage, values: Mapping[IterVar, Expr]) -> tuple[int, dict[IterVar, Expr], Nest]:
        """Return where the loops of a reduction begin, and the loops of its init from there, with their values."""
        op = stage.op
        leaves = stage.leaf_iter_vars
        marks = touched_by_reduction(stage, op.axis, op.reduce_axis)
        begin = next((place for place, axis in enumerate(leaves) if marks.get(axis, 0) & 2), len(leaves))
        skipped = {axis for axis, mark in marks.items() if mark == 2}
        inner = {axis: values[axis] for axis in leaves[:begin]}
        nest = loop_nest(stage, self.domains, inner, begin=begin, is_init=True, skipped=skipped)
        # what is beyond the tensor is in the buffer, and is not read
        checks = bound_checks(stage, self.domains, inner, skip_domains=True, skipped=skipped)
        return begin, inner, [*nest, condition_nest([likely(check) for check in checks])]

    # -- tensor intrinsics

    def tensorize(self, stage: Stage, op: ComputeOp, place: int) -> Stmt:
        """Return loops around the statements of an intrinsic, which computes the loops inside."""
        intrin = stage.attrs[stage.leaf_iter_vars[place]].tensor_intrin
        assert intrin is not None
        ranges, regions = tensorized_regions(stage, op, place, self.domains)
        check_body(op, intrin, ranges, regions)
        inputs = [regions[tensor] for tensor in op.input_tensors]
        output = tuple([ranges[axis] for axis in op.axis])
        return self.intrinsic(stage, intrin, place, list(zip(op.input_tensors, inputs, strict=True)), output, {})

    def tensor_compute(self, stage: Stage, op: TensorComputeOp) -> Stmt:
        """Return loops around the statements of an intrinsic, which an operation calls."""
        inputs = list(zip(op.inputs, op.input_regions, strict=True))
        output = [
            axis.dom if number >= op.schedulable_ndim and axis.dom is not None else Range.from_min_extent(axis.var, 1)
            for number, axis in enumerate(op.axis)
        ]
        scalars = dict(zip(op.intrin.scalar_params, op.scalar_inputs, strict=True))
        return self.intrinsic(stage, op.intrin, len(stage.leaf_iter_vars), inputs, tuple(output), scalars)

    def intrinsic(
        self,
        stage: Stage,
        intrin: TensorIntrin,
        place: int,
        inputs: Sequence[tuple[Tensor, Region]],
        output: Region,
        scalars: Mapping[Var, Expr],
    ) -> Stmt:
        """Return the loops outside of a place around an intrinsic; a reduction outside begins with its init."""
        op = stage.op
        values: dict[IterVar, Expr] = {}
        main = loop_nest(stage, self.domains, values)
        inside = condition_nest([likely(check) for check in bound_checks(stage, self.domains, values)])
        pairs = [*inputs, *((tensor, output) for tensor in op.outputs)]
        bound = list(zip(intrin.buffers, pairs, strict=True))

        def statement(body: Stmt | None) -> Stmt:
            if body is None:
                reason = f"{intrin.name} has no statement for this place in the reduction"
                raise InvalidSchedule(where=f"tensorize of stage {op.name}", reason=reason)
            return substitute(self.on_regions(body, bound), scalars)

        begin, init_values, init_nest = (
            self.init_nest(stage, values) if op.reduce_axis else (place, dict[IterVar, Expr](), list[list[Around]]())
        )
        if place <= begin:
            body = merge([*main[: place + 1], inside], statement(intrin.body))
            return substitute(body, _by_var(values))
        update = statement(intrin.reduce_update)
        if intrin.reduce_init is None:
            later: Expr = FALSE
            for axis in stage.leaf_iter_vars[:place]:
                if axis.iter_type is IterKind.COMM_REDUCE:
                    is_later = likely(axis.var > self.domains[axis].min)
                    later = is_later if later is FALSE else logical_or(later, is_later)
            update = IfThenElse(later, update, statement(intrin.body))
            return substitute(merge([*main[: place + 1], inside], update), _by_var(values))
        init = merge([*init_nest[: place + 1], init_nest[-1]], statement(intrin.reduce_init))
        init = substitute(init, _by_var(init_values))
        body = merge([*main[begin + 1 : place + 1], inside], update)
        return substitute(merge(main[: begin + 1], seq(init, body)), _by_var(values))

    def on_regions(self, body: Stmt, bound: Sequence[tuple[Buffer, tuple[Tensor, Region]]]) -> Stmt:
        """Return a statement on regions of tensors instead of its own buffers."""
        binder = BoundBuffers()
        for buffer, (tensor, region) in bound:
            origin = self.origin(tensor)
            target = self.buffer(origin)
            stage = self.schedule[origin.op]
            is_argument = origin in self.arguments
            realized = None if is_argument else self.bounds(stage.op, origin.value_index)
            binder.bind(buffer, target, region, realized, strides_of(target, realized))
        rewritten: Stmt = binder.rewrite(body)
        return rewritten

    def store(self, tensor: Tensor, value: Expr, op: ComputeOp) -> Stmt:
        return BufferStore(self.buffer(tensor), value, tuple([axis.var for axis in op.axis]))

    def reduction(self, node: Reduce, op: ComputeOp) -> tuple[Stmt, Stmt]:
        """Return the init and a step of a reduction."""
        indices = [axis.var for axis in op.axis]
        start = node.init or node.combiner.identity_element
        lhs = [tensor(*indices) for tensor in op.outputs]
        results = combine(node, lhs, node.source)
        init = seq(*[self.store(tensor, value, op) for tensor, value in zip(op.outputs, start, strict=True)])
        update = self.step(op, results)
        return init, update if is_true(node.condition) else IfThenElse(node.condition, update)

    def step(self, op: ComputeOp, results: Sequence[Expr]) -> Stmt:
        """Store the results of a step; all are computed before, where one needs what an earlier one replaces."""
        needs_old = any(
            tensor in op.outputs[:number] for number, value in enumerate(results) for tensor in loaded_tensors(value)
        )
        held = self.variables_of(op, results) if needs_old else []
        body = seq(*[self.store(tensor, value, op) for tensor, value in zip(op.outputs, held or results, strict=True)])
        return _let(held, results, body)

    def variables_of(self, op: ComputeOp, results: Sequence[Expr]) -> list[Var]:
        """Return variables for the results of a step."""
        held = [Var(f"v_{op.name}_{i}", value.dtype) for i, value in enumerate(results)]
        self.kept.update(held)
        return held

    def cross_thread_reduction(self, stage: Stage, op: ComputeOp) -> Stmt:
        """Return a reduction over threads: each one's part, the sum over threads, a store of the result."""
        values: dict[IterVar, Expr] = {}
        nest = loop_nest(stage, self.domains, values)
        conditions = bound_checks(stage, self.domains, values)
        reduces = [value for value in op.body if isinstance(value, Reduce)]
        first = reduces[0]
        leaves = stage.leaf_iter_vars
        threads = [
            thread
            for axis in leaves
            if axis.iter_type is IterKind.COMM_REDUCE
            and (thread := stage.attrs.get(axis, AxisAttrs()).bind_thread) is not None
        ]
        serial = [
            place
            for place, axis in enumerate(leaves)
            if axis.iter_type is IterKind.COMM_REDUCE and stage.attrs.get(axis, AxisAttrs()).bind_thread is None
        ]
        predicates = [*conditions, *([] if is_true(first.condition) else [first.condition])]
        holds: Expr = TRUE
        for predicate in predicates:
            holds = predicate if holds is TRUE else holds & predicate
        results = [_register(f"reduce_temp{i}", value.dtype) for i, value in enumerate(reduces)]
        parts = [_register(f"normal_reduce_temp{i}", value.dtype) for i, value in enumerate(reduces)] if serial else []
        zero = IntImm("int32", 0)
        sources: list[Expr] = [BufferLoad(part, (zero,)) for part in parts]
        arguments = [const(len(reduces), "uint32"), *(sources or first.source), TRUE if serial else holds]
        arguments += [BufferLoad(result, (zero,)) for result in results]
        reduce_across: Stmt = Evaluate(tvm_thread_allreduce(*arguments, *(thread.var for thread in threads)))
        reduce_across = AttrStmt(
            first.combiner, "reduce_scope", reinterpret("handle", const(0, "uint64")), reduce_across
        )
        indices = tuple([axis.var for axis in op.axis])
        stores = [
            BufferStore(self.buffer(tensor), BufferLoad(result, (zero,)), indices)
            for tensor, result in zip(op.outputs, results, strict=True)
        ]
        store = seq(*stores)
        heads = (
            [stage.store_predicate]
            if stage.store_predicate is not None
            else [thread.var.equal(0) for thread in threads]
        )
        # a result is stored behind the loops of the reduction, whose variables have no value there
        inner_vars = {leaves[place].var for place in serial} | {thread.var for thread in threads}
        if any(not inner_vars.isdisjoint(uses(values[axis])) for axis in op.axis):
            raise InvalidSchedule(
                where=f"stage {op.name}",
                reason="threads cannot reduce along a loop that is fused with one of the result",
            )
        spatial = [check for check in conditions if uses(check).isdisjoint(inner_vars)]
        store = merge([condition_nest([*spatial, *heads])], store)
        statements: list[Stmt] = [reduce_across, store]
        outer = nest
        if serial:
            start = first.init or first.combiner.identity_element
            init = seq(*[BufferStore(part, value, (zero,)) for part, value in zip(parts, start, strict=True)])
            combined = combine(first, [BufferLoad(part, (zero,)) for part in parts], first.source)
            held = self.variables_of(op, combined) if len(parts) > 1 else []
            step = seq(
                *[BufferStore(part, value, (zero,)) for part, value in zip(parts, held or combined, strict=True)]
            )
            step = merge([condition_nest(predicates)], _let(held, combined, step))
            inner = [level for place, level in enumerate(nest) if place - 1 in serial]
            outer = [level for place, level in enumerate(nest) if place - 1 not in serial]
            statements = [init, merge(inner, step), *statements]
        body = seq(*statements)
        for result in reversed([*results, *parts]):
            body = Allocate(result.data, result.dtype, result.shape, TRUE, body)
        return merge(outer, substitute(body, _by_var(values)))

    def scan(self, stage: Stage, op: ScanOp) -> Stmt:
        """Return the loop over the steps, with places for the init and the update."""
        values: dict[IterVar, Expr] = {}
        nest = loop_nest(stage, self.domains, values)
        threads = sum(axis.iter_type is IterKind.THREAD_INDEX for axis in stage.leaf_iter_vars)
        nest[threads].append(lambda body: AttrStmt(op, _INIT_SCOPE, IntImm("int32", 0), body))
        checks = bound_checks(stage, self.domains, values)
        body = AttrStmt(op, _UPDATE_SCOPE, op.scan_axis.var, NOOP)
        return merge([*nest, condition_nest(checks)], substitute(body, _by_var(values)))

    def extern(self, op: ExternOp) -> Stmt:
        """Return the statement of an operation, on the buffers of its tensors."""
        tensors = [*op.inputs, *op.outputs]
        regions = [(tensor, tuple([Range.from_extent(extent) for extent in tensor.shape])) for tensor in tensors]
        buffers = (*op.input_placeholders, *op.output_placeholders)
        return self.on_regions(op.body, list(zip(buffers, regions, strict=True)))


def combine(node: Reduce, lhs: Sequence[Expr], rhs: Sequence[Expr]) -> list[Expr]:
    """Return the results of combining two groups of values."""
    operands = dict(zip((*node.combiner.lhs, *node.combiner.rhs), (*lhs, *rhs), strict=True))
    return [substitute(value, operands) for value in node.combiner.result]


def _by_var(values: Mapping[IterVar, Expr]) -> dict[Var, Expr]:
    return {axis.var: value for axis, value in values.items() if value is not axis.var}


def _let(variables: Sequence[Var], values: Sequence[Expr], body: Stmt) -> Stmt:
    """Return a statement in which variables, where there are any, have values."""
    for var, value in reversed([*zip(variables, values, strict=False)]):
        body = LetStmt(var, value, body)
    return body


def _register(name: str, dtype: DType) -> Buffer:
    data = Var(name, PointerType(PrimType(dtype), "local"))
    return make_buffer((1,), dtype, name, data)


def _inits(op: Operation) -> Sequence[Tensor]:
    return op.init if isinstance(op, ScanOp) else ()


class _Attacher(TirRewriter):
    """Rewriter that changes the statement inside of an attribute."""

    def __init__(self, key: str, about: object, change: Callable[[Stmt], Stmt]) -> None:
        super().__init__()
        self.key, self.about, self.change = key, about, change
        self.is_found = False

    @on(AttrStmt)
    def attribute(self, node: AttrStmt) -> Stmt:
        body = self.rewrite(node.body)
        if node.attr_key == self.key and node.node is self.about:
            self.is_found = True
            body = self.change(body)
        return node if body is node.body else AttrStmt(node.node, node.attr_key, node.value, body, span=node.span)

    def rewrite(self, node: Any) -> Any:
        return node if isinstance(node, Expr) else super().rewrite(node)


class _PostProcessing(Reciprocals):
    """Rewriter that removes marks and realized regions of replaced tensors, and maps elements to buffers."""

    def __init__(self, lowering: _Lowering) -> None:
        super().__init__()
        self.lowering = lowering
        #: thread variables -> extents of launches around
        self.launched: dict[Var, Expr] = {}
        self.realized: set[Buffer] = set()
        for stage in lowering.schedule.stages:
            for axis, attrs in stage.attrs.items():
                if attrs.bind_thread is not None:
                    self.renamed[axis.var] = attrs.bind_thread.var

    @on(Var)
    def var(self, node: Var) -> Expr:
        return self.renamed.get(node, node)  # type: ignore[return-value]  # variables are replaced by expressions

    @on(ProducerLoad)
    def producer_load(self, node: ProducerLoad) -> Expr:
        assert isinstance(node.producer, Tensor)
        return BufferLoad(self.lowering.buffer(node.producer), self.indices(node.indices), span=node.span)

    @on(LetStmt)
    def let(self, node: LetStmt) -> Stmt:
        if node.var in self.lowering.kept or not can_drop(node.value):
            return self.descend(node)
        self.renamed[node.var] = self.rewrite(node.value)
        return self.rewrite(node.body)

    @on(BufferRealize)
    def realize(self, node: BufferRealize) -> Stmt:
        if node.buffer in self.realized:
            return self.rewrite(node.body)
        self.realized.add(node.buffer)
        stmt = self.descend(node)
        self.realized.discard(node.buffer)
        return stmt

    @on(AttrStmt)
    def attribute(self, node: AttrStmt) -> Stmt:
        if node.attr_key in (LOOP_SCOPE, _INIT_SCOPE):
            return self.rewrite(node.body)
        if node.attr_key == _UPDATE_SCOPE:
            assert isinstance(node.node, ScanOp)
            self.renamed[node.node.scan_axis.var] = self.rewrite(node.value)
            return self.rewrite(node.body)
        if node.attr_key == "prefetch_scope":
            return self.prefetch(node)
        if node.attr_key == "thread_extent":
            thread: IterVar = node.node
            if thread.var in self.launched:
                return self.rewrite(node.body)
            self.launched[thread.var] = node.value
            body = self.rewrite(node.body)
            del self.launched[thread.var]
            return AttrStmt(thread, node.attr_key, self.rewrite(node.value), body)
        return node.rebuild(value=self.rewrite(node.value), body=self.rewrite(node.body))

    def prefetch(self, node: AttrStmt) -> Stmt:
        """Keep what a tensor's prefetch says for the pass that injects it."""
        return AttrStmt(
            self.lowering.buffer(node.node), node.attr_key, self.rewrite(node.value), self.rewrite(node.body)
        )


def schedule_ops(schedule: Schedule, domains: Domains, buffers: dict[Tensor, Buffer]) -> Stmt:
    """Return the loops of a normalized schedule. Arguments have buffers; other tensors get theirs."""
    return _Lowering(schedule, domains, buffers).lower()


def parameter_buffer(tensor: Tensor) -> Buffer:
    """Return a buffer for an argument; one with a variable as an extent has strides that the caller tells."""
    is_dynamic = any(isinstance(extent, Var) for extent in tensor.shape)
    if not is_dynamic:
        return make_buffer(tensor.shape, tensor.dtype, tensor.op.name)
    strides = [Var("stride", extent.dtype) for extent in tensor.shape]
    return make_buffer(tensor.shape, tensor.dtype, tensor.op.name, strides=strides, buffer_type="auto_broadcast")


def to_prim_func(
    schedule: Schedule, args: Sequence[Argument], name: str = "main", binds: Mapping[Tensor, Buffer] | None = None
) -> PrimFunc:
    """Return a function of tensors, buffers and variables that does what a schedule says.

    Its statements have realized regions, which `tir.StorageFlatten` lowers. Raises `InvalidSchedule`, `NotAnArgument`.
    """
    normal = schedule.normalize()
    bound = dict(binds or {})
    params: list[Var] = []
    buffer_map: dict[Var, Buffer] = {}
    buffers: dict[Tensor, Buffer] = {}
    for arg in args:
        if isinstance(arg, Var):
            params.append(arg)
            continue
        if not isinstance(arg, (Tensor, Buffer)):
            raise WrongType(where="tvm.lower", expected="tensors, buffers and variables", got=repr(arg))
        buffer = bound.get(arg) or parameter_buffer(arg) if isinstance(arg, Tensor) else arg
        if isinstance(arg, Tensor):
            own = normal.stage_map.get(arg.op)  # None for an argument that nothing reads
            separators = () if own is None else own.axis_separators
            buffer = buffers[arg] = buffer.replace(axis_separators=separators) if separators else buffer
        params.append(Var(buffer.name, HANDLE))
        buffer_map[params[-1]] = buffer
    buffers = {**{tensor: buffer for tensor, buffer in bound.items() if tensor not in buffers}, **buffers}
    for stage in normal.stages:
        if isinstance(stage.op, PlaceholderOp) and stage.op.outputs[0] not in buffers and not _is_state(normal, stage):
            raise NotAnArgument(where="tvm.lower", name=stage.op.name)
    body = schedule_ops(normal, infer_bound(normal), buffers)
    _check_threads(normal, body)
    attrs: dict[str, Any] = {"from_legacy_te_schedule": True, "global_symbol": name, "tir.noalias": True}
    layouts = {
        buffers[stage.origin_op.outputs[0]]: tuple(stage.layout_maps)
        for stage in normal.stages
        if stage.layout_maps and stage.attach_type is not Attach.INLINED_ALREADY
    }
    if not layouts:
        return PrimFunc(tuple(params), body, buffer_map=buffer_map, attrs=attrs)
    attrs["layout_transform_map"] = layouts
    return ApplyLayoutTransforms().transform(PrimFunc(tuple(params), body, buffer_map=buffer_map, attrs=attrs))


def _check_threads(schedule: Schedule, body: Stmt) -> None:
    """Raise `InvalidSchedule` where memory of single threads is used outside of them."""
    threads = {
        attrs.bind_thread.var for stage in schedule.stages for attrs in stage.attrs.values() if attrs.bind_thread
    }
    for var in undefined_vars(body) if threads else ():
        if var in threads:
            reason = f"a stage in the memory of the threads {var.name} is computed outside of them"
            raise InvalidSchedule(where="the schedule", reason=reason)


def _is_state(schedule: Schedule, stage: Stage) -> bool:
    """Return whether a placeholder stands for the result of a scan."""
    return any(
        isinstance(other.op, ScanOp) and stage.op.outputs[0] in other.op.state_placeholder for other in schedule.stages
    )


@lower_schedule.fill
def _to_module(
    schedule: Schedule, args: Sequence[Argument], name: str, binds: Mapping[Tensor, Buffer] | None
) -> IRModule:
    return IRModule.from_expr(to_prim_func(schedule, args, name, binds))
