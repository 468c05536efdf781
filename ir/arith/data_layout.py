"""Named layouts of tensors, `NCHW16c`, and the conversion of indices and shapes from one to another.

A capital letter is an axis. A small letter with a factor is an inner axis, which splits the axis of its capital: of
several ones the last is the innermost.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache
from math import prod

from tvmscript.ir.arith.analyzer import Analyzer
from tvmscript.ir.arith.errors import InvalidLayout
from tvmscript.ir.arith.fold import add, make, mul
from tvmscript.ir.core import DType
from tvmscript.ir.core.node import Building, Node, node, note
from tvmscript.ir.tir import Expr, FloorDiv, FloorMod, IntImm, IterKind, IterVar, Range, Var, as_expr, match_types

_AXIS = re.compile(r"([A-Z])|([1-9][0-9]*)([a-z])")


@cache
def parse_axes(name: str) -> tuple[tuple[str, int], ...] | None:
    """Parse a layout: (letter, 0) for an axis, (letter, factor) for an inner one, all letters capital.

    None where an axis is repeated, or an inner axis has no axis.
    """
    matches = list(_AXIS.finditer(name))
    if sum(len(match.group()) for match in matches) != len(name):
        return None
    axes = tuple([(match[1] or match[3].upper(), int(match[2] or 0)) for match in matches])
    capitals = [letter for letter, inner in axes if not inner]
    if len(capitals) != len(set(capitals)) or not set(capitals).issuperset([letter for letter, _ in axes]):
        return None
    return axes


@node
class Layout(Node):
    """A named layout: `layout("NCHW16c")`. Indexing and `in` are by the letters of axes."""

    name: str
    axes: tuple[IterVar, ...] = note()

    def __init__(self: Building, name: str, dtype: DType | str = "int32") -> None:
        parsed = parse_axes(name)
        if not parsed:
            raise InvalidLayout(layout=name, reason="it is a text such as NCHW or NCHW16c, with each capital once")
        self.name, self.span = name, None
        self.axes = tuple([_axis(letter, factor, DType(dtype)) for letter, factor in parsed])

    def __len__(self) -> int:
        return len(self.axes)

    def __contains__(self, axis: str) -> bool:
        return any(entry.var.name == axis for entry in self.axes)

    def __getitem__(self, index: int) -> str:
        return self.axes[index].var.name

    def __iter__(self) -> Iterator[str]:
        return (axis.var.name for axis in self.axes)

    def index_of(self, axis: str) -> int:
        """Return the position of an axis, -1 if there is none."""
        return next((position for position, name in enumerate(self) if name == axis), -1)

    def factor_of(self, axis: str) -> int:
        """Return the product of the factors that split an axis, -1 if there are none."""
        factors = [factor for letter, factor in parse_axes(self.name) or () if factor and letter == axis.upper()]
        return prod(factors) if factors else -1

    def __str__(self) -> str:
        return f"Layout({self.name})"

    __repr__ = __str__


def _axis(letter: str, factor: int, dtype: DType) -> IterVar:
    extent: Expr = IntImm(dtype, factor) if factor else Var(f"{letter}_shape", dtype)
    var = Var(letter.lower() if factor else letter, dtype)
    return IterVar(Range.from_extent(extent), var, IterKind.DATA_PAR)


@node
class BijectiveLayout(Node):
    """The conversion from one layout to another with the same axes.

    Elements that pad an axis to a multiple of its factors have indices in the one layout alone.
    """

    src_layout: Layout
    dst_layout: Layout

    def __post_init__(self: Building) -> None:
        missing = {name.upper() for name in self.src_layout} ^ {name.upper() for name in self.dst_layout}
        if missing:
            names = ", ".join(sorted(missing))
            raise InvalidLayout(
                layout=self.dst_layout.name, reason=f"{self.src_layout.name} differs in the axes {names}"
            )

    def forward_index(self, index: Sequence[Expr | int]) -> list[Expr]:
        """Convert indices of the source layout to indices of the destination."""
        return _convert_indices(index, self.src_layout, self.dst_layout)

    def backward_index(self, index: Sequence[Expr | int]) -> list[Expr]:
        """Convert indices of the destination layout to indices of the source."""
        return _convert_indices(index, self.dst_layout, self.src_layout)

    def forward_shape(self, shape: Sequence[Expr | int]) -> list[Expr]:
        """Convert a shape in the source layout to one in the destination, whole blocks."""
        return _convert_shape(shape, self.src_layout, self.dst_layout)

    def backward_shape(self, shape: Sequence[Expr | int]) -> list[Expr]:
        """Convert a shape in the destination layout to one in the source, whole blocks."""
        return _convert_shape(shape, self.dst_layout, self.src_layout)

    def __str__(self) -> str:
        return f"BijectiveLayout({self.src_layout.name}->{self.dst_layout.name})"

    __repr__ = __str__


def layout(layout_str: str, dtype: DType | str = "int32") -> Layout:
    """Return the layout of a name. Raises `InvalidLayout`."""
    return Layout(layout_str, dtype)


def bijective_layout(src_layout: Layout | str, dst_layout: Layout | str) -> BijectiveLayout:
    """Return the conversion between two layouts. Raises `InvalidLayout` where they have other axes."""
    source, target = (Layout(item) if isinstance(item, str) else item for item in (src_layout, dst_layout))
    return BijectiveLayout(source, target)


def _operands(values: Sequence[Expr | int], of: Layout) -> list[Expr]:
    if len(values) != len(of):
        raise InvalidLayout(layout=of.name, reason=f"it has {len(of)} dimensions, but got {len(values)} values")
    return [as_expr(value, axis.var.dtype) for value, axis in zip(values, of.axes, strict=True)]


def _strides(of: Layout) -> list[int]:
    """Return how many elements of its axis one step of each dimension covers."""
    parsed = parse_axes(of.name) or ()
    strides: list[int] = []
    for position, (letter, factor) in enumerate(parsed):
        # the axis itself stands outside of all its parts, wherever it is written
        inner = [size for at, (name, size) in enumerate(parsed) if name == letter and (at > position or not factor)]
        strides.append(prod(size for size in inner if size))
    return strides


def _convert_indices(index: Sequence[Expr | int], source: Layout, target: Layout) -> list[Expr]:
    whole: dict[str, Expr] = {}
    for name, stride, value in zip(source, _strides(source), _operands(index, source), strict=True):
        term = mul(value, IntImm(value.dtype, stride))
        partial_index = whole.get(name.upper())
        whole[name.upper()] = term if partial_index is None else add(*match_types(partial_index, term))
    analyzer = Analyzer()
    for axis, given in zip(source.axes, index, strict=True):
        if isinstance(given, Var) and axis.dom is not None and isinstance(axis.dom.extent, IntImm):
            analyzer.bind(given, axis.dom)
    converted: list[Expr] = []
    for (letter, factor), stride in zip(parse_axes(target.name) or (), _strides(target), strict=True):
        value = whole[letter]
        if factor:
            value = make(FloorMod, value, IntImm(value.dtype, stride * factor))
        converted.append(analyzer.simplify(make(FloorDiv, value, IntImm(value.dtype, stride))))
    return converted


def _convert_shape(shape: Sequence[Expr | int], source: Layout, target: Layout) -> list[Expr]:
    sizes: dict[str, Expr] = {}
    for axis, (letter, factor), stride, size in zip(
        source.axes, parse_axes(source.name) or (), _strides(source), _operands(shape, source), strict=True
    ):
        if not factor:
            sizes[letter] = mul(size, IntImm(size.dtype, stride))
        elif isinstance(size, IntImm) and size.value != factor:
            raise InvalidLayout(
                layout=source.name, reason=f"the axis {axis.var.name} has {factor} elements, not {size}"
            )
    analyzer = Analyzer()
    converted: list[Expr] = []
    for (letter, factor), stride in zip(parse_axes(target.name) or (), _strides(target), strict=True):
        size = sizes[letter]
        blocks = make(FloorDiv, add(size, IntImm(size.dtype, stride - 1)), IntImm(size.dtype, stride))
        converted.append(IntImm(size.dtype, factor) if factor else analyzer.simplify(blocks))
    return converted
