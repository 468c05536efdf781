"""Matching of the items of two programs.

In the manner of GumTree (J.-R. Falleri et al., "Fine-grained and accurate source code differencing", ASE 2014):
unique equal parts are matched top-down, then containers of matched parts bottom-up, and at last the remaining items
between matched neighbours by similarity. All steps are near-linear or bounded.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

from tvmscript.differ.item_tree import Fragment, Item, Tree
from tvmscript.differ.sequence_diff import align, longest_increasing
from tvmscript.differ.value_numbers import ValueNumbers
from tvmscript.ir.core import BaseFunc, Node

#: maximum product of two lengths for pairwise comparison
_MAX_PAIRS = 2_500
#: maximum number of features for the similarity of an item
_MAX_FEATURES = 300
#: minimum similarity of a changed statement among other candidates
_MIN_SIMILARITY = 0.35
#: minimum similarity of a statement that moved
_MIN_MOVED_SIMILARITY = 0.75
#: minimum similarity of renamed functions
_MIN_FUNCTION_SIMILARITY = 0.5
#: maximum depth of inserted or removed wrappers
_MAX_WRAPPERS = 6
#: minimum size of a part that is matched ignoring names, at another position
_MIN_BLIND_SIZE = 2


def match_trees(left: Tree, right: Tree, blind: ValueNumbers) -> None:
    """Match the items of two trees. `blind` numbers parts ignoring names."""
    a, b = left.root, right.root
    if a.kind is not b.kind:
        return
    _link(a, b)
    if a.kind is Fragment:
        funcs = [item for item in (*a.children, *b.children) if isinstance(item.node, BaseFunc)]
        if len(funcs) == 2 and len(a.children) == len(b.children) == 1:
            _BodyMatcher(left, right, blind).match(a.children[0], b.children[0], link=True)
        else:
            _BodyMatcher(left, right, blind).match(a, b, link=False)
        return
    for f, g in _match_functions(a.children, b.children, blind):
        _BodyMatcher(left, right, blind).match(f, g, link=True)


def _link(a: Item, b: Item) -> None:
    a.partner, b.partner = b, a


def _match_functions(left: list[Item], right: list[Item], blind: ValueNumbers) -> Iterator[tuple[Item, Item]]:
    """Match functions by name, then deleted with inserted functions by similarity."""
    by_name = {item.slot: item for item in right}
    gone: list[Item] = []
    came = dict(by_name)
    same_name: list[tuple[Item, Item]] = []
    for item in left:
        other = by_name.get(item.slot)
        if other is None or item.kind is not other.kind:
            gone.append(item)
        elif item.exact == other.exact:
            del came[item.slot]
            yield item, other
        else:
            same_name.append((item, other))
    if len(same_name) == len(came) == 1 and not gone:
        yield same_name[0]
        return
    bodies = {_body_numbers(item, blind): item for item in came.values()}
    swapped: list[tuple[Item, Item]] = []
    for item, other in same_name:
        renamed = bodies.get(_body_numbers(item, blind))
        if (
            renamed is not None
            and renamed.slot in came
            and _function_similarity(item, other, blind) < _MIN_FUNCTION_SIMILARITY
        ):
            del came[renamed.slot]
            yield item, renamed
        else:
            swapped.append((item, other))
    for item, other in swapped:
        if other.slot in came:
            del came[other.slot]
            yield item, other
        else:
            gone.append(item)
    for item in gone:
        renamed = bodies.get(_body_numbers(item, blind))
        if renamed is None or renamed.slot not in came:
            others = came.values() if len(gone) * len(came) <= _MAX_PAIRS else ()
            alike = [
                (_function_similarity(item, other, blind), other.slot) for other in others if other.kind is item.kind
            ]
            best = max(alike, default=(0.0, ""))
            renamed = came[best[1]] if best[0] >= _MIN_FUNCTION_SIMILARITY else None
        if renamed is not None:
            del came[renamed.slot]
            yield item, renamed


def _body_numbers(item: Item, blind: ValueNumbers) -> tuple[int, ...]:
    return tuple(child.blind(blind) for child in item.children)


def _function_similarity(a: Item, b: Item, blind: ValueNumbers) -> float:
    """Return the share of statements that two functions have in common, ignoring names."""
    first = Counter(item.blind(blind) for item in _descendants(a))
    second = Counter(item.blind(blind) for item in _descendants(b))
    total = first.total() + second.total()
    return 2 * (first & second).total() / total if total else 1.0


def _descendants(item: Item) -> Iterator[Item]:
    for child in item.children:
        yield child
        yield from _descendants(child)


class _BodyMatcher:
    """Matches the contents of two items."""

    def __init__(self, left: Tree, right: Tree, blind: ValueNumbers) -> None:
        self.blind = blind
        self.left = left
        self.right = right
        self._features: dict[Item, Counter[object]] = {}

    def match(self, a: Item, b: Item, link: bool) -> None:
        """Match two functions or fragments and their contents."""
        if link:
            _link(a, b)
        if a.exact == b.exact:
            _link_all(a, b)
            return
        first, second = self.left.items[a.index : a.end], self.right.items[b.index : b.end]
        _match_unique(first, second, {x: x.exact for x in (*first, *second)}, 1)
        numbers = {x: x.blind(self.blind) for x in (*_fully_unmatched(first), *_fully_unmatched(second))}
        _match_unique(_fully_unmatched(first), _fully_unmatched(second), numbers, _MIN_BLIND_SIZE)
        for item in reversed(first):
            if item.partner is None and item.children:
                self._container(item)
        self._recover(a, b)
        self._leftovers(first, second)

    def _leftovers(self, first: list[Item], second: list[Item]) -> None:
        """Match moved items: equal wrappers, then similar statements."""
        for own in (True, False):
            gone, came = _unmatched(first), _unmatched(second)
            if not gone or not came:
                return
            if own:
                counts = Counter(item.own_exact for item in gone), Counter(item.own_exact for item in came)
                places = {item.own_exact: item for item in came}
                for item in gone:
                    number = item.own_exact
                    if item.children and counts[0][number] == 1 and counts[1].get(number) == 1:
                        _link(item, places[number])
            elif len(gone) * len(came) <= _MAX_PAIRS:
                for item in gone:
                    self._moved(item, [other for other in came if other.kind is item.kind])

    def _moved(self, item: Item, others: list[Item]) -> None:
        """Match an item and its contents with the most similar candidate."""
        if item.partner is not None:
            return
        scores = [(self._similarity(item, other), -other.index) for other in others if other.partner is None]
        best = max(scores, default=(0.0, 0))
        if best[0] < _MIN_MOVED_SIMILARITY:
            return
        other = next(other for other in others if other.index == -best[1])
        _link(item, other)
        self._recover(item, other)

    # from the bottom up

    def _container(self, a: Item) -> None:
        """Match an item with the item around the partners of its parts, if they share most parts."""
        shared: Counter[Item] = Counter()
        for part in _outermost_matched(a):
            assert part.partner is not None
            outer = part.partner.parent
            while outer is not None and outer.partner is None:
                if outer.kind is a.kind:
                    shared[outer] += part.size
                outer = outer.parent
        if not shared:
            return
        scores = {b: 2 * common / (a.size + b.size) + self._own(a, b) for b, common in shared.items()}
        best = max(scores, key=lambda b: (scores[b], -b.index))
        if scores[best] >= _MIN_SIMILARITY:
            _link(a, best)

    def _own(self, a: Item, b: Item) -> float:
        """Return the similarity of the own parts of two items, 1 where they are equal."""
        if a.own_exact == b.own_exact:
            return 1.0
        same = sum(_is_equal_leaf(x.value, y.value) for x, y in zip(a.own, b.own, strict=False))
        return 0.9 * same / max(len(a.own), len(b.own), 1)

    # from the top down

    def _recover(self, a: Item, b: Item) -> None:
        """Match the remaining items inside two matched items, between matched neighbours."""
        work = [(a, b)]
        while work:
            a, b = work.pop()
            for slot in dict.fromkeys(child.slot for child in a.children):
                first = [child for child in a.children if child.slot == slot]
                second = [child for child in b.children if child.slot == slot]
                self._gaps(first, second)
            for child in a.children:
                work += [
                    (inner, inner.partner) for inner in _outermost_matched_or_self(child) if inner.partner is not None
                ]

    def _gaps(self, first: list[Item], second: list[Item]) -> None:
        """Match the unmatched items between matched pairs in order."""
        place = {item: index for index, item in enumerate(second)}
        anchors = [
            (i, place[item.partner])
            for i, item in enumerate(first)
            if item.partner is not None and item.partner in place
        ]
        begin_a = begin_b = 0
        increasing = [anchors[position] for position in longest_increasing([j for _, j in anchors])]
        for i, j in [*increasing, (len(first), len(second))]:
            self._gap(_unmatched(first[begin_a:i]), _unmatched(second[begin_b:j]))
            begin_a, begin_b = i + 1, j + 1

    def _gap(self, first: list[Item], second: list[Item]) -> None:
        """Match items of two lists, looking into inserted or removed wrappers, outer levels first."""
        self._level(first, second, True)
        for depth in range(1, _MAX_WRAPPERS + 1):
            if not _unmatched(first) or not _unmatched(second):
                return
            for mine in range(depth + 1):
                self._level(_unmatched_at_depth(first, mine), _unmatched_at_depth(second, depth - mine), False)

    def _level(self, first: list[Item], second: list[Item], is_certain: bool) -> None:
        """Match unmatched items of two lists in order. Two single items match if `is_certain`."""
        if not first or not second:
            return
        for first_numbers, second_numbers in (
            ([item.exact for item in first], [item.exact for item in second]),
            ([item.blind(self.blind) for item in first], [item.blind(self.blind) for item in second]),
        ):
            pairs = align(first_numbers, second_numbers)
            for i, j in pairs:
                _link_all(first[i], second[j])
            if pairs:
                self._gaps(first, second)
                return
        if is_certain and len(first) == len(second) == 1:
            if first[0].kind is second[0].kind:
                _link(first[0], second[0])
        else:
            self._similar(first, second)

    def _similar(self, first: list[Item], second: list[Item]) -> None:
        """Match items of equal kind in order with maximum total similarity."""
        if len(first) * len(second) > _MAX_PAIRS:
            kinds = {kind: n for n, kind in enumerate({item.kind for item in (*first, *second)})}
            for i, j in align([kinds[x.kind] for x in first], [kinds[x.kind] for x in second]):
                if self._similarity(first[i], second[j]) >= _MIN_SIMILARITY:
                    _link(first[i], second[j])
            return
        best = [[0.0] * (len(second) + 1) for _ in range(len(first) + 1)]
        for i in range(len(first) - 1, -1, -1):
            for j in range(len(second) - 1, -1, -1):
                both = self._similarity(first[i], second[j])
                taken = both + best[i + 1][j + 1] if both >= _MIN_SIMILARITY else 0.0
                best[i][j] = max(taken, best[i + 1][j], best[i][j + 1])
        i = j = 0
        while i < len(first) and j < len(second):
            if best[i][j] == best[i + 1][j]:
                i += 1
            elif best[i][j] == best[i][j + 1]:
                j += 1
            else:
                _link(first[i], second[j])
                i, j = i + 1, j + 1

    def _similarity(self, a: Item, b: Item) -> float:
        """Return the share of common features of two items, from 0 to 1."""
        if a.kind is not b.kind:
            return 0.0
        first, second = self._features_of(a), self._features_of(b)
        total = first.total() + second.total()
        return 2 * (first & second).total() / total if total else 1.0

    def _features_of(self, item: Item) -> Counter[object]:
        features = self._features.get(item)
        if features is None:
            features = Counter()
            for inner in (item, *_take(_descendants(item), 20)):
                for part in inner.own:
                    _count_features(part.value, part.steps[-1] if part.steps else "", features)
            self._features[item] = features
        return features


def _take(items: Iterator[Item], count: int) -> Iterator[Item]:
    for _, item in zip(range(count), items, strict=False):
        yield item


def _count_features(value: object, label: object, features: Counter[object]) -> None:
    """Count the features of a value: node classes, names, constants."""
    if features.total() > _MAX_FEATURES:
        return
    if isinstance(value, Node):
        if value.is_name:
            features[type(value), getattr(value, "name_hint", "")] += 1
            return
        features[type(value)] += 1
        for name, _ in value.schema.compared:
            if name != "dtype":
                _count_features(getattr(value, name), name, features)
    elif isinstance(value, (tuple, list)):
        for item in value:
            _count_features(item, label, features)
    elif isinstance(value, dict):
        for key, item in value.items():
            _count_features(item, key, features)
    elif value is not None:
        features[label, str(value)] += 1


def _match_unique(left: list[Item], right: list[Item], numbers: dict[Item, int], smallest: int) -> None:
    """Match equal parts that are unique on both sides, the largest first."""
    first = Counter(numbers[item] for item in left if item.partner is None)
    second = Counter(numbers[item] for item in right if item.partner is None)
    places = {numbers[item]: item for item in right if item.partner is None}
    for item in left:
        number = numbers[item]
        if item.partner is None and item.size >= smallest and first[number] == 1 and second.get(number) == 1:
            other = places[number]
            if other.partner is None:
                _link_all(item, other)


def _fully_unmatched(items: list[Item]) -> list[Item]:
    """Return the items without any match in their subtree."""
    free: list[Item] = []
    for item in items:
        inside = items[item.index - items[0].index : item.end - items[0].index]
        if item.partner is None and all(inner.partner is None for inner in inside):
            free.append(item)
    return free


def _link_all(a: Item, b: Item) -> None:
    """Match two items of equal structure and their subtrees."""
    if a.partner is None and b.partner is None:
        _link(a, b)
    for x, y in zip(a.children, b.children, strict=True):
        _link_all(x, y)


def _unmatched(items: Iterable[Item]) -> list[Item]:
    return [item for item in items if item.partner is None]


def _unmatched_at_depth(items: list[Item], depth: int) -> list[Item]:
    """Return the unmatched items `depth` levels below unmatched items."""
    for _ in range(depth):
        items = [child for item in _unmatched(items) for child in item.children]
    return _unmatched(items)


def _outermost_matched(item: Item) -> Iterator[Item]:
    """Yield the outermost matched items below an item."""
    for child in item.children:
        yield from _outermost_matched_or_self(child)


def _outermost_matched_or_self(item: Item) -> Iterator[Item]:
    if item.partner is not None:
        yield item
    else:
        yield from _outermost_matched(item)


def _is_equal_leaf(left: object, right: object) -> bool:
    """Whether two parts have equal class and equal hint or value, a cheap approximation."""
    if isinstance(left, Node):
        if type(left) is not type(right):
            return False
        for field in ("name_hint", "value"):
            if hasattr(left, field):
                return bool(getattr(left, field) == getattr(right, field))
        return True
    if isinstance(left, (tuple, dict)) and isinstance(right, (tuple, dict)):
        return type(left) is type(right) and len(left) == len(right)
    return bool(left == right)
