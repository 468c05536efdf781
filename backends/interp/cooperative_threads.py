"""Threads that synchronize: barriers of blocks, of clusters and of the grid, reductions, exchange within a warp.

Threads of a launch without synchronization run one after the other (see `statements`); otherwise the threads of a block
run together (see `teams`). Blocks run one after the other; those of a cluster run together, and all of them where there
is a barrier of all blocks.

Memory of scope `shared` that is allocated inside the threads is common to them. Memory of scopes of a single thread or
of a warp that is allocated outside is allocated for each thread.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, Final

from tvmscript.backends.interp.calls import SPECIAL
from tvmscript.backends.interp.compiler import Code, Compiler, Frame
from tvmscript.backends.interp.memory import Memory, allocate
from tvmscript.backends.interp.scalars import from_bits
from tvmscript.backends.interp.teams import (
    BLOCK_TAGS,
    CLUSTER_TAGS,
    THREAD_TAGS,
    LaunchExtents,
    Member,
    Waiting,
    run_threads,
)
from tvmscript.backends.runtime.errors import Unsupported
from tvmscript.ir.core import DType, Op, nodes
from tvmscript.ir.tir import Allocate, AttrStmt, BufferStore, CommReducer, Expr, For, Stmt, Var
from tvmscript.ir.tir.expr import BufferLoad, Call, IterVar, StringImm
from tvmscript.ir.tir.intrin.sync import allreduce_arguments

#: Warp operators of a device after its intrinsics are lowered, and what they are before.
_DEVICE_OPERATORS: Final[dict[str, str]] = {
    "tir.cuda.__shfl_sync": "tir.tvm_warp_shuffle",
    "tir.cuda.__shfl_up_sync": "tir.tvm_warp_shuffle_up",
    "tir.cuda.__shfl_down_sync": "tir.tvm_warp_shuffle_down",
}
_SHUFFLES: Final = ("tir.tvm_warp_shuffle", "tir.tvm_warp_shuffle_up", "tir.tvm_warp_shuffle_down")
_MASKS: Final = ("tir.tvm_warp_activemask", "tir.cuda.__activemask")
_BARRIER: Final = "tir.tvm_storage_sync"
_GRID_BARRIER: Final = "tir.cuda.grid_sync"
_CLUSTER_BARRIER: Final = "tir.cuda.cluster_sync"
_REDUCE: Final = "tir.tvm_thread_allreduce"
#: Instructions of tensor cores that a warp runs together: see `matrices`.
_MATRICES: Final = ("tir.ptx_mma", "tir.ptx_ldmatrix", "tir.mma_store")
#: Waiting for a barrier in shared memory: see `mbarriers`.
_WAITS: Final = ("tir.ptx_wait_barrier",)
#: The same of TVM 0.27: see `ptx_barriers`, `ptx_matrices`, `warp_groups`.
_OF_0_27: Final = (
    *(f"tir.ptx.{family}" for family in ("bar", "barrier", "ldmatrix", "mbarrier", "mma", "stmatrix", "wgmma")),
    *(f"tir.cuda.{name}" for name in ("cta_sync", "warp_sync", "warpgroup_sync")),
    *(f"tir.cuda.{name}" for name in ("mbarrier_wait", "mbarrier_wait_acquire_cluster")),
)
#: What makes threads meet.
_MEETINGS: Final = frozenset(
    {
        *_SHUFFLES, *_DEVICE_OPERATORS, *_MASKS, *_MATRICES, *_WAITS, *_OF_0_27,
        _BARRIER, _CLUSTER_BARRIER, _GRID_BARRIER, _REDUCE,
    }
)  # fmt: skip
#: Threads of a warp where an operator does not say it.
_WARP: Final = 32
_BLOCKS: Final = frozenset((*BLOCK_TAGS, *CLUSTER_TAGS))
_THREADS: Final = frozenset(THREAD_TAGS)


def current_member(member: Member | None, node: Call) -> Member:
    """Return the thread that runs. Raises `Unsupported` outside of threads."""
    if member is None:
        raise Unsupported(what=f"{node.op} outside of a launch of threads", where="the interpreter", span=node.span)
    return member


# compiling


def has_meetings(body: Stmt) -> bool:
    """Return whether threads synchronize in a statement."""
    return _calls(body, _MEETINGS)


def _calls(body: Stmt, names: frozenset[str]) -> bool:
    return any(isinstance(node, Call) and isinstance(node.op, Op) and node.op.name in names for node in nodes(body))


def _meets_blocks(body: Stmt) -> bool:
    """Return whether blocks of a launch run together: those of clusters, and those that wait for all others."""
    return any(axis.thread_tag in CLUSTER_TAGS for axis, _, _ in _axes(body)) or _calls(
        body, frozenset({_GRID_BARRIER})
    )


def launch(
    compiler: Compiler, axis: IterVar, var: Var, extent: Code, around: Stmt, body: Stmt, start: Code | None = None
) -> Code | None:
    """Return the launch of synchronizing threads, or a thread's part of an inner launch.

    Return None without synchronization, unless a monitor observes the threads.

    `around` is the statement of the launch; `start` is what the variable is in the first thread, where that is not 0.
    """
    tag = axis.thread_tag
    if tag not in _THREADS and (tag not in _BLOCKS or (compiler.is_team and not compiler.has_blocks)):
        return None
    if not compiler.is_team:
        compiler.has_blocks = _meets_blocks(around)
        if not compiler.has_blocks and (tag in _BLOCKS or (compiler.monitor is None and not has_meetings(body))):
            return None
    compiler.tags[var] = tag
    if compiler.is_team:
        return _compile_part(compiler, tag, var, extent, body, start)
    has_grid_barrier = _calls(around, frozenset({_GRID_BARRIER}))
    extents = [(launched, compiler.code(size)) for launched, size in _launches(compiler, around)]
    # shared memory of one block holds what was stored before its threads were launched
    private = [bind for scope, bind in compiler.private if compiler.has_blocks or not scope.startswith("shared")]
    compiler.is_team = True
    part = _compile_part(compiler, tag, var, extent, body, start)
    compiler.is_team = compiler.has_blocks = False
    slot, monitor = compiler.member, compiler.monitor

    def begin(frame: Frame) -> None:
        for bind in private:
            bind(frame)
        part(frame)

    def run(frame: Frame) -> None:
        sizes: dict[str, int] = {}
        for launched, size in extents:
            sizes[launched] = max(sizes.get(launched, 0), size(frame))
        launched_extents = LaunchExtents(sizes)
        if uneven := launched_extents.uneven_axis():
            what = f"a launch of {sizes.get(uneven, 1)} blocks along {uneven}, which are no whole clusters,"
            raise Unsupported(what=what, where="the interpreter", span=around.span)
        run_threads(launched_extents, frame, slot, begin, monitor, has_grid_barrier=has_grid_barrier)

    return run


def _compile_part(compiler: Compiler, tag: str, var: Var, extent: Code, body: Stmt, start: Code | None) -> Code:
    member, slot = compiler.member, compiler.define(var)
    code = compiler.code(body)

    def run(frame: Frame) -> None:
        index = frame[member].indices[tag]
        if index < extent(frame):
            frame[slot] = index if start is None else index + start(frame)
            code(frame)

    return run


def _axes(body: Stmt) -> Iterator[tuple[IterVar, Expr, Stmt]]:
    """Yield the launched axes with their extents and statements, outer ones first."""
    for node in nodes(body):
        if isinstance(node, AttrStmt) and node.attr_key == "thread_extent" and isinstance(node.node, IterVar):
            yield node.node, node.value, node
        elif isinstance(node, For) and node.thread_binding is not None:
            yield node.thread_binding, node.extent, node


def _launches(compiler: Compiler, body: Stmt) -> list[tuple[str, Expr]]:
    """Return the launched tags with their extents. Raises `Unsupported` for extents that depend on what is inside."""
    launches: list[tuple[str, Expr]] = []
    for axis, extent, stmt in _axes(body):
        if axis.thread_tag not in _THREADS and not (compiler.has_blocks and axis.thread_tag in _BLOCKS):
            continue
        if any(isinstance(node, Var) and compiler.is_free(node) for node in nodes(extent)):
            what = f"a launch of {axis.thread_tag} of a size that is computed inside of another one"
            raise Unsupported(what=what, where="the interpreter", span=stmt.span)
        launches.append((axis.thread_tag, extent))
    return launches


def allocation(compiler: Compiler, node: Allocate, size: Code) -> Code | None:
    """Return code for an allocation that threads share, None where each thread has its own."""
    scope, slot = node.buffer_var.storage_scope, compiler.member
    if not scope.startswith(("shared", "warp")):
        return None
    of_warp, name = scope == "warp", node.buffer_var.name

    def make(frame: Frame) -> Memory:
        member: Member | None = frame[slot]
        if member is None:  # outside of the threads, each of which allocates it again
            return allocate(size(frame), name, scope)
        return member.team.shared(member, node, size(frame), member.number // _WARP if of_warp else 0)

    return make


def is_private(scope: str) -> bool:
    """Return whether each thread, warp or block has its own memory of a scope, wherever it is allocated."""
    return scope.startswith(("local", "warp", "shared", "wmma", "m16n8k8"))


# what threads do when they meet


def _sync(compiler: Compiler, node: Call) -> Code:
    """Wait for the threads that share the scope: those of the warp, or of the block."""
    slot = compiler.member
    scope = node.args[0].value if isinstance(node.args[0], StringImm) else "shared"
    if scope == "global":
        what = "a barrier of all blocks without T.cuda.grid_sync()"
        raise Unsupported(what=what, where="the interpreter", span=node.span)

    def wait(frame: Frame) -> int:
        member: Member | None = frame[slot]
        if member is not None and scope == "warp":
            member.meet("warp", (node, member.number // _WARP))
        elif member is not None:
            member.meet("block", node)
        return 0

    return wait


def _grid_sync(compiler: Compiler, node: Call) -> Code:
    """Wait for the threads of all blocks."""
    slot = compiler.member

    def wait(frame: Frame) -> int:
        current_member(frame[slot], node).meet("grid", node)
        return 0

    return wait


def _cluster_sync(compiler: Compiler, node: Call) -> Code:
    """Wait for the threads of all blocks of the cluster."""
    arrive, wait = arrive_at_cluster(compiler, node), wait_for_cluster(compiler, node)

    def run(frame: Frame) -> int:
        arrive(frame)
        return int(wait(frame))

    return run


def arrive_at_cluster(compiler: Compiler, node: Call, *, releases: bool = True) -> Code:
    """Return code that arrives at the barrier of the cluster; others see what the thread has done if it releases."""
    slot, monitor = compiler.member, compiler.monitor

    def arrive(frame: Frame) -> int:
        member = current_member(frame[slot], node)
        member.cluster_arrivals += 1
        if monitor is not None and releases:
            monitor.arrive((id(member.team.cluster), member.cluster_arrivals))
        return 0

    return arrive


def wait_for_cluster(compiler: Compiler, node: Call) -> Code:
    """Return code that waits until all threads of the cluster have arrived as often as the thread."""
    slot, monitor = compiler.member, compiler.monitor

    def wait(frame: Frame) -> int:
        member = current_member(frame[slot], node)
        count, cluster = member.cluster_arrivals, member.team.cluster

        def is_over() -> bool:
            return all(team.has_arrived(count) for team in cluster)

        if not is_over():
            member.meet("cluster", node, given=Waiting(node, is_over))
        if monitor is not None:
            monitor.acquire((id(cluster), count))
        return 0

    return wait


def _mask(compiler: Compiler, node: Call) -> Code:
    """Return a bit for each thread of the warp that executes the call at the same time."""
    slot = compiler.member

    def tell(group: list[Member]) -> None:
        mask = sum(1 << member.number % _WARP for member in group)
        for member in group:
            member.answer = mask

    def mask(frame: Frame) -> int:
        member: Member | None = frame[slot]
        return 1 if member is None else member.meet("warp", (node, member.number // _WARP), tell)

    return mask


def _shuffle(compiler: Compiler, node: Call) -> Code:
    """Return the value of another thread of the warp; all bits are set where that thread does not take part."""
    assert isinstance(node.op, Op)
    kind = _DEVICE_OPERATORS.get(node.op.name, node.op.name)
    slot = compiler.member
    value, lane, width = [compiler.code(arg) for arg in node.args[1:4]]
    size = compiler.code(node.args[4]) if len(node.args) > 4 else lambda frame: _WARP
    nobody = _nobody(node.dtype)

    def exchange(group: list[Member]) -> None:
        values = {member.number: member.given[0] for member in group}
        for member in group:
            _, other, part, warp = member.given
            own = member.number % warp
            begin = own - own % part
            if kind == "tir.tvm_warp_shuffle":
                source = begin + other % part
            else:
                source = own - other if kind == "tir.tvm_warp_shuffle_up" else own + other
                source = source if begin <= source < begin + part else own
            member.answer = values.get(member.number - own + source, nobody)

    def shuffle(frame: Frame) -> object:
        member: Member | None = frame[slot]
        own = value(frame)
        if member is None:
            return own
        warp = size(frame)
        given = (own, lane(frame), width(frame), warp)
        return member.meet("warp", (node, member.number // warp), exchange, given)

    return shuffle


def _nobody(dtype: DType) -> object:
    element = from_bits(dtype.element)((1 << dtype.bits) - 1)
    return element if dtype.lanes == 1 else (element,) * dtype.lanes


def _allreduce(compiler: Compiler, node: Call) -> Code:
    """Reduce the values of threads along some axes, from the identity on, in the order of their numbers."""
    if not compiler.combiners:
        raise Unsupported(
            what="a reduction over threads without a reduce_scope", where="the interpreter", span=node.span
        )
    combiner = compiler.combiners[-1]
    arguments = allreduce_arguments(node, len(combiner.result))
    if arguments is None:
        raise Unsupported(what="a reduction over threads without results", where="the interpreter", span=node.span)
    values = [compiler.code(value) for value in arguments.values]
    condition = compiler.code(arguments.condition)
    combine, initial = _combination(compiler, combiner)
    stores = [_store(compiler, result) for result in arguments.results]
    reduced = {compiler.tags[axis] for axis in arguments.threads if isinstance(axis, Var) and axis in compiler.tags}
    slot = compiler.member

    def reduce(group: list[Member]) -> None:
        results = initial(group[0].frame)
        for member in sorted(group, key=lambda member: member.number):
            results = combine(member.frame, results, member.given)
        for member in group:
            member.answer = results

    def run(frame: Frame) -> int:
        member: Member | None = frame[slot]
        own = [value(frame) for value in values] if condition(frame) else initial(frame)
        if member is not None:
            others = tuple([member.indices[tag] for tag in THREAD_TAGS if tag not in reduced])
            own = member.meet("reduce", (node, others), reduce, own)
        for store, result in zip(stores, own, strict=True):
            store(frame, result)
        return 0

    return run


def _combination(
    compiler: Compiler, combiner: CommReducer
) -> tuple[Callable[..., list[Any]], Callable[..., list[Any]]]:
    """Return functions that combine two tuples of values, and that compute the identity."""
    slots = [compiler.define(var) for var in (*combiner.lhs, *combiner.rhs)]
    codes = [compiler.code(result) for result in combiner.result]
    firsts = [compiler.code(identity) for identity in combiner.identity_element]

    def combine(frame: Frame, left: list[Any], right: list[Any]) -> list[Any]:
        for slot, value in zip(slots, (*left, *right), strict=True):
            frame[slot] = value
        return [code(frame) for code in codes]

    return combine, lambda frame: [code(frame) for code in firsts]


def _store(compiler: Compiler, target: Any) -> Callable[[Frame, Any], None]:
    """Return code that sets the element that an expression reads."""
    load = target if isinstance(target, BufferLoad) else target.value
    value = Var("result", load.dtype)
    slot = compiler.define(value)
    code = compiler.code(BufferStore(load.buffer, value, load.indices))

    def store(frame: Frame, result: object) -> None:
        frame[slot] = result
        code(frame)

    return store


SPECIAL[_BARRIER] = _sync
SPECIAL[_REDUCE] = _allreduce
SPECIAL[_GRID_BARRIER] = _grid_sync
SPECIAL[_CLUSTER_BARRIER] = _cluster_sync
SPECIAL.update(dict.fromkeys(_MASKS, _mask))
SPECIAL.update(dict.fromkeys((*_SHUFFLES, *_DEVICE_OPERATORS), _shuffle))
