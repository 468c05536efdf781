"""Random steps with nearly valid arguments: foreign loops, stale references, wrong numbers and names.

    for step in WrongSteps(schedule, pick).steps(20):
        step()             # raises TVMScriptError or TypeError, or is legal

Every choice is made by `pick(n)`, as in `fuzz.programs.stages`.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator
from typing import Any

from tvmscript.fuzz.programs.stages import Pick
from tvmscript.ir.schedule.instruction import InstructionKind
from tvmscript.ir.schedule.random_variables import BlockRV, LoopRV
from tvmscript.ir.schedule.schedule import Schedule

#: numbers that may be in range
_NUMBERS = (0, 1, 2, -1, 3, 7, -5, 1000, 2**31, 2**40)
_TEXTS = (
    "", "root", "B0", "global", "shared", "local", "warp", "threadIdx.x", "threadIdx.w", "read", "write", "int8", "no",
)  # fmt: skip
_MAPS: tuple[Any, ...] = (
    lambda *axes: axes,
    lambda *axes: axes[::-1],
    lambda *axes: (*axes, *axes),
    lambda *axes: [axis // 3 for axis in axes],
    lambda i: (i // 4, i % 4),
    lambda i, j: i * 16 + j,
    lambda i, j, k: (i, k),
    lambda *axes: (),
    lambda i: (i % 2, i // 2 * i),
)  # fmt: skip


class WrongSteps:
    """Draws steps with live, stale and foreign references."""

    def __init__(self, schedule: Schedule, pick: Pick) -> None:
        self.schedule = schedule
        self.pick = pick
        self.gone: list[Any] = [BlockRV(), LoopRV()]

    def one_of(self, items: Any) -> Any:
        return items[self.pick(len(items))]

    def block(self) -> Any:
        tree = self.schedule.tree(None)
        names = [*tree.named, "no_such_block"]
        if self.pick(6) == 5:
            return self.one_of(self.gone)
        return self.one_of(names) if self.pick(2) else self.schedule.new_block(self.one_of(self._refs(is_block=True)))

    def loop(self) -> Any:
        refs = self._refs(is_block=False)
        if not refs or self.pick(6) == 5:
            return self.one_of(self.gone)
        loop = self.schedule.new_loop(self.one_of(refs))
        self.gone.append(loop)
        return loop

    def _refs(self, *, is_block: bool) -> list[Any]:
        return [ref for ref in self.schedule.tree(None).refs.values() if ref.is_block is is_block]

    def number(self) -> Any:
        return self.one_of(_NUMBERS)

    def numbers(self) -> list[Any]:
        return [self.number() for _ in range(self.pick(4))]

    def argument(self, name: str) -> Any:
        """Draw a value for a parameter by its name."""
        match name:
            case "block" | "scope_block":
                return self.block()
            case "loop":
                return self.loop()
            case "block_or_loop" | "target":
                return self.block() if self.pick(2) else self.loop()
            case "factors":
                return [None if self.pick(3) == 2 else self.number() for _ in range(self.pick(4))]
            case "new_order" | "padding" | "buf_index_array" | "axis_separators" | "candidates":
                return self.numbers()
            case "probs":
                return [0.5] * self.pick(3)
            case "buffer":
                return (self.one_of(_TEXTS), self.number()) if self.pick(2) else self.one_of((("read", 0), "B0", "A0"))
            case "index_map":
                return self.one_of(_MAPS)
            case "pad_value":
                return self.one_of((None, 0, 0.0, 1.5, lambda *axes: axes[:1]))
            case "ann_val":
                return self.one_of((1, "text", [1, 2], {"key": 1}, 2.5))
            case "decision":
                return self.one_of((None, 0, -1, -2, 5, [1, 1], [3, 5], []))
            case "indices":
                return self.numbers()
            case _ if name in _WORDS:
                return self.one_of(_TEXTS)
            case _:
                return self.number()

    def steps(self, count: int) -> Iterator[Callable[[], Any]]:
        """Yield calls of random primitives."""
        kinds = [*InstructionKind.registry.values()]
        for _ in range(count):
            yield self.step(self.one_of(kinds))

    def step(self, kind: InstructionKind) -> Callable[[], Any]:
        """Draw a call of a primitive."""
        method = getattr(self.schedule, kind.method)
        positional: list[Any] = []
        named: dict[str, Any] = {}
        for parameter in inspect.signature(method).parameters.values():
            if parameter.kind is parameter.VAR_POSITIONAL:
                positional = [self.loop() for _ in range(self.pick(4))]
            elif parameter.default is parameter.empty or self.pick(3) == 2:
                is_flag = isinstance(parameter.default, bool)
                named[parameter.name] = bool(self.pick(2)) if is_flag else self.argument(parameter.name)
        return lambda: method(*positional, **named)


#: parameters that take text
_WORDS = frozenset(
    {"name", "func_name", "storage_scope", "thread_axis", "ann_key", "dtype", "tensor_intrin", "buf_type"}
)
