"""Index maps and index expressions for the arithmetic, made by functions that both sides have."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

#: (indices, domains)
Map = tuple[list[Any], dict[Any, Any]]
#: how many of them
MAPS = 1_000
#: extents of three loops
EXTENTS = ((16, 8, 4), (32, 4, 8), (6, 10, 4), (128, 2, 16), (7, 12, 3))


def index_maps(variable: Callable[[str], Any], domain: Callable[[int], Any], count: int) -> list[Map]:
    """Splits, fusions and both, of three iterators."""
    made: list[Map] = []
    for number in range(count):
        sizes = EXTENTS[number % len(EXTENTS)]
        i, j, k = (variable(name) for name in "ijk")
        fused = (i * sizes[1] + j) * sizes[2] + k
        low, total = sizes[2] * sizes[1] // 2, sizes[0] * sizes[1] * sizes[2]
        indices = (
            [fused // sizes[2], fused % sizes[2]],
            [fused // (low * 2), fused % (low * 2) // 2, fused % 2],
            [i // 2, (i % 2) * sizes[1] + j, k] if sizes[0] % 2 == 0 else [i, j, k],
            [fused],
            [fused // (total // 2), fused % (total // 2)],
        )[number // len(EXTENTS) % 5]
        made.append((indices, {i: domain(sizes[0]), j: domain(sizes[1]), k: domain(sizes[2])}))
    return made


def detect(maps: list[Map], detect_iter_map: Callable[..., Any]) -> None:
    """All maps, looked at once."""
    for indices, domains in maps:
        detect_iter_map(indices, domains)


def simplify(maps: list[Map], make_analyzer: Callable[[], Any]) -> None:
    """All indices of the maps, simplified."""
    for indices, domains in maps:
        analyzer = make_analyzer()
        for var, domain in domains.items():
            analyzer.bind(var, domain)
        for index in indices:
            analyzer.simplify(index)
