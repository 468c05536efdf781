"""StableHLO operations that move, reduce, multiply and index tensors, and choose among regions."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

import numpy as np

from tvmscript.fuzz.frontends import references
from tvmscript.fuzz.frontends.pool import FLOATS, INTEGERS, Array
from tvmscript.fuzz.frontends.references import COMBINATIONS
from tvmscript.fuzz.frontends.stablehlo_text import Tensor, Writer, type_of

_ANY: Final = (*FLOATS, *INTEGERS, "bool", "complex64")


def _attribute(values: Sequence[int]) -> str:
    return f"array<i64{': ' if values else ''}{', '.join(map(str, values))}>"


def _form(w: Writer, short: str, name: str, x: Tensor, attribute: str, values: Sequence[int]) -> str:
    """Return an operation in the short or the generic form."""
    if w.rng.randrange(2):
        return f"stablehlo.{name} {x.ref}, {short} = {list(values)}"
    return f'"stablehlo.{name}"({x.ref}) <{{{attribute} = {_attribute(values)}}}>'


# ---- moves


def constant(w: Writer) -> None:
    shape, dtype = w.pool.shape(), w.rng.choice(_ANY)
    if w.rng.randrange(3) == 0:  # one element for all
        array = np.full(shape, w.pool.data((), dtype)[()], dtype)
        element = "true" if dtype == "bool" else None
        if element is None and dtype[0] in "ui":
            array = np.full(shape, w.rng.randrange(9), dtype)
            element = str(int(array.reshape(-1)[0]))
        if element is not None:
            array = np.ones(shape, dtype) if element == "true" else array
            w.bind(f"stablehlo.constant dense<{element}>", (), array, types=type_of(array))
            return
    w.constant(w.pool.data(shape, dtype))


def iota(w: Writer) -> None:
    shape = w.pool.shape(range(1, 5))
    axis, dtype = w.rng.randrange(len(shape)), w.rng.choice(("int32", "float32", "int64"))
    places = np.arange(shape[axis]).reshape([-1 if place == axis else 1 for place in range(len(shape))])
    array = np.ascontiguousarray(np.broadcast_to(places, shape)).astype(dtype)
    text = f"stablehlo.iota dim = {axis}"
    if w.rng.randrange(2):
        text = f'"stablehlo.iota"() <{{iota_dimension = {axis} : i64}}>'
    w.bind(text, (), array, types=type_of(array))


def broadcast(w: Writer) -> None:
    """Place the axes of a tensor, perhaps in another order, among those of a larger one."""
    x = w.pool.pick(_ANY, ranks=range(3))
    rank = x.rank + w.rng.randint(0, 2)
    dims = w.rng.sample(range(rank), x.rank)
    shape = [w.rng.randint(1, 3) for _ in range(rank)]
    for axis, size in zip(dims, x.shape, strict=True):
        shape[axis] = size if size > 1 else w.rng.randint(1, 3)
    inner = [1] * rank
    for axis, size in zip(dims, x.shape, strict=True):
        inner[axis] = size
    order = sorted(range(x.rank), key=lambda place: dims[place])
    array = np.broadcast_to(x.array.transpose(order).reshape(inner), shape).copy()
    w.bind(_form(w, "dims", "broadcast_in_dim", x, "broadcast_dimensions", dims), [x], array)


def reshape(w: Writer) -> None:
    x = w.pool.pick(_ANY)
    sizes = [size for size in x.shape if size > 1] or [1]
    if len(sizes) > 1 and w.rng.randrange(2):
        sizes = [sizes[0] * sizes[1], *sizes[2:]]
    sizes.insert(w.rng.randint(0, len(sizes)), 1)
    w.bind(f"stablehlo.reshape {x.ref}", [x], x.array.reshape(sizes))


def transpose(w: Writer) -> None:
    x = w.pool.pick(_ANY, ranks=range(1, 5))
    order = w.rng.sample(range(x.rank), x.rank)
    array = np.ascontiguousarray(x.array.transpose(order))
    w.bind(_form(w, "dims", "transpose", x, "permutation", order), [x], array)


def reverse(w: Writer) -> None:
    x = w.pool.pick(_ANY, ranks=range(1, 5))
    axes = sorted(w.rng.sample(range(x.rank), w.rng.randint(1, x.rank)))
    w.bind(_form(w, "dims", "reverse", x, "dimensions", axes), [x], np.flip(x.array, tuple(axes)).copy())


def cut(w: Writer) -> None:
    x = w.pool.pick(_ANY, ranks=range(1, 5))
    begins = [w.rng.randrange(size) for size in x.shape]
    ends = [w.rng.randint(begin + 1, size) for begin, size in zip(begins, x.shape, strict=True)]
    steps = [w.rng.randint(1, 3) for _ in begins]
    bounds = list(zip(begins, ends, steps, strict=True))
    if w.rng.randrange(2):
        parts = [f"{a}:{b}" if c == 1 else f"{a}:{b}:{c}" for a, b, c in bounds]
        text = f"stablehlo.slice {x.ref} [{', '.join(parts)}]"
    else:
        text = (
            f'"stablehlo.slice"({x.ref}) <{{limit_indices = {_attribute(ends)}, '
            f"start_indices = {_attribute(begins)}, strides = {_attribute(steps)}}}>"
        )
    w.bind(text, [x], x.array[tuple(slice(*bound) for bound in bounds)].copy())


def join(w: Writer) -> None:
    x = w.pool.pick(_ANY, ranks=range(1, 5))
    axis = w.pool.axis(x)
    others = [w.pool.pick((x.dtype,), shape=x.shape) for _ in range(w.rng.randint(0, 2))]
    array = np.concatenate([each.array for each in (x, *others)], axis)
    refs = ", ".join(each.ref for each in (x, *others))
    text = f"stablehlo.concatenate {refs}, dim = {axis}"
    if w.rng.randrange(2):
        text = f'"stablehlo.concatenate"({refs}) <{{dimension = {axis} : i64}}>'
    w.bind(text, [x, *others], array)


def pad(w: Writer) -> None:
    x = w.pool.pick((*FLOATS, "int32"), ranks=range(1, 4))
    value = w.scalar(w.rng.randint(0, 7), x.dtype)
    low, high, interior = ([w.rng.choice(kinds) for _ in x.shape] for kinds in ((0, 0, 1, 2), (0, 0, 1, 2), (0, 0, 2)))
    for axis, size in enumerate(x.shape):
        if size > 1 and w.rng.randrange(4) == 0:
            low[axis] = -1
    array = references.spread(x.array, value.array, low, high, interior)
    text = f"stablehlo.pad {x.ref}, {value.ref}, low = {low}, high = {high}, interior = {interior}"
    if w.rng.randrange(2):
        text = (
            f'"stablehlo.pad"({x.ref}, {value.ref}) <{{edge_padding_high = {_attribute(high)}, '
            f"edge_padding_low = {_attribute(low)}, interior_padding = {_attribute(interior)}}}>"
        )
    w.bind(text, [x, value], array)


def dynamic_slice(w: Writer) -> None:
    """Cut a part at a place that is moved inside, or write one there."""
    x = w.pool.pick(_ANY, ranks=range(1, 4))
    sizes = [w.rng.randint(1, size) for size in x.shape]
    begins = [w.rng.randint(-2, 5) for _ in x.shape]
    places = [w.pool.input(np.array(begin, "int32")) for begin in begins]
    firsts = [min(max(0, begin), total - size) for begin, size, total in zip(begins, sizes, x.shape, strict=True)]
    inside = tuple(slice(first, first + size) for first, size in zip(firsts, sizes, strict=True))
    refs = ", ".join(each.ref for each in places)
    if w.rng.randrange(2):
        update = w.pool.pick((x.dtype,), shape=tuple(sizes))
        array = x.array.copy()
        array[inside] = update.array
        text = f"stablehlo.dynamic_update_slice {x.ref}, {update.ref}, {refs}"
        w.bind(text, [x, update, *places], array)
        return
    text = f"stablehlo.dynamic_slice {x.ref}, {refs}, sizes = {sizes}"
    if w.rng.randrange(2):
        text = f'"stablehlo.dynamic_slice"({x.ref}, {refs}) <{{slice_sizes = {_attribute(sizes)}}}>'
    w.bind(text, [x, *places], x.array[inside].copy())


# ---- reductions and products


def reduce(w: Writer) -> None:
    kind = w.rng.choice(("add", "maximum", "minimum", "multiply", "or", "and"))
    if kind in ("or", "and"):
        x = w.pool.pick(("bool",), ranks=range(1, 5))
        initial = w.scalar(w.rng.randrange(2) == 1, "bool")
        function: Any = np.logical_or if kind == "or" else np.logical_and
    else:
        x = w.pool.pick((*FLOATS, "int32"), ranks=range(1, 5), low=-3, high=3)
        initial = w.scalar(w.rng.choice((0, 1, 2)), x.dtype)
        function = COMBINATIONS[kind]
    axes = sorted(w.rng.sample(range(x.rank), w.rng.randint(1, x.rank)))
    array = np.asarray(function(function.reduce(x.array, tuple(axes)), initial.array), x.dtype)
    text = f"stablehlo.reduce({x.ref} init: {initial.ref}) applies stablehlo.{kind} across dimensions = {axes}"
    w.bind(text, [x, initial], array, is_exact=kind in ("maximum", "minimum"))


def extreme(w: Writer) -> None:
    """Find the largest or smallest elements and their first places, as JAX writes that."""
    x = w.pool.input(w.pool.data(w.pool.shape(range(1, 4)), "float32"))
    axis, is_largest = w.pool.axis(x), w.rng.randrange(2) == 1
    places = w.pool.input(
        np.broadcast_to(
            np.arange(x.shape[axis]).reshape([-1 if place == axis else 1 for place in range(x.rank)]), x.shape
        ).astype("int32")
    )
    start, zero = w.scalar(-np.inf if is_largest else np.inf, "float32"), w.scalar(0, "int32")
    place = (np.argmax if is_largest else np.argmin)(x.array, axis)
    value = np.take_along_axis(x.array, np.expand_dims(place, axis), axis).squeeze(axis)
    results = [np.asarray(value), np.asarray(place, "int32")]
    name, word = w.name(), "GT" if is_largest else "LT"
    signature = w.signature([x, places, start, zero], results)
    w.lines += [
        f"{name}:2 = stablehlo.reduce({x.ref} init: {start.ref}), ({places.ref} init: {zero.ref}) "
        f"across dimensions = [{axis}] : {signature}",
        " reducer(%v: tensor<f32>, %u: tensor<f32>) (%i: tensor<i32>, %j: tensor<i32>) {",
        f"  %a = stablehlo.compare {word}, %v, %u, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>",
        "  %b = stablehlo.compare NE, %v, %v, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>",
        "  %c = stablehlo.or %a, %b : tensor<i1>",
        "  %d = stablehlo.select %c, %v, %u : tensor<i1>, tensor<f32>",
        "  %e = stablehlo.select %c, %i, %j : tensor<i1>, tensor<i32>",
        "  stablehlo.return %d, %e : tensor<f32>, tensor<i32>",
        "}",
    ]
    for number, result in enumerate(results):
        w.pool.add(f"{name}#{number}", result, x)


def reduce_window(w: Writer) -> None:
    x = w.pool.pick(ranks=range(1, 4), low=-3, high=3)
    kind = w.rng.choice(("add", "maximum", "minimum", "multiply"))
    neutral = {"add": 0, "maximum": -np.inf, "minimum": np.inf, "multiply": 1}[kind]
    window = [w.rng.randint(1, min(3, size)) for size in x.shape]
    strides, dilation = ([w.rng.randint(1, 2) for _ in x.shape] for _ in range(2))
    pads = [(w.rng.randint(0, 1), w.rng.randint(0, 2)) for _ in x.shape]
    for axis, (low, high) in enumerate(pads):
        if (window[axis] - 1) * dilation[axis] + 1 > x.shape[axis] + low + high:
            dilation[axis] = 1
    initial = w.scalar(neutral, x.dtype)
    padded = np.pad(x.array, pads, constant_values=neutral)
    view = references.windows(padded, window, strides, dilation)
    axes = tuple(range(x.rank, 2 * x.rank))
    array = np.asarray(COMBINATIONS[kind].reduce(view, axes), x.dtype)  # type: ignore[attr-defined]  # a ufunc
    kind_of = type_of(initial.array)
    text = (
        f'"stablehlo.reduce_window"({x.ref}, {initial.ref}) <{{base_dilations = {_attribute([1] * x.rank)}, '
        f"padding = dense<{[list(each) for each in pads]}> : tensor<{x.rank}x2xi64>, "
        f"window_dilations = {_attribute(dilation)}, window_dimensions = {_attribute(window)}, "
        f"window_strides = {_attribute(strides)}}}> ({{"
    )
    name = w.name()
    w.lines += [
        f"{name} = {text}",
        f"^bb0(%u: {kind_of}, %v: {kind_of}):",
        f"  %w = stablehlo.{kind} %u, %v : {kind_of}",
        f"  stablehlo.return %w : {kind_of}",
        f"}}) : {w.signature([x, initial], [array])}",
    ]
    w.pool.add(name, array, x, is_exact=kind in ("maximum", "minimum"))


def product(w: Writer) -> None:
    """Contract axes of two tensors that share others."""
    letters = "abcdef"
    batch, contracted, left, right = ("abcdef"[:count] for count in (0, 0, 0, 0))
    counts = [w.rng.randint(0, 1), w.rng.randint(0, 2), w.rng.randint(0, 1), w.rng.randint(0, 1)]
    ends = np.cumsum(counts)
    batch, contracted, left, right = (letters[end - count : end] for end, count in zip(ends, counts, strict=True))
    sizes = {letter: w.rng.randint(1, 4) for letter in letters}
    names = ["".join(w.rng.sample(each, len(each))) for each in (batch + contracted + left, batch + contracted + right)]
    dtype = w.rng.choice(FLOATS)
    a, b = (w.pool.input(w.pool.data([sizes[letter] for letter in name], dtype)) for name in names)
    array = np.einsum(f"{names[0]},{names[1]}->{batch}{left}{right}", a.array, b.array)
    dims = [[[name.index(letter) for letter in group] for name in names] for group in (batch, contracted)]
    words = [
        f", {word}_dims = {sides[0]} x {sides[1]}"
        for word, sides in zip(("batching", "contracting"), dims, strict=True)
        if sides[0]
    ]
    text = f"stablehlo.dot_general {a.ref}, {b.ref}{''.join(words)}, precision = [DEFAULT, DEFAULT]"
    w.bind(text, [a, b], np.asarray(array, dtype))


def convolution(w: Writer) -> None:
    rank, groups = w.rng.randint(1, 3), w.rng.choice((1, 1, 2))
    channels, filters, batch = groups * w.rng.randint(1, 2), groups * w.rng.randint(1, 2), w.rng.randint(1, 2)
    sizes, kernel = [w.rng.randint(3, 6) for _ in range(rank)], [w.rng.randint(1, 3) for _ in range(rank)]
    strides, dilation = ([w.rng.randint(1, 2) for _ in range(rank)] for _ in range(2))
    inner = [w.rng.choice((1, 1, 2)) for _ in range(rank)]
    pads = [(w.rng.randint(0, 2), w.rng.randint(0, 2)) for _ in range(rank)]
    for axis in range(rank):
        if (kernel[axis] - 1) * dilation[axis] + 1 > sizes[axis]:
            dilation[axis] = 1
    x, weight = (w.pool.data(shape, "float32", -2, 2) for shape in (
        (batch, channels, *sizes), (filters, channels // groups, *kernel)))  # fmt: skip
    none = [0] * (rank + 2)
    wide = references.spread(x, 0, none, none, [0, 0, *[step - 1 for step in inner]])
    result = references.convolve(wide, weight, strides, pads, dilation, groups)
    words = [["b", "f", *map(str, range(rank))], ["o", "i", *map(str, range(rank))], ["b", "f", *map(str, range(rank))]]
    orders = [w.rng.sample(range(rank + 2), rank + 2) for _ in words]
    layouts = [", ".join(word[axis] for axis in order) for word, order in zip(words, orders, strict=True)]
    sides = [w.pool.input(np.ascontiguousarray(each.transpose(order))) for each, order in zip(
        (x, weight), orders[:2], strict=True)]  # fmt: skip
    window = f"stride = {strides}, pad = {[list(each) for each in pads]}, lhs_dilate = {inner}, rhs_dilate = {dilation}"
    text = (
        f"stablehlo.convolution({sides[0].ref}, {sides[1].ref}) dim_numbers = [{layouts[0]}]x[{layouts[1]}]->"
        f"[{layouts[2]}], window = {{{window}}} {{batch_group_count = 1 : i64, feature_group_count = {groups} : i64}}"
    )
    w.bind(text, sides, np.ascontiguousarray(result.transpose(orders[2])))


# ---- places


def _indexing(w: Writer, rank: int) -> tuple[list[int], list[int], Array, int]:
    """Draw axes that places lead to, those of them that slices do not have, places, and the axis of coordinates."""
    axes = w.rng.sample(range(rank), w.rng.randint(1, rank))
    dropped = sorted(w.rng.sample(axes, w.rng.randint(0, len(axes))))
    batch = [w.rng.randint(1, 3) for _ in range(w.rng.randint(0, 2))]
    vector_axis = len(batch) if len(axes) == 1 and w.rng.randrange(2) else w.rng.randint(0, len(batch))
    is_implicit = len(axes) == 1 and vector_axis == len(batch) and w.rng.randrange(2) == 1
    shape = batch if is_implicit else [*batch[:vector_axis], len(axes), *batch[vector_axis:]]
    return axes, dropped, w.pool.data(shape, w.rng.choice(("int32", "int64")), -1, 4), vector_axis


def _layout(w: Writer, batch: int, kept: int) -> list[int]:
    """Draw which axes of the tensor of all slices are those of slices."""
    return sorted(w.rng.sample(range(batch + kept), kept))


def gather(w: Writer) -> None:
    x = w.pool.pick(_ANY, ranks=range(1, 4))
    axes, collapsed, places, vector_axis = _indexing(w, x.rank)
    sizes = [
        1 if axis in collapsed else w.rng.choice((size, w.rng.randint(1, size))) for axis, size in enumerate(x.shape)
    ]
    batch = places.ndim if vector_axis == places.ndim else places.ndim - 1
    offsets = _layout(w, batch, x.rank - len(collapsed))
    rank = batch + x.rank - len(collapsed)
    array = references.gather(x.array, places, offsets, collapsed, axes, vector_axis, sizes, rank)
    given = w.pool.input(places)
    numbers = (
        f"offset_dims = {offsets}, collapsed_slice_dims = {collapsed}, start_index_map = {axes}, "
        f"index_vector_dim = {vector_axis}"
    )
    text = (
        f'"stablehlo.gather"({x.ref}, {given.ref}) <{{dimension_numbers = #stablehlo.gather<{numbers}>, '
        f"indices_are_sorted = false, slice_sizes = {_attribute(sizes)}}}>"
    )
    w.bind(text, [x, given], array)


def scatter(w: Writer) -> None:
    x = w.pool.pick((*FLOATS, "int32"), ranks=range(1, 4), low=-3, high=3)
    axes, inserted, places, vector_axis = _indexing(w, x.rank)
    kept = [size for axis, size in enumerate(x.shape) if axis not in inserted]
    batch = list(places.shape)
    if vector_axis < places.ndim:
        del batch[vector_axis]
    windows = _layout(w, len(batch), len(kept))
    sizes, rest = iter(kept), iter(batch)
    shape = [w.rng.randint(1, next(sizes)) if axis in windows else next(rest) for axis in range(len(batch) + len(kept))]
    kind = w.rng.choice(("add", "maximum", "minimum", "multiply", "update"))
    if kind == "update":  # the order of updates is not defined, so places differ
        places = places[tuple(slice(0, 1) if axis != vector_axis else slice(None) for axis in range(places.ndim))]
        shape = [size if axis in windows else 1 for axis, size in enumerate(shape)]
    given, updates = w.pool.input(places), w.pool.input(w.pool.data(shape, x.dtype, -2, 2))
    combine: Callable[[Any, Any], Any] = COMBINATIONS.get(kind, lambda old, new: new)
    array = references.scatter(x.array, places, updates.array, windows, inserted, axes, vector_axis, combine)
    numbers = (
        f"update_window_dims = {windows}, inserted_window_dims = {inserted}, scatter_dims_to_operand_dims = {axes}, "
        f"index_vector_dim = {vector_axis}"
    )
    name, element = w.name(), type_of(np.zeros((), x.dtype))
    body = [] if kind == "update" else [f"  %w = stablehlo.{kind} %u, %v : {element}"]
    w.lines += [
        f'{name} = "stablehlo.scatter"({x.ref}, {given.ref}, {updates.ref}) <{{indices_are_sorted = false, '
        f"scatter_dimension_numbers = #stablehlo.scatter<{numbers}>, unique_indices = false}}> ({{",
        f"^bb0(%u: {element}, %v: {element}):",
        *body,
        f"  stablehlo.return {'%w' if body else '%v'} : {element}",
        f"}}) : {w.signature([x, given, updates], [array])}",
    ]
    w.pool.add(name, array, x, is_exact=kind != "multiply")


def sort(w: Writer) -> None:
    """Sort tensors by one of them, equal elements in their order."""
    shape = w.pool.shape(range(1, 4))
    count, axis = w.rng.randint(1, 3), w.rng.randrange(len(shape))
    tensors = [w.pool.input(w.pool.data(shape, w.rng.choice(("float32", "int32")))) for _ in range(count)]
    key, is_descending, is_swapped = w.rng.randrange(count), w.rng.randrange(2) == 1, w.rng.randrange(2) == 1
    keys = tensors[key].array
    order = np.argsort(-keys if is_descending else keys, axis, kind="stable")
    results = [np.take_along_axis(each.array, order, axis) for each in tensors]
    word = "GT" if is_descending != is_swapped else "LT"
    a, b = f"%k{2 * key}", f"%k{2 * key + 1}"
    elements = [type_of(np.zeros((), each.dtype)) for each in tensors]
    declared = [f"%k{2 * place + side}: {each}" for place, each in enumerate(elements) for side in range(2)]
    name, refs = w.name(), ", ".join(each.ref for each in tensors)
    head = name if count == 1 else f"{name}:{count}"
    sides = f"{b}, {a}" if is_swapped else f"{a}, {b}"
    kind = "FLOAT" if keys.dtype.kind == "f" else "SIGNED"
    w.lines += [
        f'{head} = "stablehlo.sort"({refs}) <{{dimension = {axis} : i64, is_stable = true}}> ({{',
        f"^bb0({', '.join(declared)}):",
        f"  %c = stablehlo.compare {word}, {sides}, {kind} : ({elements[key]}, {elements[key]}) -> tensor<i1>",
        "  stablehlo.return %c : tensor<i1>",
        f"}}) : {w.signature(tensors, results)}",
    ]
    for place, result in enumerate(results):
        w.pool.add(name if count == 1 else f"{name}#{place}", result)


def top_k(w: Writer) -> None:
    x = w.pool.input(w.pool.data(w.pool.shape(range(1, 4)), "float32"))
    k = w.rng.randint(1, x.shape[-1])
    order = np.argsort(-x.array, -1, kind="stable")[..., :k]
    values = np.take_along_axis(x.array, order, -1)
    names = [w.name("values"), w.name("indices")]
    results = [values, order.astype("int32")]
    w.lines.append(f"{', '.join(names)} = chlo.top_k({x.ref}, k = {k}) : {w.signature([x], results)}")
    for name, result in zip(names, results, strict=True):
        w.pool.add(name, result)


# ---- regions and functions


def branch(w: Writer) -> None:
    """Choose a region by a number or a flag."""
    x = w.pool.pick(FLOATS, low=-7, high=7)
    kinds = w.rng.choices(("add", "multiply", "subtract", "maximum"), k=w.rng.randint(1, 3))
    is_if = w.rng.randrange(2) == 1
    if is_if:
        kinds = kinds[:1] * 2 if len(kinds) < 2 else kinds[:2]
        flag = w.rng.randrange(2) == 1
        chosen, index = (0 if flag else 1), w.pool.input(np.array(flag))
    else:
        number = w.rng.randint(-1, len(kinds))
        chosen = number if 0 <= number < len(kinds) else len(kinds) - 1
        index = w.pool.input(np.array(number, "int32"))
    functions: dict[str, Any] = {**COMBINATIONS, "subtract": np.subtract}
    count = w.rng.randint(1, 2)
    values = [x.array + 0, functions[kinds[chosen]](x.array, x.array[()] * 0 + 2).astype(x.dtype)][-count:]
    kind, name = type_of(x.array), w.name()
    head = name if count == 1 else f"{name}:2"
    w.lines.append(f'{head} = "stablehlo.{"if" if is_if else "case"}"({index.ref}) ({{')
    for place, each in enumerate(kinds):
        returned = f"{x.ref}, %q" if count == 2 else "%q"
        w.lines += [
            *(["}, {"] if place else []),
            f"  %two = stablehlo.constant dense<2.0> : {kind}",
            f"  %q = stablehlo.{each} {x.ref}, %two : {kind}",
            f"  stablehlo.return {returned} : {', '.join([kind] * count)}",
        ]
    w.lines.append(f"}}) : {w.signature([index], [np.asarray(each) for each in values])}")
    for place, value in enumerate(values):
        w.pool.add(name if count == 1 else f"{name}#{place}", np.asarray(value), x, is_exact=False)


def loop(w: Writer) -> None:
    """Add a tensor of the outside several times."""
    x = w.pool.pick(FLOATS, low=-7, high=7)
    step = w.pool.pick((x.dtype,), shape=x.shape, low=-3, high=3)
    times = w.rng.randint(0, 3)
    zero, limit, one = (w.scalar(value, "int32") for value in (0, times, 1))
    kind, name = type_of(x.array), w.name()
    w.lines += [
        f"{name}:2 = stablehlo.while(%n = {zero.ref}, %s = {x.ref}) : tensor<i32>, {kind}",
        "cond {",
        f"  %c = stablehlo.compare LT, %n, {limit.ref}, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>",
        "  stablehlo.return %c : tensor<i1>",
        "} do {",
        f"  %m = stablehlo.add %n, {one.ref} : tensor<i32>",
        f"  %t = stablehlo.add %s, {step.ref} : {kind}",
        f"  stablehlo.return %m, %t : tensor<i32>, {kind}",
        "}",
    ]
    w.pool.add(f"{name}#0", np.array(times, "int32"))
    w.pool.add(f"{name}#1", np.asarray(x.array + times * step.array, x.dtype), x, step)


def call(w: Writer) -> None:
    """Call a function, perhaps from another one."""
    a, b = w.pool.two(FLOATS, -7, 7)
    kind, number = type_of(a.array), len(w.functions)
    w.functions += [
        f"  func.func private @outer{number}(%arg0: {kind}, %arg1: {kind}) -> {kind} {{",
        f"    %0 = func.call @inner{number}(%arg1, %arg0) : ({kind}, {kind}) -> {kind}",
        f"    return %0 : {kind}",
        "  }",
        f"  func.func private @inner{number}(%arg0: {kind}, %arg1: {kind}) -> {kind} {{",
        f"    %0 = stablehlo.subtract %arg0, %arg1 : {kind}",
        f"    return %0 : {kind}",
        "  }",
    ]
    w.bind(f"call @outer{number}({a.ref}, {b.ref})", [a, b], b.array - a.array)


OPERATIONS: Final[tuple[Callable[[Writer], None], ...]] = (
    constant, iota, broadcast, reshape, transpose, reverse, cut, join, pad, dynamic_slice, reduce, extreme,
    reduce_window, product, convolution, gather, gather, scatter, scatter, sort, top_k, branch, loop, call,
)  # fmt: skip
