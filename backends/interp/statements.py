"""Statements as closures."""

from __future__ import annotations

import math
from collections.abc import Callable, Generator
from contextlib import contextmanager
from functools import partial

from tvmscript.backends.interp import async_copies, cooperative_threads
from tvmscript.backends.interp.compiler import Code, Compiler, Frame, rule
from tvmscript.backends.interp.layout import binder, locate, make_strided, matcher, shape_matcher, strided_of, vector_of
from tvmscript.backends.interp.memory import Memory, Pointer, allocate, codec
from tvmscript.backends.interp.monitor import Monitor
from tvmscript.backends.runtime.errors import KernelAssertion, TooManyIterations, WrongArrayDType, WrongArrayStrides
from tvmscript.ir.tir import Buffer, Call, CommReducer, IntImm, IterKind, IterVar, StringImm, Var
from tvmscript.ir.tir import stmt as tir

#: Attributes that make their body run once for each value of a thread index.
THREAD_ATTRIBUTES = frozenset({"thread_extent", "virtual_thread"})


def nothing(frame: Frame) -> None:
    """Do nothing: the empty statement."""


@rule(tir.SeqStmt)
def sequence(compiler: Compiler, node: tir.SeqStmt) -> Code:
    codes = [compiler.code(stmt) for stmt in node.seq]
    return run_in_order(codes)


def run_in_order(codes: list[Code]) -> Code:
    """Return code that runs several codes one after the other."""
    if len(codes) == 1:
        return codes[0]
    if len(codes) == 2:
        first, second = codes

        def two(frame: Frame) -> None:
            first(frame)
            second(frame)

        return two

    def run(frame: Frame) -> None:
        for code in codes:
            code(frame)

    return run


@rule(tir.For)
def loop(compiler: Compiler, node: tir.For) -> Code:
    """Run iterations one after the other, whatever the loop's kind, unless they are synchronizing threads."""
    start, extent = compiler.code(node.min), compiler.code(node.extent)
    if node.thread_binding is not None:
        launched = cooperative_threads.launch(
            compiler, node.thread_binding, node.loop_var, extent, node, node.body, start
        )
        if launched is not None:
            return launched
    slot = compiler.define(node.loop_var)
    body = compiler.code(node.body)
    label = _concurrent_label(node)
    if compiler.monitor is not None and label is not None:
        return _observed_loop(compiler.monitor, label, slot, lambda frame: _iterations(frame, start, extent), body)
    if isinstance(node.min, IntImm) and isinstance(node.extent, IntImm):
        return _fixed_loop(slot, range(node.min.value, node.min.value + node.extent.value), body)

    def run(frame: Frame) -> None:
        first = start(frame)
        for index in range(first, first + extent(frame)):
            frame[slot] = index
            body(frame)

    return run


def _iterations(frame: Frame, start: Code, extent: Code) -> range:
    first = start(frame)
    return range(first, first + extent(frame))


def _concurrent_label(node: tir.For) -> str | None:
    """Return the name of what runs concurrently in a loop: blocks, threads, or iterations; None for a serial loop."""
    if node.thread_binding is not None:
        tag = node.thread_binding.thread_tag
        return tag if tir.launch_key(tag) == "thread_extent" else None
    return node.loop_var.name if node.kind is tir.ForKind.PARALLEL else None


def _observed_loop(monitor: Monitor, label: str, slot: int, indices: Callable[[Frame], range], body: Code) -> Code:
    """Return a loop whose iterations the monitor runs."""

    def run(frame: Frame) -> None:
        def iterate(index: int) -> None:
            frame[slot] = index
            body(frame)

        monitor.run_iterations(label, indices(frame), iterate)

    return run


def _fixed_loop(slot: int, values: range, body: Code) -> Code:
    def run(frame: Frame) -> None:
        for index in values:
            frame[slot] = index
            body(frame)

    return run


