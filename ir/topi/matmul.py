"""Products of tensors: matmul, tensordot, einsum."""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce

from tvmscript.ir.te import reduction
from tvmscript.ir.te.construct import reduce_axis
from tvmscript.ir.te.tensor import Extent, Index, Tensor
from tvmscript.ir.tir import Expr, IterVar
from tvmscript.ir.topi.common import as_int, define, function, known_int
from tvmscript.ir.topi.errors import InvalidOperand

_MATMUL = "matmul"


def matmul(a: Tensor, b: Tensor, transp_a: bool = False, transp_b: bool = False) -> Tensor:
    """Return numpy.matmul of two matrices, each transposed where it is said."""
    rows, inner = (1, 0) if transp_a else (0, 1)
    k = reduce_axis((0, a.shape[inner]), "k")

    def value(i: Expr, j: Expr) -> Expr:
        left = a(*((k, i) if transp_a else (i, k)))
        return reduction.sum(left * b(*((j, k) if transp_b else (k, j))), axis=k)

    return define((a.shape[rows], b.shape[0 if transp_b else 1]), value, "T_matmul", _MATMUL)


def tensordot(a: Tensor, b: Tensor, axes: Extent | Sequence[int | Sequence[int]]) -> Tensor:
    """Return numpy.tensordot."""
    if isinstance(axes, Sequence):
        left, right = (list(axis) if isinstance(axis, Sequence) else [axis] for axis in axes)
    else:
        count = as_int(axes, "tensordot")
        left, right = list(range(a.ndim - count, a.ndim)), list(range(count))
    over = [reduce_axis((0, a.shape[axis]), f"k{n}") for n, axis in enumerate(left)]
    free_left = [axis for axis in range(a.ndim) if axis not in left]
    free_right = [axis for axis in range(b.ndim) if axis not in right]

    def value(*i: Expr) -> Expr:
        first = dict(zip(free_left, i, strict=False)) | dict(zip(left, over, strict=True))
        second = dict(zip(free_right, i[len(free_left) :], strict=True)) | dict(zip(right, over, strict=True))
        element: Expr = a(*[first[axis] for axis in range(a.ndim)])
        element = element * b(*[second[axis] for axis in range(b.ndim)])
        return reduction.sum(element, axis=over) if over else element

    shape = [a.shape[axis] for axis in free_left] + [b.shape[axis] for axis in free_right]
    return define(shape, value, "T_tensordot", _MATMUL)


def einsum(subscripts: str, *operand: Tensor) -> Tensor:
    """Return numpy.einsum."""
    terms, arrow, output = subscripts.replace(" ", "").partition("->")
    inputs = terms.split(",")
    if len(inputs) != len(operand):
        raise InvalidOperand(where="einsum", reason=f"{len(operand)} tensors are given for {len(inputs)} terms")
    labels = [_labels(term, tensor.ndim) for term, tensor in zip(inputs, operand, strict=True)]
    longest = max((label for term in labels for label in term if label.startswith(".")), key=len, default="")
    batch = sorted({label for term in labels for label in term if label[0] == "."})
    if not arrow:
        letters = terms.replace(",", "").replace(".", "")
        output = ("..." if longest else "") + "".join(sorted(c for c in set(letters) if letters.count(c) == 1))
    result = _spread(output, batch)
    extents: dict[str, Expr] = {}
    for term, tensor in zip(labels, operand, strict=True):
        for label, extent in zip(term, tensor.shape, strict=True):
            if label not in extents or known_int(extents[label]) == 1:
                extents[label] = extent
    over: dict[str, IterVar] = {}
    for label in sorted(extents):
        if label not in result:
            over[label] = reduce_axis((0, extents[label]), label)

    def value(*i: Expr) -> Expr:
        places = dict(zip(result, i, strict=True)) | over
        elements: list[Expr] = []
        for term, tensor in zip(labels, operand, strict=True):
            indices = [_index(places[x], n, extents[x]) for x, n in zip(term, tensor.shape, strict=True)]
            elements.append(tensor(*indices))
        element = reduce(lambda a, b: a * b, elements)
        return reduction.sum(element, axis=list(over.values())) if over else element

    return define([extents[label] for label in result], value, "T_einsum", _MATMUL)


def _labels(term: str, rank: int) -> list[str]:
    """Return a label for each dimension; those of an ellipsis are numbered from the last."""
    before, dots, after = term.partition("...")
    hidden = rank - len(before) - len(after)
    if hidden < 0 or (hidden and not dots):
        raise InvalidOperand(where="einsum", reason=f"{term} has not {rank} letters")
    return [*before, *[f".{hidden - n - 1:02}" for n in range(hidden)], *after]


def _spread(output: str, batch: list[str]) -> list[str]:
    before, dots, after = output.partition("...")
    return [*before, *(batch[::-1] if dots else []), *after]


def _index(index: Index, extent: Expr, whole: Expr) -> Index:
    is_spread = known_int(extent) == 1 and known_int(whole) != 1
    return function("cast")(0, whole.dtype) if is_spread else index
