"""Alignment of two sequences, near-linear for programs and bounded in the worst case.

Patience diff anchors (unique elements in consistent order), then Myers' O(ND) algorithm between them within a budget
(E. W. Myers, "An O(ND) difference algorithm and its variations", Algorithmica 1, 1986).
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Sequence

#: edit budget of one run of Myers' algorithm; beyond it, restart from the furthest point
_MAX_EDITS = 100

Pairs = list[tuple[int, int]]


def align(left: Sequence[int], right: Sequence[int]) -> Pairs:
    """Return pairs of positions with equal elements, increasing on both sides."""
    matches: Pairs = []
    work = [(0, len(left), 0, len(right))]
    while work:
        a, a_end, b, b_end = work.pop()
        while a < a_end and b < b_end and left[a] == right[b]:
            matches.append((a, b))
            a, b = a + 1, b + 1
        while a < a_end and b < b_end and left[a_end - 1] == right[b_end - 1]:
            a_end, b_end = a_end - 1, b_end - 1
            matches.append((a_end, b_end))
        if a == a_end or b == b_end:
            continue
        anchors = _anchors(left, right, a, a_end, b, b_end)
        if not anchors:
            pairs, a, b = _myers(left, right, a, a_end, b, b_end)
            matches += pairs
            work.append((a, a_end, b, b_end))
            continue
        for x, y in anchors:
            work.append((a, x, b, y))
            a, b = x, y
        work.append((a, a_end, b, b_end))
    return sorted(matches)


def _anchors(left: Sequence[int], right: Sequence[int], a: int, a_end: int, b: int, b_end: int) -> Pairs:
    """Return a longest increasing set of pairs of elements that are unique on both sides."""
    first, second = Counter(left[a:a_end]), Counter(right[b:b_end])
    places = {right[j]: j for j in range(b, b_end)}
    pairs = [(i, places[left[i]]) for i in range(a, a_end) if first[left[i]] == 1 and second.get(left[i]) == 1]
    return [pairs[k] for k in longest_increasing([j for _, j in pairs])]


def _myers(left: Sequence[int], right: Sequence[int], a: int, a_end: int, b: int, b_end: int) -> tuple[Pairs, int, int]:
    """Return a longest common subsequence within the edit budget, and the positions after it."""
    rows, columns = a_end - a, b_end - b
    reach = {1: 0}
    trail: list[dict[int, int]] = []
    for edits in range(_MAX_EDITS + 1):
        trail.append(dict(reach))
        for k in range(-edits, edits + 1, 2):
            down = k == -edits or (k != edits and reach.get(k - 1, -1) < reach.get(k + 1, -1))
            x = reach[k + 1] if down else reach[k - 1] + 1
            y = x - k
            while x < rows and y < columns and left[a + x] == right[b + y]:
                x, y = x + 1, y + 1
            reach[k] = x
            if x >= rows and y >= columns:
                return _walk_back(trail, a, b, rows, columns), a_end, b_end
    inside = [
        (2 * x - k, x, x - k)
        for k, x in reach.items()
        if x <= rows and x - k <= columns and k in _last_diagonals(trail)
    ]
    _, x, y = max(inside)
    return _walk_back(trail, a, b, x, y), a + x, b + y


def _last_diagonals(trail: list[dict[int, int]]) -> range:
    """Return the diagonals of the last step."""
    edits = len(trail) - 1
    return range(-edits, edits + 1, 2)


def _walk_back(trail: list[dict[int, int]], a: int, b: int, x: int, y: int) -> Pairs:
    pairs: Pairs = []
    for edits in range(len(trail) - 1, -1, -1):
        reach, k = trail[edits], x - y
        down = k == -edits or (k != edits and reach.get(k - 1, -1) < reach.get(k + 1, -1))
        before = k + 1 if down else k - 1
        from_x = reach[before] if edits else 0
        from_y = from_x - before if edits else 0
        while x > from_x and y > from_y:
            x, y = x - 1, y - 1
            pairs.append((a + x, b + y))
        x, y = from_x, from_y
    return pairs


def longest_increasing(values: Sequence[int]) -> list[int]:
    """Return the positions of a longest strictly increasing subsequence."""
    tails: list[int] = []
    at: list[int] = []
    before: list[int] = []
    for position, item in enumerate(values):
        place = bisect_left(tails, item)
        before.append(at[place - 1] if place else -1)
        if place == len(tails):
            tails.append(item)
            at.append(position)
        else:
            tails[place] = item
            at[place] = position
    chosen: list[int] = []
    position = at[-1] if at else -1
    while position >= 0:
        chosen.append(position)
        position = before[position]
    return chosen[::-1]
