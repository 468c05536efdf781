"""Random legal steps of a schedule.

    random_steps(Schedule(program), pick, 10)

Every choice is made by `pick(n)`, as in `fuzz.programs.stages`. Refused steps are dropped, if the primitive documents
the error.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from functools import cache
from typing import Any, Final

from tvmscript.fuzz.programs.stages import Pick
from tvmscript.ir.core import IRError, TVMScriptError
from tvmscript.ir.schedule.errors import ScheduleError
from tvmscript.ir.schedule.instruction import InstructionKind
from tvmscript.ir.schedule.random_variables import BlockRV, LoopRV
from tvmscript.ir.schedule.schedule import Schedule
from tvmscript.ir.tir import Block, IntImm

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

    def _blocks(self) -> dict[str, Block]:
        named = self.schedule.tree(None).named
        return {name: next(iter(refs)).block for name, refs in named.items() if len(refs) == 1 and name != "root"}

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
    loops = steps.loops(steps.reduction())
    if not loops:
        raise _Nothing(what="loop of a reduction")
    steps.schedule.rfactor(steps.one_of(loops), steps.one_of((0, 1, -1)))


def _moved(method: str, others: Callable[[Schedule, BlockRV], list[BlockRV]]) -> Callable[[Steps], None]:
    """Move a block into a loop, mostly of a producer or consumer, at any position."""

    def step(steps: Steps) -> None:
        block = steps.block()
        near = others(steps.schedule, block) if steps.pick(4) else []
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
    """Merge loops at the same depth around different blocks."""
    loops = steps.loops()
    others = steps.loops(steps.other_block())
    if not loops or not others:
        raise _Nothing(what="loop")
    place = steps.pick(min(len(loops), len(others)))
    steps.schedule.merge(loops[place], others[place])


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
    "unannotate": _on_loop("unannotate", ("note",)),
    "cache_read": _cache("cache_read"),
    "cache_write": _cache("cache_write"),
    "cache_index": _on_block("cache_index", _SCOPES, (0, 1, 2)),
    "cache_inplace": _on_block("cache_inplace", _INDEX, _SCOPES),
    "reindex": _on_block("reindex", (("write", 0), ("read", 0), ("read", 1))),
    "compute_at": _moved("compute_at", Schedule.get_consumers),
    "reverse_compute_at": _moved("reverse_compute_at", Schedule.get_producers),
    "compute_inline": _on_block("compute_inline"),
    "reverse_compute_inline": _on_block("reverse_compute_inline"),
    "decompose_reduction": _own_loop("decompose_reduction", find=Steps.reduction),
    "rfactor": _rfactor,
    "decompose_padding": _own_loop("decompose_padding"),
    "pad_einsum": _pad_einsum,
    "blockize": _on_loop("blockize", (True, False)),
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
    "rolling_buffer": _on_block("rolling_buffer", (0,)),
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
            _TRIED[name] += 1
            try:
                STEPS[name](steps)
            except IRError as error:
                _check_refusal(error)
                continue
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
