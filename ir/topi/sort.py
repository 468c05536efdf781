"""Sorted rows, their positions, and their first elements, as kernels; NaN counts as larger than every number.

A row is sorted at a time, by one thread: short ones and those of unknown length by merging, others by digits. For GPUs
elements of long rows find their places at once.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from tvmscript.ir.core.dtype import DType
from tvmscript.ir.te.tensor import Extent, Tensor
from tvmscript.ir.tir import EQ, NE, Expr, Not, Select, cast, const
from tvmscript.ir.tir.ir_builder import BufferVar, IRBuilder
from tvmscript.ir.topi.common import function, known_int, normalize_axis, product
from tvmscript.ir.topi.errors import InvalidOperand
from tvmscript.ir.topi.kernels import Output, kernels, rows_along, scalar
from tvmscript.ir.topi.parallel_sort import sort_rows, sorts_in_parallel, store_rows
from tvmscript.ir.topi.sorted_words import packs_positions, sorted_keys, sorted_order, sorts_keys, sorts_order

Key = Callable[[Expr], Expr]
Entry = tuple[Expr, Expr]
#: keys and their positions
Arrays = tuple[BufferVar, BufferVar]
#: elements of a run that is sorted by comparing each with all others, in vectors
_RUN: Final = 16
#: elements up to which vectors take longer than they save
_SCALARS: Final = 4
#: parts of a row up to which it is searched: rather than sort keys alone, keys packed with positions, or others
_OF_KEYS, _OF_PACKED, _OF_OTHERS = 64, 32, 4
#: elements up to which rows of unknown length are searched for the first ones, not sorted
_MOST_SELECTED: Final = 64


def stable_order(ib: IRBuilder, extent: Expr, count: Extent, key: Key, is_ascend: bool) -> BufferVar:
    """Return the numbers from 0 to `extent`, the first `count` of them in the stable order of their keys.

    Rows that are long enough are sorted by digits. Otherwise short runs are sorted by comparison counting (D. E. Knuth,
    The Art of Computer Programming, 5.2), pairs of them are merged from one array into another and back (5.2.4).
    """
    dtype, key_dtype = extent.dtype, key(const(0, extent.dtype)).dtype
    if isinstance(count, int):
        count = const(count, dtype)
    size = known_int(extent)
    if sorts_order(key_dtype, size):
        return sorted_order(ib, extent, count, key, is_ascend)
    order = ib.allocate(dtype, (extent,), "order")
    if size == 0:
        return order
    if size is not None and size <= _RUN and size == known_int(count):
        rank, _ = _rank(ib, key, const(0, dtype), count, is_ascend)
        with ib.for_range(0, size, "i") as i:
            order[rank[i]] = cast(dtype, i)
        return order
    keys = ib.allocate(key_dtype, (extent,), "keys")
    with ib.for_range(count, extent, "i") as i:
        order[i] = i
    _sort_runs(ib, (keys, order), count, key, is_ascend)
    if size is not None and size <= _RUN:
        return order
    merged, merged_keys = ib.allocate(dtype, (extent,), "merged"), ib.allocate(key_dtype, (extent,), "merged_keys")
    width = scalar(ib, dtype, "width", _RUN)
    with ib.while_loop(width[0] < count):
        _merge_runs(ib, (keys, order), (merged_keys, merged), count, width[0], is_ascend)
        _merge_runs(ib, (merged_keys, merged), (keys, order), count, width[0] * 2, is_ascend)
        width[0] = width[0] * 4
    return order


def _sort_runs(ib: IRBuilder, arrays: Arrays, count: Expr, key: Key, is_ascend: bool) -> None:
    """Store runs of `_RUN` keys and their positions in order."""
    keys, order = arrays
    with ib.for_range(0, function("ceildiv")(count, _RUN), "run") as run:
        begin = ib.let("begin", run * _RUN)
        size = ib.let("size", function("min")(count - begin, const(_RUN, count.dtype)))
        rank, members = _rank(ib, key, begin, size, is_ascend)
        with ib.for_range(0, size, "i") as i:
            place = begin + cast(count.dtype, rank[i])
            keys[place], order[place] = members[i], begin + i


def _rank(ib: IRBuilder, key: Key, begin: Expr, size: Expr, is_ascend: bool) -> Arrays:
    """Return how many elements of a run come before each one, and the keys of the run.

    The comparisons are those of vectors, without a branch; lanes behind the run have the key of its last element.
    """
    dtype, known_size = begin.dtype, known_int(size)
    lanes = _RUN if known_size is None else 1 << (known_size - 1).bit_length()
    side_by_side = "vectorize" if lanes > _SCALARS else "unroll"
    all_of, any_of, least = function("all"), function("any"), function("min")
    rank = ib.allocate("int32", (lanes,), "rank", scope="local")
    members = ib.allocate(key(begin).dtype, (lanes,), "members", scope="local")
    with ib.for_range(0, lanes, "i") as i:
        members[i] = key(begin + least(cast(dtype, i), size - 1))
    with ib.for_range(0, lanes, "i", kind=side_by_side) as i:
        rank[i] = 0
    with ib.for_range(0, size, "j", kind="serial" if known_size is None else "unroll") as j:
        other = ib.let("other", members[j])
        with ib.for_range(0, lanes, "i", kind=side_by_side) as i:
            is_first = all_of(cast("int32", j) < i, Not(_precedes(members[i], other, is_ascend)))
            rank[i] = rank[i] + any_of(_precedes(other, members[i], is_ascend), is_first).astype("int32")
    return rank, members


def _merge_runs(ib: IRBuilder, source: Arrays, target: Arrays, count: Expr, size: Expr, is_ascend: bool) -> None:
    """Merge pairs of runs of a size; what has no partner is copied.

    Which element is next is a coin toss: the loops have no branches. As many elements as the second run has come from
    the front, and as many from the back, so that no run ends before and neither waits for the other.
    """
    second, last_first = scalar(ib, count.dtype, "second"), scalar(ib, count.dtype, "last_first")
    least, all_of, any_of = (function(name) for name in ("min", "all", "any"))

    def pick(at: Expr, first: Expr, other: Expr, is_other: Callable[[Expr, Expr], Expr]) -> Expr:
        """Store one of two elements; return 1 if it is the other one, else 0."""
        entries = [[ib.let("element", array[place]) for array in source] for place in (first, other)]
        takes = ib.let("takes", is_other(entries[0][0], entries[1][0]))
        for array, *values in zip(target, *entries, strict=True):
            array[at] = Select(takes, values[1], values[0])
        return takes.astype(count.dtype)

    with ib.for_range(0, function("ceildiv")(count, size * 2), "pair") as pair:
        begin = ib.let("begin", pair * (size * 2))
        middle = ib.let("middle", least(begin + size, count))
        end = ib.let("end", least(middle + size, count))
        both = ib.let("both", end - middle)
        second[0] = middle
        last_first[0] = middle - 1
        with ib.for_range(0, both, "k") as k:
            first = ib.let("first", begin + k - (second[0] - middle))
            last = ib.let("last", end - 1 - k + (middle - 1 - last_first[0]))
            is_second = pick(begin + k, first, second[0], lambda a, b: _precedes(b, a, is_ascend))
            is_first = pick(end - 1 - k, last, last_first[0], lambda b, a: _precedes(b, a, is_ascend))
            second[0] = second[0] + is_second
            last_first[0] = last_first[0] - is_first
        stop = ib.let("stop", end - both + (middle - 1 - last_first[0]))
        with ib.for_range(begin + both, end - both, "k") as k:
            first = ib.let("first", k - (second[0] - middle))

            def is_next(a: Expr, b: Expr, first: Expr = first) -> Expr:
                return all_of(second[0] < stop, any_of(first > last_first[0], _precedes(b, a, is_ascend)))

            # an exhausted run is still read, at a position inside
            second[0] = second[0] + pick(k, least(first, count - 1), least(second[0], count - 1), is_next)


def first_in_order(ib: IRBuilder, extent: Expr, count: Expr, key: Key, is_ascend: bool) -> BufferVar:
    """Return the first `count` numbers below `extent` in the stable order of their keys.

    They are the nodes of a heap whose root is the last of them in order (D. E. Knuth, The Art of Computer Programming,
    5.2.3): a number with a smaller key replaces the root. The heap is sorted at the end.
    """
    dtype, key_dtype = extent.dtype, key(const(0, extent.dtype)).dtype
    heap, keys = ib.allocate(dtype, (count,), "heap"), ib.allocate(key_dtype, (count,), "keys")
    hole, child = (scalar(ib, dtype, name) for name in ("hole", "child"))
    all_of, any_of = function("all"), function("any")
    half, zero = function("floordiv")(count, 2), const(0, dtype)

    def is_after(a: Entry, b: Entry) -> Expr:
        later = all_of(Not(_precedes(a[0], b[0], is_ascend)), a[1] > b[1])
        return any_of(_precedes(b[0], a[0], is_ascend), later)

    def node(position: Expr) -> Entry:
        return keys[position], heap[position]

    def put(position: Expr, entry: Entry) -> None:
        keys[position], heap[position] = entry

    def sift(start: Expr, entry: Entry, size: Expr) -> None:
        """Put an entry at a node or below, where no child comes after it."""
        entry = ib.let("moved_key", entry[0]), ib.let("moved", entry[1])
        hole[0] = start
        child[0] = hole[0] * 2 + 1
        with ib.while_loop(child[0] < size):
            # which child is the later one is a coin toss: no branch
            sibling = ib.let("sibling", function("min")(child[0] + 1, size - 1))
            child[0] = Select(is_after(node(sibling), node(child[0])), sibling, child[0])
            with ib.if_scope(is_after(node(child[0]), entry)):
                put(hole[0], node(child[0]))
                hole[0] = child[0]
                child[0] = hole[0] * 2 + 1
            with ib.else_scope():
                child[0] = size
        put(hole[0], entry)

    with ib.for_range(0, count, "i") as i:
        put(i, (key(i), i))
    with ib.for_range(0, half, "i") as i:
        start = ib.let("start", half - 1 - i)
        sift(start, node(start), count)
    with ib.for_range(count, extent, "i") as i, ib.if_scope(_precedes(key(i), keys[0], is_ascend)):
        sift(zero, (key(i), i), count)
    with ib.for_range(1, count, "i") as i:
        last = ib.let("last", count - i)
        entry = ib.let("last_key", keys[last]), ib.let("last_item", heap[last])
        put(last, node(zero))
        sift(zero, entry, last)
    return heap


def _precedes(a: Expr, b: Expr, is_ascend: bool) -> Expr:
    """Return whether an element must be before another."""
    low, high = (a, b) if is_ascend else (b, a)
    if not low.dtype.is_floating:
        return low < high
    # comparisons have vectors, calls of isnan have none
    return function("any")(low < high, function("all")(NE(high, high), EQ(low, low)))


def _sorted_rows(
    name: str,
    data: Tensor,
    axis: int,
    is_ascend: bool,
    length: Extent,
    outputs: list[str],
    dtype: str,
    valid_count: Tensor | None = None,
) -> list[Tensor]:
    """Return the first elements of sorted rows, as "values" or as "indices"."""
    place = normalize_axis(axis, data.ndim, name)
    extent = data.shape[place]
    rows, at = rows_along(data.shape, place)
    shape = [*data.shape[:place], length, *data.shape[place + 1 :]]
    inputs = [data] if valid_count is None else [data, valid_count]
    wanted, size = known_int(length), known_int(extent)
    has_keys = outputs == ["values"] and sorts_keys(data.dtype, size)
    is_few = wanted is not None and 0 < wanted <= _most_selected(data.dtype, size, has_keys)

    def body(ib: IRBuilder, source: BufferVar, *rest: BufferVar) -> None:
        targets = rest[len(inputs) - 1 :]

        def count_of(row: Expr) -> Expr:
            return extent if valid_count is None else function("min")(rest[0][row].astype(extent.dtype), extent)

        if sorts_in_parallel(size):

            def store(row: Expr, place: Expr, position: Expr) -> None:
                for target, content in zip(targets, outputs, strict=True):
                    value = source[at(row, position)] if content == "values" else position.astype(dtype)
                    target[at(row, place)] = value

            sorted_rows = sort_rows(
                ib,
                rows,
                extent,
                count_of,
                lambda row, place: source[at(row, place)],
                lambda a, b: _precedes(a, b, is_ascend),
            )
            store_rows(ib, rows, length, extent, store, sorted_rows)
            return
        with ib.for_range(0, rows, "row", kind="parallel") as row:
            count = count_of(row)

            def key(position: Expr) -> Expr:
                return source[at(row, position)]

            if has_keys and not is_few:
                keys = sorted_keys(ib, extent, key, is_ascend)
                with ib.for_range(0, length, "k") as k:
                    targets[0][at(row, k)] = keys(k)
                return
            if is_few:
                order = first_in_order(ib, extent, cast(extent.dtype, length), key, is_ascend)
            else:
                order = stable_order(ib, extent, count, key, is_ascend)
            with ib.for_range(0, length, "k") as k:
                for target, content in zip(targets, outputs, strict=True):
                    value = source[at(row, order[k])] if content == "values" else order[k].astype(dtype)
                    target[at(row, k)] = value

    kinds = [data.dtype if content == "values" else dtype for content in outputs]
    return kernels(f"{name}_cpu", [(shape, kind) for kind in kinds], inputs, body)


def _most_selected(dtype: DType, size: int | None, has_keys: bool) -> int:
    """Return up to how many first elements are searched for, rather than the row is sorted."""
    if size is None:
        return _MOST_SELECTED
    return size // (_OF_KEYS if has_keys else _OF_PACKED if packs_positions(dtype, size) else _OF_OTHERS)


def sort(data: Tensor, axis: int = -1, is_ascend: bool | int = 1) -> Tensor:
    """Return numpy.sort; descending if not `is_ascend`."""
    return _sorted_rows("sort", data, axis, bool(is_ascend), _extent(data, axis, "sort"), ["values"], "")[0]


def argsort(
    data: Tensor,
    valid_count: Tensor | None = None,
    axis: int = -1,
    is_ascend: bool | int = 1,
    dtype: str = "float32",
) -> Tensor:
    """Return numpy.argsort of kind "stable"; with `valid_count` the positions from a row's count on stay."""
    length = _extent(data, axis, "argsort")
    return _sorted_rows("argsort", data, axis, bool(is_ascend), length, ["indices"], dtype, valid_count)[0]


