"""Threads of a block that synchronize: barriers, reductions over threads, exchange within a warp.

Threads of a launch without synchronization run one after the other (see `statements`). Otherwise each thread of the
block is a Python thread with its own frame. One of them runs at a time, until it waits or ends. When all wait, threads
of a warp that wait at the same operation continue with each other's values; if there are none, those that wait at a
reduction; if there are none, those that wait at a barrier.

Memory of scope `shared` that is allocated inside the threads is common to them. Memory of scopes of a single thread or
of a warp that is allocated outside is allocated for each thread.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from queue import SimpleQueue
from typing import Any, Final, NamedTuple, NoReturn

from tvmscript.backends.interp.barrier_state import Barrier
from tvmscript.backends.interp.calls import SPECIAL, Returned
from tvmscript.backends.interp.compiler import Code, Compiler, Frame
from tvmscript.backends.interp.memory import Memory, allocate
from tvmscript.backends.interp.monitor import Monitor
from tvmscript.backends.interp.scalars import from_bits
from tvmscript.backends.interp.shared_addresses import SharedAddresses
from tvmscript.backends.runtime.errors import Deadlock, ExecutionError, Unsupported
from tvmscript.ir.core import DType, Node, Op, nodes
from tvmscript.ir.tir import Allocate, AttrStmt, BufferStore, CommReducer, Expr, For, Stmt, Var
from tvmscript.ir.tir.expr import BufferLoad, Call, IntImm, IterVar, StringImm

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
    *(f"tir.cuda.{name}" for name in ("cta_sync", "mbarrier_wait", "warp_sync", "warpgroup_sync")),
)
#: What makes threads meet.
_MEETINGS: Final = frozenset(
    {*_SHUFFLES, *_DEVICE_OPERATORS, *_MASKS, *_MATRICES, *_WAITS, *_OF_0_27, _BARRIER, _REDUCE}
)
#: Threads of a warp where an operator does not say it.
_WARP: Final = 32
_TAGS: tuple[str, ...] = ("threadIdx.x", "threadIdx.y", "threadIdx.z")
#: Bytes of the stack of a thread of Python: closures take little of it.
_STACK: Final = 1 << 19

#: Gives each of the threads that meet what it goes on with.
Meeting = Callable[["list[Member]"], None]


class _Cancelled(BaseException):
    """Signal that the launch has failed in another thread."""


class Waiting(NamedTuple):
    """What a thread waits for that other threads, or copies, bring about."""

    node: Node
    is_over: Callable[[], bool]


class Member:
    """A thread of a block."""

    def __init__(self, team: Team, place: dict[str, int], number: int, frame: Frame) -> None:
        self.team = team
        #: thread tag -> index
        self.place = place
        #: the number among all threads of the block, x first
        self.number = number
        self.frame = frame
        #: where it waits: None while it runs and when it has ended
        self.site: tuple[str, object] | None = None
        self.meeting: Meeting | None = None
        self.given: Any = None
        self.answer: Any = None
        #: allocation -> how often it was run
        self.runs: dict[Node, int] = {}
        self.go = threading.Lock()
        self.go.acquire()
        self.life: Future[None] | None = None
        self.has_ended = False

    def meet(self, level: str, site: object, meeting: Meeting | None = None, given: object = None) -> Any:
        """Wait for the other threads and return the result of the meeting."""
        self.site, self.meeting, self.given = (level, site), meeting, given
        self.team.rest.put(self)
        if self.team.error is None:  # a thread that was running when the launch failed is not resumed
            self.go.acquire()
        if self.team.error is not None:
            raise _Cancelled
        return self.answer


def current_member(member: Member | None, node: Call) -> Member:
    """Return the thread that runs. Raises `Unsupported` outside of threads."""
    if member is None:
        raise Unsupported(what=f"{node.op} outside of a launch of threads", where="the interpreter", span=node.span)
    return member


class Team:
    """The threads of one block, while they run."""

    def __init__(self, sizes: dict[str, int], monitor: Monitor | None) -> None:
        self.monitor = monitor
        self.sizes = [sizes.get(tag, 1) for tag in _TAGS]
        self.error: BaseException | None = None
        #: an item for each time that a thread waits or ends; an interrupt of a semaphore may leave its lock taken
        self.rest: SimpleQueue[Member] = SimpleQueue()
        #: (allocation, how often it was run, warp) -> memory
        self.memory: dict[tuple[Node, int, int], Memory] = {}
        self.members: list[Member] = []
        #: number, or place in memory -> barrier in shared memory
        self.barriers: dict[object, Barrier] = {}
        self.addresses = SharedAddresses()

    def run(self, frame: Frame, slot: int, body: Code) -> None:
        """Run the body in every thread, each with a copy of the frame; `slot` has the member."""
        x, y, z = self.sizes
        for number in range(x * y * z):
            own = list(frame)
            indices = (number % x, number // x % y, number // (x * y))
            place: dict[str, int] = dict(zip(_TAGS, indices, strict=True))
            own[slot] = Member(self, place, number, own)
            self.members.append(own[slot])
        if self.monitor is not None:
            self.monitor.begin_team([member.place for member in self.members])
        before = threading.stack_size(_STACK)
        try:
            with ThreadPoolExecutor(len(self.members) or 1) as pool:
                is_over = False
                try:
                    for member in self.members:
                        self._observe_switch(member)
                        member.life = pool.submit(self._live, member, body)
                        self._rest_of(member)
                    while self.error is None and (waiting := self._waiting()):
                        self.resume(self._next(waiting))
                    is_over = True
                except ExecutionError as error:
                    self.error = error
                finally:
                    # threads that still wait end, whatever has happened: the pool waits for them
                    if not is_over:
                        self.error = self.error or _Cancelled()
                    self.resume(self._waiting())
        finally:
            threading.stack_size(before)
        if self.error is not None:
            raise self.error
        if self.monitor is not None:
            self.monitor.end_team()

    def _observe_switch(self, member: Member) -> None:
        if self.monitor is not None:
            self.monitor.resume(member.number)

    def _live(self, member: Member, body: Code) -> None:
        try:
            body(member.frame)
        except (Returned, _Cancelled):
            pass
        finally:
            member.has_ended = True
            self.rest.put(member)

    def _waiting(self) -> list[Member]:
        return [member for member in self.members if member.site is not None]

    def resume(self, members: list[Member]) -> None:
        """Run threads one after the other, each until it waits again or ends."""
        for member in members:
            self._observe_switch(member)
            member.site = None
            member.go.release()
            self._rest_of(member)

    def _rest_of(self, member: Member) -> None:
        self.rest.get()
        if member.has_ended and member.life is not None:
            self.error = self.error or member.life.exception()

    def _next(self, waiting: list[Member]) -> list[Member]:
        """Return the threads that continue, with their answers set. Raises `Deadlock` where none can."""
        awaited = {member: member.given for member in waiting if isinstance(member.given, Waiting)}
        ready = [member for member, event in awaited.items() if event.is_over()]
        if ready:
            return ready
        if len(awaited) == len(waiting):
            span = next(iter(awaited.values())).node.span
            raise Deadlock(waiting=len(waiting), threads=len(self.members), span=span)
        waiting = [member for member in waiting if member not in awaited]
        for level in ("warp", "reduce"):
            groups: dict[object, list[Member]] = {}
            for member in waiting:
                if member.site is not None and member.site[0] == level:
                    groups.setdefault(member.site[1], []).append(member)
            for group in groups.values():
                self._observe_meeting(level, group)
                meeting = group[0].meeting
                if meeting is not None:
                    meeting(group)
            if groups:
                return [member for group in groups.values() for member in group]
        named: dict[object, list[Member]] = {}
        for member in waiting:
            if member.site is not None and member.site[0] == "named":
                named.setdefault(member.site[1], []).append(member)
        for group in named.values():
            if len(group) == group[0].given:
                self._observe_meeting("named", group)
                return group
        at_block = [member for member in waiting if member.site is not None and member.site[0] == "block"]
        if not at_block:
            raise Deadlock(waiting=len(waiting), threads=len(self.members), span=None)
        self._observe_meeting("block", at_block)
        return at_block

    def _observe_meeting(self, level: str, group: list[Member]) -> None:
        if self.monitor is None:
            return
        sites = {member.number: member.site[1] for member in group if member.site is not None}
        running = sum(not member.has_ended for member in self.members)
        self.monitor.synchronize(level, sites, waiting=len(self._waiting()), running=running)
        self.monitor.resume(group[0].number)

    def shared(self, member: Member, node: Allocate, size: int, warp: int) -> Memory:
        """Return the memory that all threads (or those of a warp) share for this execution of an allocation."""
        count = member.runs[node] = member.runs.get(node, 0) + 1
        key = (node, count, warp)
        if key not in self.memory:
            self.memory[key] = allocate(size, node.buffer_var.name, node.buffer_var.storage_scope)
        return self.memory[key]


# compiling


def has_meetings(body: Stmt) -> bool:
    """Return whether threads synchronize in a statement."""
    return any(isinstance(node, Call) and isinstance(node.op, Op) and node.op.name in _MEETINGS for node in nodes(body))


def launch(
    compiler: Compiler, axis: IterVar, var: Var, extent: Code, around: Stmt, body: Stmt, start: Code | None = None
) -> Code | None:
    """Return the launch of synchronizing threads, or a thread's part of an inner launch.

    Return None without synchronization, unless a monitor observes the threads.

    `around` is the statement of the launch; `start` is what the variable is in the first thread, where that is not 0.
    """
    tag = axis.thread_tag
    is_serial = compiler.monitor is None and not compiler.is_team and not has_meetings(body)
    if tag not in _TAGS or is_serial:
        return None
    compiler.tags[var] = tag
    if compiler.is_team:
        return _compile_part(compiler, tag, var, extent, body, start)
    extents = [(launched, compiler.code(size)) for launched, size in _launches(around)]
    private = list(compiler.private)
    compiler.is_team = True
    part = _compile_part(compiler, tag, var, extent, body, start)
    compiler.is_team = False
    slot = compiler.member

    def begin(frame: Frame) -> None:
        for bind in private:
            bind(frame)
        part(frame)

    def run(frame: Frame) -> None:
        sizes: dict[str, int] = {}
        for launched, size in extents:
            sizes[launched] = max(sizes.get(launched, 0), size(frame))
        Team(sizes, compiler.monitor).run(frame, slot, begin)

    return run


def _compile_part(compiler: Compiler, tag: str, var: Var, extent: Code, body: Stmt, start: Code | None) -> Code:
    member, slot = compiler.member, compiler.define(var)
    code = compiler.code(body)

    def run(frame: Frame) -> None:
        index = frame[member].place[tag]
        if index < extent(frame):
            frame[slot] = index if start is None else index + start(frame)
            code(frame)

    return run


def _launches(body: Stmt) -> list[tuple[str, Expr]]:
    """Return the launched thread tags with their extents. Raises `Unsupported` for inner symbolic extents."""
    launches: list[tuple[str, Expr]] = []
    is_first = True
    for node in nodes(body):
        axis = node.node if isinstance(node, AttrStmt) and node.attr_key == "thread_extent" else None
        axis = node.thread_binding if isinstance(node, For) else axis
        if isinstance(axis, IterVar) and axis.thread_tag in _TAGS and isinstance(node, (AttrStmt, For)):
            extent = node.value if isinstance(node, AttrStmt) else node.extent
            if not is_first and not isinstance(extent, IntImm):
                what = f"a launch of {axis.thread_tag} of a size that is no constant, inside of another one"
                raise Unsupported(what=what, where="the interpreter", span=node.span)
            launches.append((axis.thread_tag, extent))
            is_first = False
    return launches


def allocation(compiler: Compiler, node: Allocate, size: Code) -> Callable[[Frame], Memory] | None:
    """Return code for an allocation that threads share, None where each thread has its own."""
    scope, slot = node.buffer_var.storage_scope, compiler.member
    if not compiler.is_team or not scope.startswith(("shared", "warp")):
        return None
    of_warp = scope == "warp"

    def make(frame: Frame) -> Memory:
        member: Member = frame[slot]
        return member.team.shared(member, node, size(frame), member.number // _WARP if of_warp else 0)

    return make


def is_private(scope: str) -> bool:
    """Return whether each thread has its own memory of a scope, wherever it is allocated."""
    return scope.startswith(("local", "warp", "wmma", "m16n8k8"))


# what threads do when they meet


def _sync(compiler: Compiler, node: Call) -> Code:
    """Wait for the threads that share the scope: those of the warp, or of the block."""
    slot = compiler.member
    scope = node.args[0].value if isinstance(node.args[0], StringImm) else "shared"
    if scope == "global":
        _refuse_other_blocks(compiler, node)

    def wait(frame: Frame) -> int:
        member: Member | None = frame[slot]
        if member is not None and scope == "warp":
            member.meet("warp", (node, member.number // _WARP))
        elif member is not None:
            member.meet("block", node)
        return 0

    return wait


def _refuse_other_blocks(compiler: Compiler, node: Call) -> NoReturn:
    """Raise `Unsupported`: blocks run one after the other."""
    is_cluster = isinstance(node.op, Op) and node.op.name == _CLUSTER_BARRIER
    what = f"a barrier of {'the blocks of a cluster' if is_cluster else 'all blocks'}"
    raise Unsupported(what=what, where="the interpreter, where blocks run one after the other", span=node.span)


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
    size = len(combiner.result)
    values = [compiler.code(arg) for arg in node.args[1 : 1 + size]]
    condition = compiler.code(node.args[1 + size])
    combine, initial = _combination(compiler, combiner)
    stores = [_store(compiler, arg) for arg in node.args[2 + size : 2 + 2 * size]]
    reduced = {compiler.tags[arg] for arg in node.args[2 + 2 * size :] if isinstance(arg, Var) and arg in compiler.tags}
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
            others = tuple([member.place[tag] for tag in _TAGS if tag not in reduced])
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
SPECIAL.update(dict.fromkeys((_GRID_BARRIER, _CLUSTER_BARRIER), _refuse_other_blocks))
SPECIAL.update(dict.fromkeys(_MASKS, _mask))
SPECIAL.update(dict.fromkeys((*_SHUFFLES, *_DEVICE_OPERATORS), _shuffle))
