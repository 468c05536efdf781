"""Kinds of tensor definitions: each is written once, and means tensor expressions or NumPy arrays."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final, Protocol

#: tensors and their elements, of `te` or NumPy
Value = Any


class Semantics(Protocol):
    """What definitions are made of. `element` gets the spatial indices, in reductions the reduced ones behind them."""

    def shape(self, tensor: Value) -> tuple[Any, ...]: ...
    def read(self, tensor: Value, *indices: Any) -> Value: ...
    def maximum(self, a: Value, b: Value) -> Value: ...
    def minimum(self, a: Value, b: Value) -> Value: ...
    def inside(self, tensor: Value, indices: Sequence[Any], condition: Sequence[Any], other: int) -> Value:
        """An element where all conditions hold, else a constant; nothing is read outside of the tensor."""
        ...

    def compute(self, name: str, shape: Sequence[Any], *elements: Callable[..., Value]) -> tuple[Value, ...]: ...
    def reduction(
        self,
        name: str,
        shape: Sequence[Any],
        reducer: str,
        extents: Sequence[Any],
        element: Callable[..., Value],
        condition: Callable[..., Value] | None = None,
    ) -> tuple[Value, ...]: ...
    def argmax(
        self, name: str, shape: Sequence[Any], extent: Any, element: Callable[..., Value], *, is_value_first: bool
    ) -> tuple[Value, ...]:
        """The least index of a maximum, and the maximum, or the other way round."""
        ...

    def running_sum(self, name: str, tensor: Value) -> tuple[Value, ...]:
        """The sums of the first elements along the first axis."""
        ...


@dataclass(frozen=True)
class Kind:
    """A kind of definition."""

    #: (semantics, name, tensors, numbers) -> the tensors that it defines
    define: Callable[[Semantics, str, Sequence[Value], Sequence[int]], tuple[Value, ...]]
    #: the least and the greatest rank of each tensor that it reads
    ranks: tuple[tuple[int, int], ...]
    #: (bounds of what it reads, elements of what it reads first) -> bound of what it defines
    bound: Callable[[Sequence[int], int], int]
    #: how many tensors it defines
    outputs: int = 1
    #: whether it is defined where a tensor that it reads has no elements
    takes_empty: bool = False


_MAX_RANK: Final = 3
_ANY: Final = (0, _MAX_RANK)
_SOME: Final = (1, _MAX_RANK)


def _affine(s: Semantics, name: str, tensors: Sequence[Value], n: Sequence[int]) -> tuple[Value, ...]:
    (x,) = tensors
    return s.compute(name, s.shape(x), lambda *i: s.read(x, *i) * (n[0] - 3) + (n[1] - 3))


def _clamp(s: Semantics, name: str, tensors: Sequence[Value], n: Sequence[int]) -> tuple[Value, ...]:
    (x,) = tensors
    return s.compute(name, s.shape(x), lambda *i: s.maximum(s.minimum(s.read(x, *i), n[0]), -3))


def _combine(s: Semantics, name: str, tensors: Sequence[Value], n: Sequence[int]) -> tuple[Value, ...]:
    """Combine two tensors; the second one is repeated to the shape of the first, perhaps read some places ahead."""
    x, y = tensors
    ahead = max(n[1] - 4, 0)
    operations: list[Callable[[Any, Any], Any]] = [
        lambda a, b: a + b, lambda a, b: a - b, lambda a, b: a * b, s.maximum, s.minimum,
    ]  # fmt: skip
    operation = operations[n[0] % len(operations)]
    sizes = s.shape(y)

    def element(*i: Any) -> Value:
        # axes are aligned at the end, as in NumPy; missing ones have a constant index
        missing: list[Any] = [0] * max(len(sizes) - len(i), 0)
        given = [*missing, *i[max(len(i) - len(sizes), 0) :]]
        places = [index % size for index, size in zip(given, sizes, strict=True)]
        if places and ahead:
            places[-1] = s.minimum(places[-1] + ahead, sizes[-1] - 1)
        return operation(s.read(x, *i), s.read(y, *places))

    return s.compute(name, s.shape(x), element)


def _transpose(s: Semantics, name: str, tensors: Sequence[Value], n: Sequence[int]) -> tuple[Value, ...]:
    (x,) = tensors
    shape = s.shape(x)
    turn = n[0] % len(shape)
    order = [*range(turn, len(shape)), *range(turn)]
    return s.compute(
        name, [shape[axis] for axis in order], lambda *i: s.read(x, *(i[order.index(k)] for k in range(len(order))))
    )


def _pad(s: Semantics, name: str, tensors: Sequence[Value], n: Sequence[int]) -> tuple[Value, ...]:
    (x,) = tensors
    shape = s.shape(x)
    axis, before, after = n[0] % len(shape), n[1] % 3, n[2] % 3
    padded = [*shape[:axis], shape[axis] + before + after, *shape[axis + 1 :]]

    def element(*i: Any) -> Value:
        index = i[axis] - before
        return s.inside(x, [*i[:axis], index, *i[axis + 1 :]], [index >= 0, index < shape[axis]], n[3])

    return s.compute(name, padded, element)


def _slice(s: Semantics, name: str, tensors: Sequence[Value], n: Sequence[int]) -> tuple[Value, ...]:
    """Take each second or third element of an axis, from the front or from the back."""
    (x,) = tensors
    shape = s.shape(x)
    axis, step, is_backward = n[0] % len(shape), 1 + n[1] % 3, n[2] % 2
    sliced = [*shape[:axis], (shape[axis] + step - 1) // step, *shape[axis + 1 :]]

    def element(*i: Any) -> Value:
        index = shape[axis] - 1 - i[axis] * step if is_backward else i[axis] * step
        return s.read(x, *i[:axis], index, *i[axis + 1 :])

    return s.compute(name, sliced, element)


def _flatten(s: Semantics, name: str, tensors: Sequence[Value], n: Sequence[int]) -> tuple[Value, ...]:
    """Fuse the two last axes."""
    (x,) = tensors
    *outer, rows, columns = s.shape(x)
    return s.compute(name, [*outer, rows * columns], lambda *i: s.read(x, *i[:-1], i[-1] // columns, i[-1] % columns))


def _twice(s: Semantics, name: str, tensors: Sequence[Value], n: Sequence[int]) -> tuple[Value, ...]:
    """Define two tensors at once."""
    (x,) = tensors
    return s.compute(
        name, s.shape(x), lambda *i: s.read(x, *i) + (n[0] + 1), lambda *i: s.read(x, *i) * 2 - s.read(x, *i)
    )


def _extreme(s: Semantics, name: str, tensors: Sequence[Value], n: Sequence[int]) -> tuple[Value, ...]:
    return _reduce(s, name, tensors, n, ("max", "min")[n[2] % 2])


def _reduce(
    s: Semantics, name: str, tensors: Sequence[Value], n: Sequence[int], reducer: str = "sum"
) -> tuple[Value, ...]:
    """Reduce one or two neighboring axes; a sum perhaps a part of them."""
    (x,) = tensors
    shape = s.shape(x)
    first = n[0] % len(shape)
    last = min(first + 1 + n[1] % 2, len(shape))
    count = len(shape) - (last - first)

    def element(*i: Any) -> Value:
        spatial, reduced = i[:count], i[count:]
        return s.read(x, *spatial[:first], *reduced, *spatial[first:])

    # a maximum of nothing has no small value
    condition = (lambda *i: i[count] % 3 < 1 + n[3] % 2) if reducer == "sum" and n[3] % 4 else None
    return s.reduction(name, [*shape[:first], *shape[last:]], reducer, shape[first:last], element, condition)


def _matmul(s: Semantics, name: str, tensors: Sequence[Value], n: Sequence[int]) -> tuple[Value, ...]:
    """Multiply a matrix, or vectors of a batch of them, by another one; its rows are repeated to fit."""
    x, y = tensors
    *outer, terms = s.shape(x)
    rows, columns = s.shape(y)

    def element(*i: Any) -> Value:
        *at, column, k = i
        return s.read(x, *at, k) * s.read(y, k % rows, column)

    return s.reduction(name, [*outer, columns], "sum", [terms], element)


def _window(s: Semantics, name: str, tensors: Sequence[Value], n: Sequence[int]) -> tuple[Value, ...]:
    """Reduce windows of the last axis, with zeros behind its end."""
    (x,) = tensors
    *outer, size = s.shape(x)
    stride, width = 1 + n[0] % 2, 1 + n[1] % 3

    def element(*i: Any) -> Value:
        *at, place, k = i
        index = place * stride + k
        return s.inside(x, [*at, index], [index < size], 0)

    return s.reduction(name, [*outer, (size + stride - 1) // stride], ("sum", "max")[n[2] % 2], [width], element)


def _argmax(s: Semantics, name: str, tensors: Sequence[Value], n: Sequence[int]) -> tuple[Value, ...]:
    (x,) = tensors
    *outer, size = s.shape(x)
    return s.argmax(name, outer, size, lambda *i: s.read(x, *i), is_value_first=n[0] % 2 == 1)


def _running_sum(s: Semantics, name: str, tensors: Sequence[Value], n: Sequence[int]) -> tuple[Value, ...]:
    return s.running_sum(name, tensors[0])


#: name -> kind; simpler ones first
KINDS: Final[dict[str, Kind]] = {
    "affine": Kind(_affine, (_ANY,), lambda b, _: 4 * b[0] + 4, takes_empty=True),
    "clamp": Kind(_clamp, (_ANY,), lambda b, _: 7, takes_empty=True),
    "combine": Kind(_combine, (_ANY, _ANY), lambda b, _: b[0] * b[1] + b[0] + b[1]),
    "transpose": Kind(_transpose, (_SOME,), lambda b, _: b[0], takes_empty=True),
    "pad": Kind(_pad, (_SOME,), lambda b, _: b[0] + 7, takes_empty=True),
    "slice": Kind(_slice, (_SOME,), lambda b, _: b[0], takes_empty=True),
    "flatten": Kind(_flatten, ((2, _MAX_RANK),), lambda b, _: b[0], takes_empty=True),
    "twice": Kind(_twice, (_ANY,), lambda b, _: b[0] + 8, outputs=2, takes_empty=True),
    "sum": Kind(_reduce, (_SOME,), lambda b, count: b[0] * count, takes_empty=True),
    "extreme": Kind(_extreme, (_SOME,), lambda b, _: b[0]),
    "matmul": Kind(_matmul, (_SOME, (2, 2)), lambda b, count: b[0] * b[1] * count),
    "window": Kind(_window, (_SOME,), lambda b, _: 3 * b[0], takes_empty=True),
    "argmax": Kind(_argmax, (_SOME,), lambda b, count: b[0] + count, outputs=2),
    "running_sum": Kind(_running_sum, (_SOME,), lambda b, count: b[0] * count),
}