def topk(
    data: Tensor,
    k: Extent = 1,
    axis: int = -1,
    ret_type: str = "both",
    is_ascend: bool | int = False,
    dtype: str = "int64",
) -> Tensor | list[Tensor]:
    """Return ONNX's TopK: the largest elements of rows and their indices, in order; all where `k` is less than 1.

    `ret_type` is "both", "values" or "indices".
    """
    outputs = ["values", "indices"] if ret_type == "both" else [ret_type]
    if ret_type not in ("both", "values", "indices"):
        raise InvalidOperand(where="topk", reason=f'the type {ret_type!r} is none of "both", "values", "indices"')
    extent = _extent(data, axis, "topk")
    count, size = known_int(k), known_int(extent)
    if count is not None and size is not None and count > size:
        raise InvalidOperand(where="topk", reason=f"there are no {count} elements in rows of {size}")
    length = extent if count is not None and count < 1 else k
    results = _sorted_rows("topk", data, axis, bool(is_ascend), length, outputs, dtype)
    return results if ret_type == "both" else results[0]


def _extent(data: Tensor, axis: int, where: str) -> Expr:
    if data.ndim == 0:
        raise InvalidOperand(where=where, reason="the tensor has no axis to sort along")
    return data.shape[normalize_axis(axis, data.ndim, where)]


