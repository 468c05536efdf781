"""Check that accesses stay inside their buffers: proven, violated with a witness, or unknown.

A proof is tried first: the ranges of loops, the values of axes and lets, and the conditions around an access are what
it may rely on. Where it fails, iterations are tried out: one that leaves the buffer, and that the program gets to
whenever it runs, makes the access wrong. What is left is for a check at run time.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from enum import Enum
from functools import cached_property, reduce
from itertools import product
from math import inf

from tvmscript.ir.analysis.access.access_walk import AccessWalk, Guard, Loop, Path, Step, Value, leaves_early
from tvmscript.ir.analysis.access.compile_index import NoValue, code_of
from tvmscript.ir.analysis.access.iteration_points import Point, Points, TooMany, budget_of, variables
from tvmscript.ir.analysis.access.scalarize import ends_of
from tvmscript.ir.analysis.errors import AccessOutOfBounds, BoundsUnknown
from tvmscript.ir.arith import fold
from tvmscript.ir.arith.analyzer import Analyzer
from tvmscript.ir.core import INT32, Node, Span, on, structural_equal
from tvmscript.ir.tir import Buffer, BufferLoad, Expr, IntImm, IterVar, PrimFunc, Stmt, Var, substitute
from tvmscript.ir.tir.operators import add, mul
from tvmscript.ir.tir.stmt import Allocate, AllocateConst, Block, BufferStore, MatchBufferRegion

#: iterations that are tried out for an access
_BUDGET = 4096
_CORNERS = 512
#: loops of which the first and the last iteration are tried with symbols
_SYMBOLIC_LOOPS = 5


class Verdict(Enum):
    """Result of the bounds check of an access."""

    PROVEN = "proven"
    UNKNOWN = "cannot tell"
    WRONG = "wrong"


@dataclass(frozen=True)
class Finding:
    """Result of the bounds check of one dimension of an access."""

    verdict: Verdict
    #: None for the value of an axis, which has to stay in its domain
    buffer: Buffer | None
    dimension: int
    #: lanes that all others lie between
    indices: tuple[Expr, ...]
    #: as it is written
    index: Expr
    #: how many there are
    extent: Expr
    node: Node
    stmt: Stmt
    path: Path
    #: the part of the path that lies in the statement
    inner: Path
    reason: str = ""

    @property
    def is_wrong_access(self) -> bool:
        """Whether an element is read or written outside of its buffer; a region alone may go beyond it."""
        return self.verdict is Verdict.WRONG and isinstance(self.node, (BufferLoad, BufferStore))

    @property
    def span(self) -> Span | None:
        """The source span of the access."""
        return self.node.span or self.stmt.span

    def error(self) -> AccessOutOfBounds | BoundsUnknown:
        """The finding as an error, or as a note where nothing is known."""
        if self.buffer is None:
            what = f"{self.index} is in [0, {self.extent}), the domain of an axis that has this value"
            return BoundsUnknown(what=what, reason=self.reason, span=self.span)
        name = f"buffer {self.buffer.name} of shape ({', '.join(map(str, self.buffer.shape))})"
        if self.verdict is Verdict.WRONG:
            return AccessOutOfBounds(
                buffer=name, index=self.index, dimension=self.dimension, reason=self.reason, span=self.span
            )
        what = f"{name} has an element at index {self.index} of dimension {self.dimension}"
        return BoundsUnknown(what=what, reason=self.reason, span=self.span)


def check_bounds(func: PrimFunc, effort: float = inf) -> list[Finding]:
    """Check each dimension of each access of a function, in program order.

    `effort` limits the nodes of expressions that are evaluated to try out iterations of the function, but for a few
    iterations of each access.
    """
    walk = _Bounds(func, effort)
    walk.visit(func.body)
    return walk.findings


class _Bounds(AccessWalk):
    def __init__(self, func: PrimFunc, effort: float) -> None:
        super().__init__(func)
        self.effort = effort
        self.findings: list[Finding] = []
        self.analyzer = Analyzer()
        self.sizes = {
            extent for buffer in func.buffer_map.values() for extent in buffer.shape if isinstance(extent, Var)
        }
        for size in self.sizes:
            self.analyzer.bind_bounds(size, low=0)
        #: data variable -> the buffer that is all of its memory
        self.owners: dict[Var, Buffer] = {}
        #: data variable -> elements of its memory, and bytes of each
        self.memory: dict[Var, tuple[Expr, int]] = {}
        for buffer in func.buffer_map.values():
            self.own(buffer)

    @cached_property
    def leaves_early(self) -> bool:
        """Whether the function may end before its last statement."""
        return leaves_early(self.func)

    def axis(self, axis: IterVar, value: Expr) -> bool:
        """An axis that may be relied on stays in its domain; that it does is checked once, not at every access."""
        domain = axis.dom
        if domain is None or domain.min.dtype is not value.dtype:
            return False
        place = fold.sub(value, domain.min)
        finding = self.finding(axis, None, 0, (place,), place, domain.extent)
        if self.is_proven(finding):
            return False
        verdict, _ = self.evaluate(finding)
        if verdict is not Verdict.UNKNOWN or not self.is_stable(value):
            return False  # accesses have to be looked at with the value
        self.findings.append(replace(finding, reason=self.unproven(finding)))
        return True

    @contextmanager
    def facts(self, step: Step) -> Generator[None, None, None]:
        if isinstance(step, Loop):
            self.analyzer.bind(step.var, step.domain, allow_override=True)
        elif isinstance(step, Value):
            if step.domain is not None:
                self.analyzer.bind(step.var, step.domain, allow_override=True)
            elif step.var.dtype.is_integer and step.var.dtype.lanes == 1 and self.is_stable(step.value):
                self.analyzer.bind(step.var, step.value, allow_override=True)
        elif step.condition is not None and step.is_lazy:
            with self.analyzer.constraint(step.condition):
                yield
            return
        yield

    def own(self, buffer: Buffer) -> None:
        """A buffer that comes with its memory."""
        self.owners[buffer.data] = buffer
        if not buffer.strides:
            self.memory[buffer.data] = _size(buffer.shape), buffer.dtype.itemsize * buffer.dtype.lanes

    def enter(self, block: Block) -> None:
        for buffer in block.alloc_buffers:
            self.own(buffer)
        for match in block.match_buffers:
            self.owners[match.buffer.data] = match.buffer  # what it stands for is looked at as a region

    @on(Allocate, AllocateConst)
    def allocate(self, node: Allocate | AllocateConst) -> None:
        self.memory[node.buffer_var] = _size(node.extents), node.dtype.itemsize * node.dtype.lanes
        self.visit(node.body)

    def finding(
        self, node: Node, buffer: Buffer | None, dimension: int, ends: tuple[Expr, ...], index: Expr, extent: Expr
    ) -> Finding:
        """Return the finding for an access."""
        path, inner = tuple(self.path), tuple(self.path[self.depth :])
        return Finding(Verdict.UNKNOWN, buffer, dimension, ends, index, extent, node, self.stmt, path, inner)

    def access(self, node: BufferLoad | BufferStore) -> None:
        findings = [self.dimension(node, number) for number in range(len(node.indices))]
        if self.owners.get(node.buffer.data) is not node.buffer:
            findings = self.through_view(node, findings)
        self.findings += findings

    def dimension(self, node: BufferLoad | BufferStore, number: int) -> Finding:
        """Check one index of an access."""
        index, extent = node.indices[number], node.buffer.shape[number]
        ends = ends_of(index)
        finding = self.finding(node, node.buffer, number, tuple(ends or ()), index, extent)
        if ends is None:
            return replace(finding, reason="its lanes are not known")
        if index.dtype.lanes > 1 and not node.buffer.strides and len(node.indices) > 1:
            # a vector may go on in the next row: its elements lie one after the other in memory
            places = tuple([flat_index(node.buffer, (*node.indices[:-1], end)) for end in ends])
            finding = replace(finding, indices=places, extent=_size(node.buffer.shape))
        if node.predicate is not None and not self.is_proven(finding):
            return replace(finding, reason="a predicate chooses the lanes")
        return self.judged(finding)

    def through_view(self, node: BufferLoad | BufferStore, findings: list[Finding]) -> list[Finding]:
        """Check an access through a view of memory that may be larger than the view.

        Lowering lets several flat buffers share an allocation: then an index may go beyond the shape, and must not go
        beyond the memory.
        """
        buffer = node.buffer
        if len(findings) != 1:
            return findings
        is_proven = all(finding.verdict is Verdict.PROVEN for finding in findings)
        memory = self.memory.get(buffer.data)
        unit = buffer.dtype.itemsize * buffer.dtype.lanes
        if memory is None or memory[1] % unit:
            # nothing is known about the memory but what the view says
            return [
                replace(each, verdict=Verdict.UNKNOWN) if each.verdict is Verdict.WRONG else each for each in findings
            ]
        room = fold.mul(memory[0], IntImm(memory[0].dtype, memory[1] // unit))
        is_plain = len(buffer.shape) == 1 and not buffer.strides and fold.is_const(buffer.elem_offset, 0)
        if is_plain and structural_equal(room, buffer.shape[0]):
            return findings  # the view is all of the memory
        if is_proven and not buffer.strides and self.analyzer.can_prove_greater_equal(room, _size(buffer.shape)):
            return findings
        ends = ends_of(node.indices[0])
        if ends is None:
            return findings
        places = tuple([flat_index(buffer, (end,)) for end in ends])
        whole = self.finding(node, buffer, 0, places, node.indices[0], room)
        return [self.judged(whole)]

    def region(self, node: MatchBufferRegion) -> None:
        for dimension, part in enumerate(node.source.region):
            last = fold.sub(fold.add(part.min, part.extent), IntImm(part.extent.dtype, 1))
            buffer = node.source.buffer
            finding = self.finding(node, buffer, dimension, (part.min, last), part.min, buffer.shape[dimension])
            self.findings.append(self.judged(finding))

    def judged(self, finding: Finding) -> Finding:
        """The finding with what can be said about it."""
        if self.is_proven(finding):
            return replace(finding, verdict=Verdict.PROVEN)
        verdict, reason = self.evaluate(finding)
        if verdict is Verdict.UNKNOWN:
            wrong = _wrong_with_symbols(finding, self.sizes)
            verdict, reason = (Verdict.WRONG, wrong) if wrong else (verdict, reason)
        if verdict is Verdict.WRONG and self.leaves_early:
            verdict, reason = Verdict.UNKNOWN, "the function may end before"
        return replace(finding, verdict=verdict, reason=reason or self.unproven(finding))

    def evaluate(self, finding: Finding) -> tuple[Verdict, str]:
        """Return the verdict of trying out iterations with all their values known."""
        codes = [code_of(index) for index in finding.indices]
        limit = code_of(finding.extent)
        if limit is None or None in codes:
            return Verdict.UNKNOWN, ""
        points = Points(finding.path, (*finding.indices, finding.extent))
        is_complete = True

        def leaving(some: Iterator[Point]) -> str:
            nonlocal is_complete
            for point in some:
                self.effort -= points.effort
                for code in codes:
                    assert code is not None, "looked at above"
                    try:
                        at, size = code(point.values), limit(point.values)
                    except NoValue:
                        is_complete = False
                        continue
                    if 0 <= at < size:
                        continue
                    is_complete = False
                    if point.is_reached:
                        return f"{_describe(point, finding.path)}it is {at}, and the extent is {size}"
            return ""

        try:
            reason = leaving(points.all(budget_of(points, _BUDGET, self.effort)))
            if is_complete:
                return Verdict.PROVEN, ""
        except TooMany:
            reason = leaving(points.corners(budget_of(points, _CORNERS, self.effort)))
        return (Verdict.WRONG, reason) if reason else (Verdict.UNKNOWN, "")

    def is_proven(self, finding: Finding) -> bool:
        return all(self.is_inside(index, finding.extent) for index in finding.indices)

    def is_inside(self, index: Expr, extent: Expr) -> bool:
        """Return whether an index is provably at least 0 and less than an extent."""
        if isinstance(extent, IntImm) and self.analyzer.const_bounds(index).within(0, extent.value - 1):
            return True
        return self.analyzer.can_prove_greater_equal(index, 0) and self.analyzer.can_prove_less(index, extent)

    def unproven(self, finding: Finding) -> str:
        """Describe the condition that is not proven."""
        loads = any(not self.is_stable(index) for index in finding.indices)
        if loads:
            return "it depends on data that the function writes"
        for index in finding.indices:
            if not self.analyzer.can_prove_greater_equal(index, 0):
                return f"nothing shows that {index} is not negative"
        return f"nothing shows that it is less than {finding.extent}"


def flat_index(buffer: Buffer, indices: Sequence[Expr]) -> Expr:
    """Return the element offset of an access from the data of the buffer."""
    place: Expr = buffer.elem_offset
    step: Expr | None = None
    for number in reversed(range(len(indices))):
        stride = buffer.strides[number] if buffer.strides else step
        place = add(place, indices[number] if stride is None else mul(indices[number], stride))
        step = buffer.shape[number] if step is None else mul(step, buffer.shape[number])
    return place


def _size(shape: Sequence[Expr]) -> Expr:
    """Return the number of elements."""
    return reduce(mul, shape) if shape else IntImm(INT32, 1)


def _describe(point: Point, path: Path) -> str:
    loops = {step.var for step in path if isinstance(step, Loop)}
    values = [f"{var.name} = {value}" for var, value in point.values.items() if var in loops]
    return f"for {', '.join(values)} " if values else ""


def _wrong_with_symbols(finding: Finding, sizes: set[Var]) -> str:
    """Why an access leaves its buffer for all sizes, in the first or last iteration of its loops; empty if it may not.

    Sizes are taken to be at least 1, and conditions have to be proven.
    """
    path = finding.path
    guards = [step for step in path if isinstance(step, Guard)]
    if any(step.condition is None for step in guards) or not finding.indices:
        return ""
    values: dict[Var, Expr] = {}
    for step in path:
        if isinstance(step, Value):
            values[step.var] = substitute(step.value, values)
    about = [*finding.indices, *(step.condition for step in guards if step.condition is not None)]
    parts = [substitute(part, values) for part in about]
    used = variables(*parts)
    loops = [step for step in path if isinstance(step, Loop) and step.var in used]
    if not 0 < len(loops) <= _SYMBOLIC_LOOPS and used - sizes:
        return ""
    analyzer = Analyzer()
    for size in sizes:
        analyzer.bind_bounds(size, low=1)
    for chosen in product((True, False), repeat=len(loops)):
        corner: dict[Var, Expr] = {}
        for step, is_last in zip(loops, chosen, strict=True):
            domain = step.domain
            low = substitute(domain.min, {**values, **corner})
            extent = substitute(domain.extent, {**values, **corner})
            corner[step.var] = fold.sub(fold.add(low, extent), IntImm(low.dtype, 1)) if is_last else low
        substituted = [substitute(part, corner) for part in parts]
        if variables(*substituted) - sizes:
            continue
        indices, conditions = substituted[: len(finding.indices)], substituted[len(finding.indices) :]
        if not all(analyzer.can_prove(condition) for condition in conditions):
            continue
        for index in indices:
            if analyzer.can_prove_less(index, 0) or analyzer.can_prove_greater_equal(index, finding.extent):
                at = ", ".join(f"{var.name} = {analyzer.simplify(value)}" for var, value in corner.items())
                shown = analyzer.simplify(index)
                return f"{f'for {at} ' if at else ''}it is {shown}, and the extent is {finding.extent}"
    return ""
