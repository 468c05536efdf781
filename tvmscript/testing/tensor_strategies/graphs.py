"""Graphs of tensor definitions: tensors of `te`, and the values that NumPy gives for them."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

import numpy as np
from hypothesis import strategies as st

from tvmscript.ir.te import construct
from tvmscript.ir.te.tensor import Tensor
from tvmscript.testing.tensor_strategies.definitions import KINDS, Semantics
from tvmscript.testing.tensor_strategies.semantics import Arrays, TensorExpressions

#: numbers of a definition or a step
_NUMBERS: Final = 6
#: values up to here are exact in all dtypes
_LARGEST: Final = 2**22
_DTYPES: Final = ("float32", "int32", "float64", "int64")
_INPUTS: Final = range(-3, 4)
#: ranks of inputs; loops are fused in matrices and cubes
_RANKS: Final = (0, 1, 2, 2, 3, 3)


@dataclass(frozen=True)
class Definition:
    """What defines a tensor: a kind of `KINDS`, the places of what it reads, numbers that settle the rest."""

    kind: str
    reads: tuple[int, ...]
    numbers: tuple[int, ...]


@dataclass(frozen=True)
class TensorGraph:
    """Inputs, and definitions that read inputs and earlier ones. An extent that is a name is symbolic."""

    dtype: str
    inputs: tuple[tuple[int | str, ...], ...]
    definitions: tuple[Definition, ...]
    #: the values of symbolic extents
    sizes: Mapping[str, int] = field(default_factory=dict[str, int])

    def tensors(self) -> tuple[list[Tensor], list[Tensor]]:
        """Return the inputs and the outputs, which no definition reads, as tensors of `te`."""
        variables: dict[int | str, Any] = {name: construct.size_var(name) for name in self.sizes}
        inputs: list[Any] = [
            construct.placeholder([variables.get(size, size) for size in shape], self.dtype, f"A{place}")
            for place, shape in enumerate(self.inputs)
        ]
        return inputs, self._outputs(TensorExpressions(), inputs)

    def arrays(self, seed: int) -> tuple[list[Any], list[Any]]:
        """Return random inputs, and the outputs, as NumPy arrays. Their values are small integers."""
        random = np.random.default_rng(seed)
        inputs: list[Any] = [
            random.integers(_INPUTS[0], _INPUTS[-1] + 1, self.shape_of(place)).astype(self.dtype)
            for place in range(len(self.inputs))
        ]
        return inputs, self._outputs(Arrays(), inputs)

    def shape_of(self, place: int) -> tuple[int, ...]:
        """Return the shape of an input."""
        return tuple([self.sizes[size] if isinstance(size, str) else size for size in self.inputs[place]])

    def _outputs(self, semantics: Semantics, inputs: Sequence[Any]) -> list[Any]:
        values = list(inputs)
        for place, definition in enumerate(self.definitions):
            define = KINDS[definition.kind].define
            values += define(semantics, f"B{place}", [values[read] for read in definition.reads], definition.numbers)
        read = {place for definition in self.definitions for place in definition.reads}
        return [value for place, value in enumerate(values) if place >= len(inputs) and place not in read]


@st.composite
def tensor_graphs(draw: st.DrawFn, max_definitions: int = 5, *, has_symbolic_sizes: bool = True) -> TensorGraph:
    """Draw graphs of elementwise, reordering, reducing, windowed and recurrent definitions."""
    extents = st.integers(1, 7)
    sizes = {"n": draw(st.one_of(extents, st.just(0)))} if has_symbolic_sizes and draw(st.integers(0, 3)) == 3 else {}
    extent: st.SearchStrategy[Any] = st.one_of(extents, st.sampled_from(["n"])) if sizes else extents
    shape = st.sampled_from(_RANKS).flatmap(lambda rank: st.tuples(*[extent] * rank))
    shapes = draw(st.lists(shape, min_size=1, max_size=3))
    graph = TensorGraph(draw(st.sampled_from(_DTYPES)), tuple(shapes), (), sizes)
    # shapes and bounds of all tensors; NumPy is asked for the shapes
    values: list[Any] = graph.arrays(0)[0]
    bounds = [-_INPUTS[0]] * len(shapes)
    definitions: list[Definition] = []
    # stages are computed under others: several definitions oftener than one
    for place in range(draw(st.sampled_from([1, *range(2, max_definitions + 1), *range(2, max_definitions + 1)]))):
        fitting = {
            kind: [
                # later tensors first: graphs are rather deep than wide
                [
                    at
                    for at, value in reversed(list(enumerate(values)))
                    if low <= value.ndim <= high and (value.size or KINDS[kind].takes_empty)
                ]
                for low, high in KINDS[kind].ranks
            ]
            for kind in KINDS
        }
        kinds = [kind for kind, places in fitting.items() if all(places)]
        if definitions and KINDS[definitions[-1].kind].outputs > 1:
            # one reader of several outputs oftener: only a stage whose outputs are all read is computed elsewhere
            kinds += [kind for kind in kinds if len(KINDS[kind].ranks) > 1] * 3
        kind = draw(st.sampled_from(kinds))
        read = {place for definition in definitions for place in definition.reads}
        reads: list[int] = []
        for places in fitting[kind]:
            # what nothing has read yet first: stages with an unread output are not inlined, nor computed elsewhere
            unread = [at for at in places if at >= len(shapes) and at not in read and at not in reads]
            reads.append(draw(st.sampled_from([*unread, *unread, *places])))
        bound = KINDS[kind].bound([bounds[read] for read in reads], math.prod(values[reads[0]].shape))
        if bound >= _LARGEST:
            kind, reads = "clamp", [draw(st.integers(0, len(values) - 1))]
            bound = KINDS[kind].bound([bounds[reads[0]]], 1)
        numbers = draw(st.tuples(*[st.integers(0, 7)] * _NUMBERS))
        definitions.append(Definition(kind, tuple(reads), numbers))
        new = KINDS[kind].define(Arrays(), f"B{place}", [values[read] for read in reads], numbers)
        values += new
        bounds += [bound] * len(new)
    return TensorGraph(graph.dtype, graph.inputs, tuple(definitions), sizes)