def binary_search(
    ib: IRBuilder,
    sequence_offset: Extent,
    search_range: Expr,
    sorted_sequence: BufferVar,
    value: Expr,
    right: bool,
    out_dtype: str,
) -> Expr:
    """Emit a search of the place of a value in sorted elements from an offset on, and return the place."""
    low = scalar(ib, out_dtype, "lo")
    high = scalar(ib, out_dtype, "hi")
    low[0] = 0
    high[0] = function("cast")(search_range, out_dtype)
    with ib.while_loop(low[0] < high[0]):
        middle = low[0] + ((high[0] - low[0]) >> 1)
        element = sorted_sequence[sequence_offset + middle]
        with ib.if_scope(element <= value if right else element < value):
            low[0] = middle + 1
        with ib.else_scope():
            high[0] = middle
    return low[0]


def searchsorted(sorted_sequence: Tensor, values: Tensor, right: bool = False, out_dtype: str = "int64") -> Tensor:
    """Return numpy.searchsorted, row by row where the sequence has several dimensions."""
    if sorted_sequence.ndim > 1:
        same = all(
            known_int(a) == known_int(b) for a, b in zip(sorted_sequence.shape[:-1], values.shape[:-1], strict=False)
        )
        if sorted_sequence.ndim != values.ndim or not same:
            raise InvalidOperand(where="searchsorted", reason="the sequences and the values have different rows")
    extent = sorted_sequence.shape[-1]
    count = product(values.shape)

    def body(ib: IRBuilder, sequence: BufferVar, wanted: BufferVar, places: BufferVar) -> None:
        size = values.shape[-1] if values.ndim else 1
        with ib.for_range(0, count, "i", kind="parallel") as position:
            offset = position // size * extent if sorted_sequence.ndim > 1 else 0
            places[position] = binary_search(ib, offset, extent, sequence, wanted[position], right, out_dtype)

    return kernels("searchsorted", [(values.shape, out_dtype)], [sorted_sequence, values], body)[0]