@rule(tir.While)
def while_loop(compiler: Compiler, node: tir.While) -> Code:
    condition, body = compiler.code(node.condition), compiler.code(node.body)
    iterations = compiler.linker.while_iterations

    def run(frame: Frame) -> None:
        while condition(frame):
            body(frame)

    if iterations is None:
        return run
    # one of the iterations that all loops have together
    take = partial(next, iterations, None)

    def run_limited(frame: Frame) -> None:
        while condition(frame):
            if take() is None:
                raise TooManyIterations(span=node.span)
            body(frame)

    return run_limited


@rule(tir.IfThenElse)
def branch(compiler: Compiler, node: tir.IfThenElse) -> Code:
    condition, chosen = compiler.code(node.condition), compiler.code(node.then_case)
    other = nothing if node.else_case is None else compiler.code(node.else_case)

    def run(frame: Frame) -> None:
        if condition(frame):
            chosen(frame)
        else:
            other(frame)

    return run


@rule(tir.LetStmt)
def let(compiler: Compiler, node: tir.LetStmt) -> Code:
    value = compiler.code(node.value)
    bind = bind_data(compiler, node.var, value)
    body = compiler.code(node.body)
    return run_in_order([bind, body])


def bind_data(compiler: Compiler, var: Var, value: Code) -> Code:
    """Return code that sets a variable, and binds the plain buffers over it where it is an address."""
    slot = compiler.define(var)
    binders = [binder(compiler, buffer) for buffer in compiler.bound_with.get(var, ())]

    def bind(frame: Frame) -> None:
        frame[slot] = value(frame)
        for bind_buffer in binders:
            bind_buffer(frame)

    return bind


@rule(tir.AttrStmt)
def attribute(compiler: Compiler, node: tir.AttrStmt) -> Code:
    if isinstance(node.node, CommReducer):
        compiler.combiners.append(node.node)
        code = compiler.code(node.body)
        compiler.combiners.pop()
        return code
    if node.attr_key in async_copies.QUEUES:
        return async_copies.run_queue(compiler, node)
    if node.attr_key not in THREAD_ATTRIBUTES:
        return compiler.code(node.body)
    var = node.node.var if isinstance(node.node, IterVar) else node.node
    extent = compiler.code(node.value)
    if isinstance(node.node, IterVar):
        launched = cooperative_threads.launch(compiler, node.node, var, extent, node, node.body)
        if launched is not None:
            return launched
    slot = compiler.define(var)
    body = compiler.code(node.body)
    if compiler.monitor is not None and isinstance(node.node, IterVar) and node.attr_key == "thread_extent":
        tag = node.node.thread_tag
        return _observed_loop(compiler.monitor, tag, slot, lambda frame: range(extent(frame)), body)

    def run(frame: Frame) -> None:
        for index in range(extent(frame)):
            frame[slot] = index
            body(frame)

    return run


@rule(tir.AssertStmt)
def assertion(compiler: Compiler, node: tir.AssertStmt) -> Code:
    return run_in_order([check_assertion(compiler, node), compiler.code(node.body)])


def check_assertion(compiler: Compiler, node: tir.AssertStmt) -> Code:
    """Return the check of an assertion, without its body."""
    condition, span = compiler.code(node.condition), node.span
    text = node.message.value if isinstance(node.message, StringImm) else str(node.message)

    def run(frame: Frame) -> None:
        if not condition(frame):
            raise KernelAssertion(text=text, span=span)

    return run


@rule(tir.Evaluate)
def evaluate(compiler: Compiler, node: tir.Evaluate) -> Code:
    if isinstance(node.value, IntImm):
        return nothing
    code, call, monitor = compiler.code(node.value), node.value, compiler.monitor
    if monitor is None or not isinstance(call, Call):
        return code

    def run(frame: Frame) -> None:
        monitor.enter_call(call)
        code(frame)

    return run


@rule(tir.Allocate, tir.AllocateConst, tir.DeclBuffer)
def memory(compiler: Compiler, node: tir.Allocate | tir.AllocateConst | tir.DeclBuffer) -> Code:
    with bind_allocation(compiler, node) as bind:
        return run_in_order([bind, compiler.code(node.body)])


