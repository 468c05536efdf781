"""Random legal steps of a schedule.

    random_steps(Schedule(program), pick, 10)

Every choice is made by `pick(n)`, as in `fuzz.programs.stages`. Refused steps are dropped, if the primitive documents
the error.
"""

from __future__ import annotations

import itertools
import re
from collections import Counter
from collections.abc import Callable
from functools import cache
from typing import Any, Final, Literal

from tvmscript.fuzz.programs.stages import Pick
from tvmscript.ir.arith.fold import is_const
from tvmscript.ir.core import IRError, TVMScriptError, structural_equal
from tvmscript.ir.schedule.errors import ScheduleError
from tvmscript.ir.schedule.instruction import InstructionKind
from tvmscript.ir.schedule.random_variables import BlockRV, LoopRV
from tvmscript.ir.schedule.schedule import Schedule
from tvmscript.ir.schedule.tree import StmtRef, loops_above, realize_of
from tvmscript.ir.tir import Block, Expr, IntImm, IterKind, substitute, uses

_FACTORS = (2, 1, 3, 4, 5, 8)
_SCOPES = ("global", "shared", "local")
#: attempts of a step with other arguments
_TRIES = 3
_THREADS = ("threadIdx.x", "blockIdx.x", "vthread.x")


class Steps:
    """Draws arguments of steps from the current program."""

    def __init__(self, schedule: Schedule, pick: Pick) -> None:
        self.schedule = schedule
        self.pick = pick
        #: the last block: bugs of two steps show when both apply to one block
        self.last = ""

    def one_of(self, items: Any) -> Any:
        return items[self.pick(len(items))]

    def chance(self) -> bool:
        return self.pick(2) == 1

    def block(self) -> BlockRV:
        """Draw a block with a unique name, often the last one again."""
        return self._chosen([*self._blocks()])

    def other_block(self) -> BlockRV:
        """Draw a block regardless of the last one."""
        names = [*self._blocks()]
        if not names:
            raise _Nothing(what="block with a name of its own")
        return self.schedule.get_block(self.one_of(names))

    def reduction(self) -> BlockRV:
        """Draw a block, a reduction if there is one."""
        blocks = self._blocks()
        return self._chosen([name for name, block in blocks.items() if block.init is not None] or [*blocks])

    def refs(self) -> dict[str, StmtRef]:
        """Return the blocks with names of their own."""
        named = self.schedule.tree(None).named
        return {name: next(iter(refs)) for name, refs in named.items() if len(refs) == 1 and name != "root"}

    def _blocks(self) -> dict[str, Block]:
        return {name: ref.block for name, ref in self.refs().items()}

    def connected(self, side: Literal["reads", "writes"]) -> BlockRV:
        """Draw a block, mostly one that reads what others write, or writes what others read."""
        other: Literal["reads", "writes"] = "writes" if side == "reads" else "reads"
        blocks = self._blocks()
        names = [
            name
            for name, block in blocks.items()
            if any(
                part.buffer is there.buffer
                for part in getattr(block, side)
                for another in blocks.values()
                if another is not block
                for there in getattr(another, other)
            )
        ]
        return self._chosen(names if names and self.pick(8) else [*blocks])

    def _chosen(self, names: list[str]) -> BlockRV:
        if not names:
            raise _Nothing(what="block with a name of its own")
        if self.last not in names or self.chance():
            self.last = self.one_of(names)
        return self.schedule.get_block(self.last)

    def loops(self, block: BlockRV | None = None) -> list[LoopRV]:
        """The loops around a block; by default around a drawn block with loops."""
        for _ in range(4):
            loops = self.schedule.get_loops(self.block() if block is None else block)
            if loops or block is not None:
                return loops
        return []

    def loop(self) -> LoopRV:
        loops = self.loops()
        if not loops:
            raise _Nothing(what="loop")
        chosen: LoopRV = self.one_of(loops)
        return chosen

    def some(self, items: list[Any]) -> list[Any]:
        """Draw one to three items in random order."""
        left = list(items)
        return [left.pop(self.pick(len(left))) for _ in range(min(len(left), self.pick(3) + 1))]


class _Nothing(ScheduleError):
    """The program has no target for the step."""

    message = "the program has no {what}"