def unique(data: Tensor, is_sorted: bool = True, return_counts: bool = False) -> list[Tensor]:
    """Return numpy.unique of a vector: elements, first indices, the inverse, how many there are, and their counts.

    Elements are in the order of their first occurrence if not `is_sorted`. Beyond the number of elements, which is a
    tensor of one element, follow zeros, and the length of the vector for indices.
    """
    if data.ndim != 1:
        raise InvalidOperand(where="unique", reason=f"the tensor has {data.ndim} dimensions, not 1")
    (size,) = data.shape
    outputs: list[Output] = [([size], data.dtype), *[([size], "int32")] * 2, ([1], "int32")]
    outputs += [([size], "int32")] if return_counts else []

    def body(ib: IRBuilder, source: BufferVar, *targets: BufferVar) -> None:
        elements, firsts, inverse, number = targets[:4]
        if known_int(size) == 0:
            number[0] = 0
            return
        order = stable_order(ib, size, size, lambda position: source[position], is_ascend=True)
        rank = ib.allocate(size.dtype, (size,), "rank")
        total = scalar(ib, size.dtype, "total", 0)
        with ib.for_range(0, size, "k") as k:
            elements[k] = function("cast")(0, data.dtype)
            firsts[k] = size.astype("int32")
            for counts in targets[4:]:
                counts[k] = 0
        # an element is the first of its kind if the one before it in the sorted row is less
        with ib.for_range(0, size, "k") as k:
            previous = function("max")(k - 1, 0)
            with ib.if_scope(function("any")(k < 1, _precedes(source[order[previous]], source[order[k]], True))):
                rank[total[0]] = order[k]
                total[0] = total[0] + 1
            inverse[order[k]] = (total[0] - 1).astype("int32")
        number[0] = total[0].astype("int32")
        places = rank
        if not is_sorted:
            by_occurrence = stable_order(ib, size, total[0], lambda position: rank[position], is_ascend=True)
            places = ib.allocate(size.dtype, (size,), "places")
            with ib.for_range(0, total[0], "k") as k:
                places[by_occurrence[k]] = k
        with ib.for_range(0, total[0], "k") as k:
            goal = k if is_sorted else places[k]
            elements[goal] = source[rank[k]]
            firsts[goal] = rank[k].astype("int32")
        with ib.for_range(0, size, "k") as k:
            if not is_sorted:
                inverse[k] = places[inverse[k].astype(size.dtype)].astype("int32")
            for counts in targets[4:]:
                counts[inverse[k]] = counts[inverse[k]] + 1

    return kernels("unique", outputs, [data], body)