@contextmanager
def bind_allocation(
    compiler: Compiler, node: tir.Allocate | tir.AllocateConst | tir.DeclBuffer
) -> Generator[Code, None, None]:
    """Yield code that binds the memory or buffer of a statement while its body is compiled."""
    bind, scope = _allocation_code(compiler, node)
    is_private = not compiler.is_team and cooperative_threads.is_private(scope)
    if is_private:
        compiler.private.append((scope, bind))
    yield bind
    if is_private:
        compiler.private.pop()


def _allocation_code(compiler: Compiler, node: tir.Allocate | tir.AllocateConst | tir.DeclBuffer) -> tuple[Code, str]:
    """Return the code that binds an allocation, and its storage scope."""
    if isinstance(node, tir.DeclBuffer):
        return binder(compiler, node.buffer), node.buffer.storage_scope
    name, scope = node.buffer_var.name, node.buffer_var.storage_scope
    if isinstance(node, tir.AllocateConst):
        pointer = Pointer(Memory(memoryview(node.data.tobytes()), name))
        return bind_data(compiler, node.buffer_var, lambda frame: pointer), "global"
    extents = vector_of(compiler, node.extents)
    size = codec(node.dtype.element).size * node.dtype.lanes
    shared_memory = cooperative_threads.allocation(compiler, node, lambda frame: math.prod(extents(frame)) * size)
    memory = shared_memory or (lambda frame: allocate(math.prod(extents(frame)) * size, name, scope))
    bind = bind_data(compiler, node.buffer_var, lambda frame: Pointer(memory(frame)))
    return bind, scope


@rule(tir.BlockRealize)
def realize(compiler: Compiler, node: tir.BlockRealize) -> Code:
    predicate = compiler.code(node.predicate)
    always = isinstance(node.predicate, IntImm) and bool(node.predicate.value)
    codes: list[Code] = []
    for iter_var, value in zip(node.block.iter_vars, node.iter_values, strict=True):
        if not compiler.alias(iter_var.var, value):
            codes.append(assign(compiler.code(value), compiler.define(iter_var.var)))
    body = run_in_order([*codes, compiler.code(node.block)])
    if always:
        return body

    def run(frame: Frame) -> None:
        if predicate(frame):
            body(frame)

    return run


def assign(value: Code, slot: int) -> Code:
    def assign(frame: Frame) -> None:
        frame[slot] = value(frame)

    return assign


@rule(tir.Block)
def block(compiler: Compiler, node: tir.Block) -> Code:
    """Run allocations, matched buffers, `init` at the first reduction step, then the body.

    Variables that matching defines are known inside alone, so that the block may be entered from another place.
    """
    with enter_block(compiler, node) as codes:
        if node.init is not None:
            codes.append(run_at_first_step(compiler, node, compiler.code(node.init)))
        return run_in_order([*codes, compiler.code(node.body)])


@contextmanager
def enter_block(compiler: Compiler, node: tir.Block) -> Generator[list[Code], None, None]:
    """Yield code that allocates and matches the buffers of a block while the rest of it is compiled."""
    free_variables = [
        value
        for match in node.match_buffers
        for value in (*match.buffer.shape, *match.buffer.strides, match.buffer.elem_offset)
        if isinstance(value, Var) and compiler.is_free(value)
    ]
    yield [
        *(_allocate_buffer(compiler, buffer) for buffer in node.alloc_buffers),
        *(_match_region(compiler, match) for match in node.match_buffers),
    ]
    for var in free_variables:
        compiler.forget(var)


def run_at_first_step(compiler: Compiler, node: tir.Block, init: Code) -> Code:
    """Return code that runs `init` where every reduction variable is at the start of its domain."""
    starts: list[tuple[Code, Code]] = [
        (compiler.code(iter_var.var), compiler.code(iter_var.dom.min))
        for iter_var in node.iter_vars
        if iter_var.iter_type is IterKind.COMM_REDUCE and iter_var.dom is not None
    ]
    if len(starts) == 1:
        value, start = starts[0]

        def run_one(frame: Frame) -> None:
            if value(frame) == start(frame):
                init(frame)

        return run_one

    def run(frame: Frame) -> None:
        for value, start in starts:
            if value(frame) != start(frame):
                return
        init(frame)

    return run