def _split(steps: Steps) -> None:
    loop = steps.loop()
    extent = steps.schedule.get(loop).extent
    size = extent.value if isinstance(extent, IntImm) else 16
    factor = steps.one_of(_FACTORS)
    exact: list[int | None] = [factor, -(-size // factor)]
    factors = steps.one_of([[None, factor], [factor, None], exact, [None, 2, factor]])
    steps.schedule.split(loop, factors, preserve_unit_iters=not steps.chance())


def _fuse(steps: Steps) -> None:
    loops = steps.loops()
    first = steps.pick(max(len(loops), 1))
    steps.schedule.fuse(*loops[first : first + steps.pick(2) + 2], preserve_unit_iters=not steps.chance())


def _on_loops(method: str) -> Callable[[Steps], None]:
    """Apply a primitive to some loops of a block."""

    def step(steps: Steps) -> None:
        getattr(steps.schedule, method)(*steps.some(steps.loops()))

    return step


def _on_loop(method: str, *choices: tuple[Any, ...]) -> Callable[[Steps], None]:
    """Apply a primitive to a loop, with further arguments drawn from choices."""

    def step(steps: Steps) -> None:
        getattr(steps.schedule, method)(steps.loop(), *(steps.one_of(choice) for choice in choices))

    return step


def _on_block(method: str, *choices: tuple[Any, ...]) -> Callable[[Steps], None]:
    """Apply a primitive to a block, with further arguments drawn from choices."""

    def step(steps: Steps) -> None:
        getattr(steps.schedule, method)(steps.block(), *(steps.one_of(choice) for choice in choices))

    return step


def _own_loop(
    method: str, *choices: tuple[Any, ...], find: Callable[[Steps], BlockRV] = Steps.block
) -> Callable[[Steps], None]:
    """Apply a primitive to a block and a loop around it."""

    def step(steps: Steps) -> None:
        block = find(steps)
        loops = steps.loops(block)
        if not loops:
            raise _Nothing(what="loop")
        extra = [steps.one_of(choice) for choice in choices]
        getattr(steps.schedule, method)(block, steps.one_of(loops), *extra)

    return step


def _rfactor(steps: Steps) -> None:
    """Factor a loop of a reduction, mostly one that its steps depend on."""
    block = steps.reduction()
    loops = steps.loops(block)
    if not loops:
        raise _Nothing(what="loop of a reduction")
    realize = realize_of(steps.refs()[steps.last])
    axes = zip(realize.block.iter_vars, realize.iter_values, strict=True)
    used = uses([value for axis, value in axes if axis.iter_type is IterKind.COMM_REDUCE])
    reduced = [loop for loop in loops if steps.schedule.get(loop).loop_var in used]
    steps.schedule.rfactor(steps.one_of(reduced if reduced and steps.pick(4) else loops), steps.one_of((0, 1, -1)))


def _moved(
    method: str, side: Literal["reads", "writes"], others: Callable[[Schedule, BlockRV], list[BlockRV]]
) -> Callable[[Steps], None]:
    """Move a block into a loop, mostly of a producer or consumer, at any position."""

    def step(steps: Steps) -> None:
        block = steps.connected(side)
        near = others(steps.schedule, block) if steps.pick(8) else []
        loops = steps.loops(steps.one_of(near)) if near else steps.loops()
        if not loops:
            raise _Nothing(what="loop")
        flag, index = steps.chance(), steps.one_of((-1, -2, 0, 1))
        getattr(steps.schedule, method)(block, steps.one_of(loops), flag, index)

    return step


def _sample_tile(steps: Steps) -> None:
    loop = steps.loop()
    steps.schedule.split(loop, steps.schedule.sample_perfect_tile(loop, steps.pick(3) + 1))


def _layout(steps: Steps) -> None:
    block = steps.block()
    maps: list[Any] = [
        lambda *axes: axes[::-1],
        lambda *axes: (*axes[:-1], *(part for axis in axes[-1:] for part in (axis // 2, axis % 2))),
        lambda *axes: (*(part for axis in axes[:1] for part in (axis % 2, axis // 2)), *axes[1:]),
    ]
    steps.schedule.transform_layout(block, (steps.one_of(("write", "read")), 0), steps.one_of(maps))


def _block_layout(steps: Steps) -> None:
    maps: list[Any] = [
        lambda *axes: axes[::-1],
        lambda *axes: (*axes[:-1], *(part for axis in axes[-1:] for part in (axis // 2, axis % 2))),
    ]
    block = steps.block()
    if not steps.schedule.get(block).iter_vars:
        raise _Nothing(what="axis")
    steps.schedule.transform_block_layout(block, steps.one_of(maps))


def _order_of_axes(steps: Steps) -> None:
    block = steps.block()
    order = list(range(len(steps.schedule.get(block).iter_vars)))
    steps.schedule.reorder_block_iter_var(block, steps.some(order) if steps.chance() else order[::-1])


def _copy_at(method: str) -> Callable[[Steps], None]:
    """Copy a buffer of a block in a loop."""

    def step(steps: Steps) -> None:
        getattr(steps.schedule, method)(steps.loop(), steps.block(), 0, "shared")

    return step


def _cache(method: str) -> Callable[[Steps], None]:
    """Cache a buffer of a block, for all blocks that read it or for some blocks."""

    def step(steps: Steps) -> None:
        block, index, scope = steps.block(), steps.one_of(_INDEX), steps.one_of(_SCOPES)
        users: list[BlockRV] = []
        if steps.pick(3) == 2:
            near = steps.schedule.get_consumers(block) if steps.chance() else []
            users = steps.some(near) if near else [steps.other_block() for _ in range(steps.pick(2) + 1)]
        getattr(steps.schedule, method)(block, index, scope, users or None)

    return step


def _merge(steps: Steps) -> None:
    """Merge loops of two blocks that run equally often, from the first that they do not share."""
    blocks = {name: [ref.loop for ref in loops_above(ref)] for name, ref in steps.refs().items()}
    pairs: list[tuple[str, str, int]] = []
    for (first, loops), (second, others) in itertools.permutations(blocks.items(), 2):
        shared = sum(loop is other for loop, other in zip(loops, others, strict=False))
        for place, (loop, other) in [*enumerate(zip(loops, others, strict=False))][shared:]:
            if not structural_equal(loop.extent, other.extent):
                break
            pairs.append((first, second, place))
    if not pairs:
        raise _Nothing(what="loops that run equally often")
    first, second, place = steps.one_of(pairs)
    steps.schedule.merge(*(steps.schedule.get_loops(name)[place] for name in (first, second)))


def _unannotate(steps: Steps) -> None:
    """Remove the note of a loop, mostly of one that has a note or gets one."""
    loops = steps.loops()
    if not loops:
        raise _Nothing(what="loop")
    noted = [loop for loop in loops if "note" in steps.schedule.get(loop).annotations]
    loop = steps.one_of(noted or loops)
    if not noted and steps.pick(4):
        steps.schedule.annotate(loop, "note", steps.pick(3))
    steps.schedule.unannotate(loop, "note")


def _cache_inplace(steps: Steps) -> None:
    """Cache a buffer that a block reads and writes, mostly."""
    places = {
        name: [
            place
            for place, region in enumerate(ref.block.reads)
            if region.buffer in {written.buffer for written in ref.block.writes}
        ]
        for name, ref in steps.refs().items()
    }
    names = [name for name, both in places.items() if both]
    if names and steps.pick(8):
        name = steps.one_of(names)
        steps.schedule.cache_inplace(steps.schedule.get_block(name), steps.one_of(places[name]), steps.one_of(_SCOPES))
    elif steps.pick(4):
        raise _Nothing(what="buffer that a block reads and writes")
    else:
        steps.schedule.cache_inplace(steps.block(), steps.one_of(_INDEX), steps.one_of(_SCOPES))


def _reverse_compute_inline(steps: Steps) -> None:
    """Inline a block into its producer, mostly the only reader of what one block writes."""
    stmts = {name: ref.block for name, ref in steps.refs().items()}
    readers = Counter(region.buffer for stmt in stmts.values() for region in stmt.reads)
    writers = Counter(region.buffer for stmt in stmts.values() for region in stmt.writes)
    names = [
        name
        for name, stmt in stmts.items()
        if stmt.init is None and any(readers[part.buffer] == 1 == writers[part.buffer] for part in stmt.reads)
    ]
    block = steps.schedule.get_block(steps.one_of(names)) if names and steps.pick(4) else steps.block()
    steps.schedule.reverse_compute_inline(block)


def _rolling_buffer(steps: Steps) -> None:
    """Let the buffer of a block be a ring, mostly after the block moved into tiles of its first consumer."""
    block = steps.connected("writes")
    consumers = steps.schedule.get_consumers(block)
    loops = steps.loops(consumers[0]) if consumers else []
    if not loops and steps.pick(8):
        raise _Nothing(what="consumer in loops")
    if loops:
        written = [region.buffer for region in steps.schedule.get(block).writes]
        read = [
            part for each in steps.schedule.get(consumers[0]).reads if each.buffer in written for part in each.region
        ]
        if all(is_const(part.extent, 1) for part in read):
            raise _Nothing(what="window of several elements")
        place = steps.pick(len(loops))
        extent = steps.schedule.get(loops[place]).extent
        if not isinstance(extent, IntImm) or extent.value > 2:
            loops[place], _ = steps.schedule.split(loops[place], [None, 2 + steps.pick(2)])
        steps.schedule.compute_at(block, loops[place])
    steps.schedule.rolling_buffer(block, 0)


def _annotate_access(steps: Steps) -> None:
    """Replace a region of a block by the whole buffer, or by the elements at its first indices."""
    block, side = steps.block(), steps.one_of(("read", "write"))
    stmt = steps.schedule.get(block)
    regions = stmt.reads if side == "read" else stmt.writes
    index = steps.pick(max(len(regions), 1))
    parts = regions[index].region if regions else ()
    ends = [(part.min, part.min + part.extent) for part in parts]
    is_whole = steps.chance()
    table = [axis.var for axis in stmt.iter_vars]
    if not is_whole and not uses(ends).issubset(table):
        raise _Nothing(what="region of axes alone")

    def ranges(*axes: Expr) -> list[tuple[Expr, Expr]]:
        values = dict(zip(table, axes, strict=True))
        if is_whole:
            shape = regions[index].buffer.shape if regions else ()
            return [(IntImm(extent.dtype, 0), extent) for extent in shape]
        return [(substitute(low, values), substitute(high, values)) for low, high in ends]

    steps.schedule.annotate_buffer_access(block, index, side, ranges)


def _separate_axes(steps: Steps) -> None:
    block = steps.block()
    rank = max((len(region.region) for region in steps.schedule.get(block).writes), default=1)
    steps.schedule.set_axis_separator(block, (steps.one_of(("write", "read")), 0), [1] if rank > 1 else [])


def _blockize(steps: Steps) -> None:
    """Put a block around a loop, or sometimes around two blocks that follow each other."""
    if steps.pick(4):
        steps.schedule.blockize(steps.loop(), not steps.chance())
        return
    names = [*steps.refs()]
    if len(names) < 2:
        raise _Nothing(what="two blocks")
    first = steps.pick(len(names) - 1)
    blocks = [steps.schedule.get_block(name) for name in names[first : first + 2]]
    steps.schedule.blockize(blocks, not steps.chance())


def _pad_einsum(steps: Steps) -> None:
    block = steps.block()
    count = len(steps.schedule.get(block).iter_vars)
    steps.schedule.pad_einsum(block, [steps.one_of((1, 2, 4, 3)) for _ in range(count)])


def _mapped_cache(method: str) -> Callable[[Steps], None]:
    """Cache a buffer with a mapped layout."""

    def step(steps: Steps) -> None:
        maps: list[Any] = [
            lambda *axes: axes,
            lambda *axes: axes[::-1],
            lambda *axes: axes[:1],
            lambda *axes: axes[:2],
            lambda *axes: axes[0] * 3 + axes[-1],
            lambda *axes: [axis // 2 for axis in axes],
            lambda *axes: [(axes[0] + axes[-1]) % 4, *axes[1:]],
        ]
        getattr(steps.schedule, method)(steps.block(), 0, steps.one_of(_SCOPES), steps.one_of(maps))

    return step


_INDEX = (0, 0, 1)

#: primitive -> draw and apply one step
STEPS: dict[str, Callable[[Steps], None]] = {
    "split": _split,
    "fuse": _fuse,
    "reorder": _on_loops("reorder"),
    "merge": _merge,
    "loop_partition": _on_loop("loop_partition", ([2, None], [1, 2, None], [3, None])),
    "add_unit_loop": _on_loop("add_unit_loop"),
    "parallel": _on_loop("parallel"),
    "vectorize": _on_loop("vectorize"),
    "unroll": _on_loop("unroll"),
    "bind": _on_loop("bind", _THREADS),
    "annotate": _on_loop("annotate", ("note",), (1, "text", [1, 2])),
    "unannotate": _unannotate,
    "cache_read": _cache("cache_read"),
    "cache_write": _cache("cache_write"),
    "cache_index": _on_block("cache_index", _SCOPES, (0, 1, 2)),
    "cache_inplace": _cache_inplace,
    "reindex": _on_block("reindex", (("write", 0), ("read", 0), ("read", 1))),
    "compute_at": _moved("compute_at", "writes", Schedule.get_consumers),
    "reverse_compute_at": _moved("reverse_compute_at", "reads", Schedule.get_producers),
    "compute_inline": _on_block("compute_inline"),
    "reverse_compute_inline": _reverse_compute_inline,
    "decompose_reduction": _own_loop("decompose_reduction", find=Steps.reduction),
    "rfactor": _rfactor,
    "decompose_padding": _own_loop("decompose_padding"),
    "pad_einsum": _pad_einsum,
    "blockize": _blockize,
    "set_scope": _on_block("set_scope", (0,), _SCOPES),
    "storage_align": _on_block("storage_align", (0,), (0, -1), (8,), (0, 4)),
    "transform_layout": _layout,
    "transform_block_layout": _block_layout,
    "reorder_block_iter_var": _order_of_axes,
    "sample_perfect_tile": _sample_tile,
    "reindex_cache_read": _mapped_cache("reindex_cache_read"),
    "reindex_cache_write": _mapped_cache("reindex_cache_write"),
    "read_at": _copy_at("read_at"),
    "write_at": _copy_at("write_at"),
    "rolling_buffer": _rolling_buffer,
    "annotate_buffer_access": _annotate_access,
    "unsafe_hide_buffer_access": _on_block("unsafe_hide_buffer_access", ("read", "write"), ([0], [1], [0, 1])),
    "set_axis_separator": _separate_axes,
    # narrower dtypes change values
    "unsafe_set_dtype": _on_block("unsafe_set_dtype", (0,), ("float64",)),
}

#: primitives that promise to keep values
KEEP_VALUES = tuple(name for name in STEPS if InstructionKind.of_method(name).promises.keeps_values)

#: primitive -> steps that were tried, and those that were accepted, since the process started
_TRIED: Final[Counter[str]] = Counter()
_ACCEPTED: Final[Counter[str]] = Counter()


class UndocumentedRefusal(TVMScriptError, code="TS8073"):
    """A primitive refused a step with an error that its docstring does not name."""

    message = "{primitive} does not document that it raises {error}: {reason}"


@cache
def documented_errors(primitive: str) -> frozenset[str]:
    """Return the names of the errors in the docstring of a primitive, and in those of primitives that it refers to."""
    text = getattr(Schedule, primitive).__doc__ or ""
    sentences = (each for each in re.split(r"(?<=\.)\s", text) if "aises" in each or "errors" in each)
    names = {name for sentence in sentences for name in re.findall(r"`(\w+)`", sentence)}
    others = {name for name in names if hasattr(Schedule, name)}
    return frozenset((names - others).union(*(documented_errors(name) for name in others)))


def random_steps(schedule: Schedule, pick: Pick, count: int, only: tuple[str, ...] = ()) -> int:
    """Try `count` steps of any or some primitives, each a few times if refused. Returns the number of applied steps.

    Raises `UndocumentedRefusal`.
    """
    names = only or tuple(STEPS)
    steps = Steps(schedule, pick)
    done = 0
    for _ in range(count):
        name = names[pick(len(names))]
        for _ in range(_TRIES):
            before = len(schedule.trace.insts)
            try:
                STEPS[name](steps)
            except _Nothing:
                continue
            except IRError as error:
                _TRIED[name] += 1
                _check_refusal(error)
                continue
            _TRIED[name] += 1
            if len(schedule.trace.insts) > before:
                _ACCEPTED[name] += 1
                done += 1
            break
    return done


def shares() -> dict[str, tuple[int, int]]:
    """Return for each primitive how many steps it accepted, of how many, since the process started."""
    return {name: (_ACCEPTED[name], _TRIED[name]) for name in STEPS}


def _check_refusal(error: IRError) -> None:
    if isinstance(error, ScheduleError) and error.primitive is not None:
        name = type(error).__name__
        if name not in documented_errors(error.primitive):
            raise UndocumentedRefusal(primitive=error.primitive, error=name, reason=error) from error
