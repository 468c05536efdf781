"""Detect data races between concurrent iterations.

Three kinds of iterations are looked at: those of parallel loops; lanes of vectorized loops, which go on statement by
statement; and threads of a GPU, which wait for each other at barriers. Memory that each iteration has for itself does
not count: what is allocated inside, registers of threads, and what the lowering of blocks will allocate inside.

Where a kernel has no barriers, `tir.ThreadSync` will insert them: then threads are only compared within a statement.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from tvmscript.ir.analysis.access.access_conflicts import Answer, Apart, Collision, Instance, collision
from tvmscript.ir.analysis.access.access_summary import Touch, touches_of
from tvmscript.ir.analysis.access.access_walk import Loop, Path, Step
from tvmscript.ir.analysis.access.iteration_points import Point
from tvmscript.ir.analysis.access.out_of_bounds import flat_index
from tvmscript.ir.analysis.errors import DataRace, RaceUnknown
from tvmscript.ir.arith import fold
from tvmscript.ir.arith.value_numbering import expr_deep_equal, structural_key
from tvmscript.ir.tir import BufferStore, Expr, ForKind, IntImm, PrimFunc, Range, Var, is_block_axis, substitute

#: pairs of accesses of a loop that are looked at
_MOST_PAIRS = 4000


@dataclass(frozen=True)
class Race:
    """Two accesses in different iterations of a loop. `is_proven` is False if the conflict is not shown."""

    loop: Loop
    first: Touch
    second: Touch
    is_proven: bool
    reason: str = ""
    collision: Collision | None = None

    def error(self) -> DataRace | RaceUnknown:
        """The race as an error, or as a note where nothing is known."""
        loop = loop_text(self.loop)
        notes = [(self.second.span, f"it is {'written' if self.second.is_write else 'read'} here")]
        if not self.is_proven:
            return RaceUnknown(loop=loop, reason=self.reason, span=self.first.span, notes=notes)
        return DataRace(
            loop=loop,
            buffer=self.first.buffer.name,
            index=", ".join(map(str, self.first.written)),
            what=self.reason,
            span=self.first.span,
            notes=notes,
        )


@dataclass(frozen=True)
class RaceReport:
    """Races of all loops of a function with concurrent iterations."""

    #: how many loops and groups of threads were looked at
    loops: int
    #: pairs of accesses that were proven to touch different elements
    proven: int
    races: tuple[Race, ...]
    unknown: tuple[Race, ...]


def loop_text(loop: Loop) -> str:
    """Return a loop as text for messages."""
    if loop.thread:
        return loop.thread
    kind = {ForKind.PARALLEL: "the parallel loop", ForKind.VECTORIZED: "the vectorized loop"}.get(loop.kind, "the loop")
    return f"{kind} {loop.var.name}"


def check_races(func: PrimFunc) -> RaceReport:
    """Check a function for data races."""
    checker = _Checker(func)
    checker.run()
    return RaceReport(checker.loops, checker.proven, tuple(checker.races), tuple(checker.unknown))


class _Checker:
    def __init__(self, func: PrimFunc) -> None:
        summary = touches_of(func)
        self.touches, self.lets = summary.touches, summary.lets
        #: what has one value in the whole function -> the smallest it can have
        self.sizes: dict[Var, int | None] = {var: None for var in func.params if var.dtype.is_integer}
        for buffer in func.buffer_map.values():
            layout = (*buffer.strides, buffer.elem_offset)
            self.sizes |= {part: None for part in layout if isinstance(part, Var)}
            self.sizes |= {size: 0 for size in buffer.shape if isinstance(size, Var)}
        self.loops = self.proven = 0
        self.races: list[Race] = []
        self.unknown: list[Race] = []

    def run(self) -> None:
        """Look at all loops."""
        loops: dict[Loop, list[Touch]] = {}
        kernels: dict[Loop, list[Touch]] = {}
        for touch in self.touches:
            for step in touch.path:
                if isinstance(step, Loop) and _is_concurrent(step):
                    loops.setdefault(step, []).append(touch)
            if touch.kernel is not None:
                kernels.setdefault(touch.kernel, []).append(touch)
        for loop, inside in loops.items():
            self.check_loop(loop, [touch for touch in inside if not touch.is_private(loop)])
        for inside in kernels.values():
            self.check_threads(inside)
        self.loops = len(loops) + len(kernels)

    def check_loop(self, loop: Loop, inside: list[Touch]) -> None:
        """Iterations of a loop, all of which may run at the same time."""
        is_vector = loop.kind is ForKind.VECTORIZED
        for a, b in self.pairs(inside):
            depth = a.path.index(loop)
            around = [(step.var, step.var, 0) for step in a.path[:depth] if isinstance(step, Loop)]
            differ = ((loop.var, loop.var),)
            if not is_vector:
                self.judge(loop, a, b, Apart(differ, tuple(around)))
                continue
            # lanes go on together: what a lane does is before what an earlier lane does further down
            repeats = any(isinstance(step, Loop) and step in b.path for step in a.path[depth + 1 :])
            for first, second in ((a, b), (b, a))[: 1 if a is b else 2]:
                if first.order > second.order or repeats:
                    self.judge(loop, first, second, Apart(differ, tuple(around), is_ordered=True), may_be_fine=repeats)
                else:
                    self.proven += 1

    def check_threads(self, inside: list[Touch]) -> None:
        """Threads of a block."""
        shared = [touch for touch in inside if touch.is_shared]
        is_told = False
        for a, b in self.pairs(shared):
            threads = _threads(a, b)
            if not threads:
                continue
            loop = threads[0][0]
            differ = tuple((one.var, other.var) for one, other in threads)
            if not a.has_barriers and (a.stmt is not b.stmt or a.is_among_barriers):
                if a.has_uneven_barriers and not is_told:
                    is_told = True
                    reason = "a barrier is in a condition, or in a loop that may not run"
                    self.unknown.append(Race(loop, a, b, False, reason))
                continue
            for meeting in _meetings(a, b):
                self.judge(loop, a, b, Apart(differ, meeting.equal), paths=(meeting.first, meeting.second))

    def pairs(self, inside: list[Touch]) -> Iterator[tuple[Touch, Touch]]:
        """The pairs of accesses of one memory of which one writes; each kind of pair once."""
        groups: dict[Var, list[Touch]] = {}
        for touch in inside:
            groups.setdefault(touch.data, []).append(touch)
        seen: set[object] = set()
        left = _MOST_PAIRS
        for group in groups.values():
            writes = [touch for touch in group if touch.is_write]
            for a in writes:
                for b in group:
                    if b.is_write and b.order < a.order:
                        continue
                    key = (_kind(a), _kind(b))
                    if key in seen:
                        continue
                    seen.add(key)
                    left -= 1
                    if left < 0:
                        return
                    yield a, b

    def judge(
        self,
        loop: Loop,
        a: Touch,
        b: Touch,
        apart: Apart,
        *,
        may_be_fine: bool = False,
        paths: tuple[Path, Path] | None = None,
    ) -> None:
        """Classify a pair of accesses, whose paths may be narrower, and record it."""
        if a.adds_up_over(loop) and b.adds_up_over(loop):
            self.proven += 1  # a reduction over threads is lowered to one
            return
        if a.is_opaque or b.is_opaque:
            self.unknown.append(Race(loop, a, b, False, f"a call is given the address of {a.buffer.name}"))
            return
        if a.is_loose or b.is_loose:
            reason = f"which elements of {a.buffer.name} they touch depends on data that the function writes"
            self.unknown.append(Race(loop, a, b, False, reason))
            return
        indices = _comparable(a, b)
        if indices is None:
            self.unknown.append(Race(loop, a, b, False, f"{a.buffer.name} is looked at in two ways"))
            return
        before = a.path.index(loop) if loop in b.path else 0
        fixed = self.sizes | {var: None for var, depth in self.lets.items() if depth <= before}
        first, second = paths or (a.path, b.path)
        collided = collision(Instance(indices[0], first), Instance(indices[1], second), apart, fixed)
        if collided.answer is Answer.NEVER:
            self.proven += 1
        elif collided.answer is Answer.UNKNOWN or collided.first is None or collided.second is None or may_be_fine:
            index = ", ".join(map(str, a.written))
            reason = f"nothing shows that they touch different elements {a.buffer.name}[{index}]"
            self.unknown.append(Race(loop, a, b, False, reason))
        elif _same_value(a, b, collided.first, collided.second):
            self.unknown.append(Race(loop, a, b, False, f"they write the same value to {a.buffer.name}"))
        else:
            self.races.append(
                Race(loop, a, b, True, _witness_text(a, b, collided.first, collided.second, apart), collided)
            )


def _is_concurrent(loop: Loop) -> bool:
    if isinstance(loop.domain.extent, IntImm) and loop.domain.extent.value < 2:
        return False
    return loop.kind in (ForKind.PARALLEL, ForKind.VECTORIZED) or is_block_axis(loop.thread)


def _threads(a: Touch, b: Touch) -> list[tuple[Loop, Loop]]:
    """The threads of a block that both accesses run in."""
    others = {step.thread: step for step in b.path if isinstance(step, Loop) and step.thread.startswith("threadIdx")}
    return [(step, others[step.thread]) for step in a.path if isinstance(step, Loop) and step.thread in others]


@dataclass(frozen=True)
class _Meeting:
    """How two accesses come between the same two barriers: variables that are equal then, and their paths."""

    equal: tuple[tuple[Var, Var, int], ...]
    first: Path
    second: Path


def _meetings(a: Touch, b: Touch) -> list[_Meeting]:
    """Every way in which two accesses come between the same two barriers."""
    meetings: list[_Meeting] = []
    around: list[tuple[Var, Var, int]] = []
    loops = [step for step in a.path if isinstance(step, Loop)]
    others = [step for step in b.path if isinstance(step, Loop)]
    for loop in loops:
        twin = next((other for other in others if other is loop or (loop.thread and other.thread == loop.thread)), None)
        if twin is None or loop.thread.startswith("threadIdx"):
            continue
        if loop.thread or a.is_around_kernel(loop):  # what is launched again waits for what was launched
            around.append((loop.var, twin.var, 0))
            continue
        first, last = a.barriers.get(loop.var, (0, 0))
        if first == last:
            break  # no barrier inside: all its iterations come together
        for earlier, later, more in ((a, b, 1), (b, a, -1)):
            if earlier.phase == last and later.phase == first:
                meetings.append(_meeting(a, b, (*around, (loop.var, loop.var, more))))
        around.append((loop.var, loop.var, 0))
    if a.phase == b.phase:
        meetings.append(_meeting(a, b, tuple(around)))
    return meetings


def _meeting(a: Touch, b: Touch, equal: tuple[tuple[Var, Var, int], ...]) -> _Meeting:
    """The meeting of two accesses in iterations of their common loops."""
    is_a_earlier = equal[-1][2] > 0 if equal and equal[-1][2] else a.order < b.order
    return _Meeting(equal, _narrow(a, equal, is_earlier=is_a_earlier), _narrow(b, equal, is_earlier=not is_a_earlier))


def _narrow(touch: Touch, equal: tuple[tuple[Var, Var, int], ...], *, is_earlier: bool) -> Path:
    """The path of the earlier or later of two accesses that no barrier separates.

    Of loops with barriers that are not common the earlier is in the last iteration, the later in the first one. Where
    the later is an iteration ahead, the earlier is not in the last one.
    """
    ahead = {var: bool(more) for var, _, more in equal}
    path: list[Step] = []
    for step in touch.path:
        if isinstance(step, Loop) and not step.thread:
            first, last = touch.barriers.get(step.var, (0, 0))
            if first < last and ahead.get(step.var, True):
                one = IntImm(step.var.dtype, 1)
                begin, but_one = step.domain.min, fold.sub(step.domain.extent, one)
                if step.var in ahead:
                    domain = Range.from_min_extent(begin if is_earlier else fold.add(begin, one), but_one)
                else:
                    domain = Range.from_min_extent(fold.add(begin, but_one) if is_earlier else begin, one)
                step = replace(step, domain=domain)
        path.append(step)
    return tuple(path)


def _kind(touch: Touch) -> object:
    """Equal for accesses that run in the same places and touch the same elements."""
    return (
        touch.data,
        touch.is_write,
        touch.phase,
        id(touch.stmt) if touch.is_write else 0,
        touch.path,
        structural_key(touch.indices),
    )


def _comparable(a: Touch, b: Touch) -> tuple[tuple[Expr, ...], tuple[Expr, ...]] | None:
    """The indices of both as such of one buffer; of different ones, where the elements lie in memory."""
    if a.buffer is b.buffer or (not a.buffer.strides and not b.buffer.strides and _have_same_layout(a, b)):
        return a.indices, b.indices
    if a.buffer.dtype.itemsize * a.buffer.dtype.lanes != b.buffer.dtype.itemsize * b.buffer.dtype.lanes:
        return None
    return (flat_index(a.buffer, a.indices),), (flat_index(b.buffer, b.indices),)


def _have_same_layout(a: Touch, b: Touch) -> bool:
    first, second = a.buffer, b.buffer
    return (
        first.dtype is second.dtype
        and len(first.shape) == len(second.shape)
        and all(expr_deep_equal(x, y) for x, y in zip(first.shape, second.shape, strict=True))
        and expr_deep_equal(first.elem_offset, second.elem_offset)
    )


def _same_value(a: Touch, b: Touch, first: Point, second: Point) -> bool:
    """Whether both write, and write the same."""
    values: list[Expr] = []
    for touch, point in ((a, first), (b, second)):
        if not isinstance(touch.node, BufferStore):
            return False
        point_values = {var: IntImm(var.dtype, value) for var, value in point.values.items()}
        values.append(substitute(touch.inlined(touch.node.value), point_values))
    return expr_deep_equal(values[0], values[1])


def _witness_text(a: Touch, b: Touch, first: Point, second: Point, apart: Apart) -> str:
    """Describe the accesses of two runs."""
    parts = []
    for touch, point, side in ((a, first, 0), (b, second, 1)):
        values = ", ".join(f"{pair[side].name} = {point.values[pair[side]]}" for pair in apart.differ)
        parts.append(f"{'written' if touch.is_write else 'read'} for {values}")
    return " and ".join(parts)