def _allocate_buffer(compiler: Compiler, buffer: Buffer) -> Code:
    """Return code that allocates a buffer of a block, as large as its shape or its strides require."""
    shape = vector_of(compiler, buffer.shape)
    strides = vector_of(compiler, buffer.strides) if buffer.strides else None
    size = codec(buffer.dtype.element).size * buffer.dtype.lanes
    name, scope = buffer.name, buffer.storage_scope

    def make(frame: Frame) -> Pointer:
        extents = shape(frame)
        if strides is None:
            return Pointer(allocate(math.prod(extents) * size, name, scope))
        reach = sum((extent - 1) * step for extent, step in zip(extents, strides(frame), strict=True))
        return Pointer(allocate((reach + 1) * size if 0 not in extents else 0, name, scope))

    bind_pointer = bind_data(compiler, buffer.data, make)
    set_offset = matcher(compiler, buffer.elem_offset, "alloc_buffer")
    return run_in_order([bind_pointer, lambda frame: set_offset(frame, 0), binder(compiler, buffer)])


def _match_region(compiler: Compiler, match: tir.MatchBufferRegion) -> Code:
    """Bind a buffer to a region of another: its elements are the region's, at the same offsets.

    The buffer may have fewer dimensions; those that it leaves out have extent 1. Its data is the source's, and its
    `elem_offset` is where the region begins there. Elements of the region that the source lacks may not be accessed.
    Raises `WrongArrayShape`, `WrongArrayStrides`, `WrongArrayDType`.
    """
    buffer, source, span = match.buffer, match.source.buffer, match.span or match.buffer.span
    if buffer.dtype is not source.dtype:
        raise WrongArrayDType(
            function="match_buffer", name=buffer.name, expected=buffer.dtype, got=source.dtype, span=span
        )
    compiler.matched.add(buffer)
    bound, source_slot = strided_of(compiler, source), compiler.slot(source.data)
    starts_of = vector_of(compiler, tuple(dim.min for dim in match.source.region))
    extents_of = vector_of(compiler, tuple(dim.extent for dim in match.source.region))
    slot, data_slot = compiler.slot(buffer), compiler.define(buffer.data)
    check = shape_matcher(compiler, buffer, "match_buffer", span, compact=False)
    # an offset of 0 is what a buffer has where nothing is said about it
    stated = not (isinstance(buffer.elem_offset, IntImm) and buffer.elem_offset.value == 0)
    set_offset = matcher(compiler, buffer.elem_offset, "match_buffer")
    binders = [binder(compiler, plain) for plain in compiler.bound_with.get(buffer.data, ())]
    form, lanes, rank = codec(source.dtype.element), source.dtype.lanes, len(buffer.shape)

    def run(frame: Frame) -> None:
        view, base, shape, steps = bound(frame)
        starts, extents = starts_of(frame), extents_of(frame)
        first = base + sum(start * step for start, step in zip(starts, steps, strict=True))
        strides = tuple([step // lanes for step in steps])
        check(frame, extents, strides)
        begin = (first - locate(frame[source_slot], form)[1]) // lanes
        expected = set_offset(frame, begin)
        if stated and expected != begin:
            raise WrongArrayStrides(
                function="match_buffer",
                name=buffer.name,
                expected=f"must begin at element {expected}",
                got=f"{strides} and begins at element {begin}",
                span=span,
            )
        inside = [min(count, whole - start) for count, whole, start in zip(extents, shape, starts, strict=True)]
        left_out = len(inside) - rank
        frame[slot] = make_strided(view, first, tuple(inside[left_out:]), steps[left_out:], lanes, buffer.name, span)
        frame[data_slot] = frame[source_slot]
        for bind in binders:
            bind(frame)

    return run
