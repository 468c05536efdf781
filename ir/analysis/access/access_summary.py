"""Summary of all accesses of a function: memory, element in terms of loop variables, and synchronization phase."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass

from tvmscript.ir.analysis.access.access_walk import AccessWalk, Guard, Loop, Path, Step, Value
from tvmscript.ir.analysis.access.scalarize import lane
from tvmscript.ir.analysis.memory.buffer_lca import buffer_scopes
from tvmscript.ir.core import Span, on
from tvmscript.ir.tir import Buffer, BufferLoad, Call, Expr, IntImm, IterKind, PrimFunc, Range, Stmt, Var
from tvmscript.ir.tir.operators import add
from tvmscript.ir.tir.stmt import Allocate, Block, BlockRealize, BufferStore, For
from tvmscript.ir.tir.substitute import substitute, uses

#: calls that make threads wait for each other
_BARRIERS = ("tir.tvm_storage_sync", "tir.tvm_global_barrier_kinit")


@dataclass(frozen=True, eq=False)
class Touch:
    """A load, a store, or a call that may do either."""

    node: BufferLoad | BufferStore | Call
    stmt: Stmt
    #: where the memory comes from: a matched buffer counts as what it stands for
    buffer: Buffer
    #: indices as they are written, and in terms of loops
    written: tuple[Expr, ...]
    indices: tuple[Expr, ...]
    #: loops and conditions, in terms of loops
    path: Path
    is_write: bool
    #: a call that is given an address
    is_opaque: bool
    #: which element it is depends on memory that changes
    is_loose: bool
    #: place in the text
    order: int
    #: barriers before it in the text
    phase: int
    #: the outermost loop over threads
    kernel: Loop | None
    #: length of the path to where the memory is allocated
    home: int
    #: variables of loops that a reduction runs over, where this is one of its accesses
    reduces: frozenset[Var]
    #: what variables stand for
    values: dict[Var, Expr]
    #: loop variable -> barriers before the loop and behind it
    barriers: dict[Var, tuple[int, int]]
    #: kernels with barriers -> whether all threads pass all of them
    waiting: dict[Loop, bool]

    @property
    def data(self) -> Var:
        return self.buffer.data

    @property
    def span(self) -> Span | None:
        return self.node.span or self.stmt.span

    @property
    def is_shared(self) -> bool:
        """Whether threads of a block see the same memory."""
        scope = self.buffer.storage_scope
        if scope.startswith("shared"):
            return True
        return scope == "global" and (self.kernel is None or not self.is_private(self.kernel))

    @property
    def has_barriers(self) -> bool:
        """Whether there are barriers in the kernel, and all threads pass all of them."""
        return self.kernel is not None and self.waiting.get(self.kernel, False)

    @property
    def has_uneven_barriers(self) -> bool:
        """Whether there are barriers in the kernel that are not passed in any case."""
        return self.kernel is not None and not self.waiting.get(self.kernel, True)

    @property
    def is_among_barriers(self) -> bool:
        """Whether a loop of the kernel around it has barriers."""
        loops = [step for step in self.path if isinstance(step, Loop) and not self.is_around_kernel(step)]
        return any(first < last for first, last in (self.barriers.get(loop.var, (0, 0)) for loop in loops))

    def is_around_kernel(self, loop: Loop) -> bool:
        """Whether a loop around launches the kernel in each iteration."""
        return self.kernel is not None and self.path.index(loop) < self.path.index(self.kernel)

    def is_private(self, loop: Loop) -> bool:
        """Whether each iteration of a loop around has memory of its own."""
        if loop.thread:
            scope = self.buffer.storage_scope
            if scope != "global" and not (scope.startswith("shared") and loop.thread.startswith("threadIdx")):
                return True
        return self.home > self.path.index(loop)

    def adds_up_over(self, loop: Loop) -> bool:
        """Whether it belongs to a reduction over the threads of a loop."""
        return bool(loop.thread) and loop.var in self.reduces

    def inlined(self, expr: Expr) -> Expr:
        """An expression of the place in terms of loops."""
        return substitute(expr, self.values)


@dataclass(frozen=True)
class Touches:
    """The accesses of a function in program order, the loads of a statement before its stores.

    `lets` are the variables that stand for something unknown, with the length of the path to where they are defined.
    """

    touches: list[Touch]
    lets: dict[Var, int]


def touches_of(func: PrimFunc) -> Touches:
    """Return the accesses of a function."""
    walk = _Touches(func)
    walk.visit(func.body)
    return Touches(walk.touches, walk.lets)


@dataclass
class _Reduction:
    """A reduction block."""

    written: set[Var]
    over: frozenset[Var]


class _Touches(AccessWalk):
    def __init__(self, func: PrimFunc) -> None:
        super().__init__(func)
        self.touches: list[Touch] = []
        #: the path, in terms of loops
        self.clean: list[Step] = []
        self.values: dict[Var, Expr] = {}
        self.lets: dict[Var, int] = {}
        self.phase = 0
        #: loops around whose range depends on memory that changes
        self.loose = 0
        self.barriers: dict[Var, tuple[int, int]] = {}
        self.waiting: dict[Loop, bool] = {}
        self.buffers: dict[Var, Buffer] = {buffer.data: buffer for buffer in func.buffer_map.values()}
        self.matched: dict[Var, tuple[Buffer, tuple[Expr, ...]]] = {}
        #: data variable -> how long the path was where it is allocated
        self.homes: dict[Var, int] = {}
        self.lowered = {buffer.data: node for buffer, node in buffer_scopes(func.body).items()}
        self.depths: dict[For | Block, int] = {}
        self.reductions: list[_Reduction] = []

    @contextmanager
    def facts(self, step: Step) -> Generator[None, None, None]:
        if isinstance(step, Value):
            before = self.values.get(step.var)
            if self.is_stable(step.value):
                self.values[step.var] = substitute(step.value, self.values)
            else:
                self.lets[step.var] = len(self.clean)
            yield
            if before is None:
                self.values.pop(step.var, None)
            return
        if isinstance(step, Guard):
            condition = step.condition
            new_step: Step = Guard(None if condition is None else substitute(condition, self.values), step.is_lazy)
        else:
            domain = step.domain
            new_step = Loop(step.var, substitute(domain, self.values), step.node, step.thread, step.kind)
        is_loose = isinstance(step, Loop) and not self.is_stable(step.domain)
        self.loose += is_loose
        self.clean.append(new_step)
        first = self.phase
        yield
        self.loose -= is_loose
        if isinstance(step, Loop) and not step.thread:
            self.barriers[step.var] = first, self.phase
        self.clean.pop()

    @property
    def kernel(self) -> Loop | None:
        return next((step for step in self.clean if isinstance(step, Loop) and step.thread), None)

    # where memory is

    @on(For)
    def loop(self, node: For) -> None:
        self.depths[node] = len(self.clean) + 1
        super().loop(node)

    @on(Allocate)
    def allocate(self, node: Allocate) -> None:
        self.homes[node.buffer_var] = len(self.clean)
        self.visit(node.body)

    @on(BlockRealize)
    def realize(self, node: BlockRealize) -> None:
        block = node.block
        over: set[Var] = set()
        for axis, value in zip(block.iter_vars, node.iter_values, strict=True):
            if axis.iter_type is IterKind.COMM_REDUCE:
                over |= {var for var in uses(substitute(value, self.values)) if isinstance(var, Var)}
        self.reductions.append(_Reduction({region.buffer.data for region in block.writes}, frozenset(over)))
        super().realize(node)
        self.reductions.pop()

    def enter(self, block: Block) -> None:
        self.depths[block] = len(self.clean)
        for buffer in block.alloc_buffers:
            self.buffers[buffer.data] = buffer
            self.homes[buffer.data] = len(self.clean)
        for match in block.match_buffers:
            self.matched[match.buffer.data] = match.source.buffer, tuple([part.min for part in match.source.region])

    # accesses

    def access(self, node: BufferLoad | BufferStore) -> None:
        self.add(node, node.buffer, node.indices, is_write=isinstance(node, BufferStore))

    @on(Call)
    def call(self, node: Call) -> None:
        name = getattr(node.op, "name", "")
        if name in _BARRIERS:
            self.phase += 1
            kernel = self.kernel
            if kernel is not None:
                inside = self.clean[self.clean.index(kernel) :]
                self.waiting[kernel] = all(map(_runs, inside)) and self.waiting.get(kernel, True)
            return
        super().call(node)
        if self.is_harmless(node):
            return
        for var in dict.fromkeys(var for arg in node.args if arg.dtype.is_handle for var in uses(arg)):
            if isinstance(var, Var) and var in self.buffers:
                self.add(node, self.buffers[var], (), is_write=True)

    def add(
        self, node: BufferLoad | BufferStore | Call, buffer: Buffer, indices: tuple[Expr, ...], *, is_write: bool
    ) -> None:
        written, path = indices, tuple(self.clean)
        if indices and indices[-1].dtype.lanes > 1:
            number = Var("lane", indices[-1].dtype.element)
            last = lane(indices[-1], number)
            if last is not None:
                lanes = Range.from_min_extent(IntImm(number.dtype, 0), IntImm(number.dtype, indices[-1].dtype.lanes))
                indices, path = (*indices[:-1], last), (*path, Loop(number, lanes, None))
        is_scalar = all(index.dtype.lanes == 1 for index in indices)
        while buffer.data in self.matched:
            buffer, starts = self.matched[buffer.data]
            if indices and is_scalar:
                skipped = len(starts) - len(indices)
                pairs = zip(starts[skipped:], indices, strict=True)
                indices = (*starts[:skipped], *(add(start, index) for start, index in pairs))
        self.buffers.setdefault(buffer.data, buffer)
        over: frozenset[Var] = frozenset()
        for reduction in self.reductions:
            if buffer.data in reduction.written:
                over |= reduction.over
        self.touches.append(
            Touch(
                node,
                self.stmt,
                buffer,
                written,
                tuple([substitute(index, self.values) for index in indices]),
                path,
                is_write,
                isinstance(node, Call),
                self.loose > 0 or not is_scalar or not all(map(self.is_stable, indices)),
                len(self.touches),
                self.phase,
                self.kernel,
                self.home(buffer.data),
                over,
                dict(self.values),
                self.barriers,
                self.waiting,
            )
        )

    def home(self, data: Var) -> int:
        """Return the depth of the allocation of memory; for blocks, the depth at which lowering allocates it."""
        planned = self.lowered.get(data)
        return self.depths.get(planned, 0) if planned is not None else self.homes.get(data, 0)


def _is_positive(extent: Expr) -> bool:
    return isinstance(extent, IntImm) and extent.value > 0


def _runs(step: Step) -> bool:
    """Whether what follows a step runs in any case."""
    return isinstance(step, Loop) and (bool(step.thread) or _is_positive(step.domain.extent))
