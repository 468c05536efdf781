"""Index maps: functions from the indices of one layout to the indices of another."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from typing import Any, ClassVar, TypeAlias

from tvmscript.ir.core import BOOL, DType, Span, WrongType, structural_equal
from tvmscript.ir.core.hooks import hook
from tvmscript.ir.core.node import Building, Node, binds, node
from tvmscript.ir.tir.base import Expr
from tvmscript.ir.tir.expr import Cast, IntImm, Range
from tvmscript.ir.tir.operators import as_expr, cast
from tvmscript.ir.tir.substitute import substitute
from tvmscript.ir.tir.var import Var

#: A function of index variables: `lambda i, j: (j, i)`.
Mapping: TypeAlias = Callable[..., Any]


@node
class IndexMap(Node):
    """The function from `initial_indices` to `final_indices`, with its inverse where that is known.

    What it gives are indices, or, as for the padding of a layout, values of any type: see `of_values`.
    `str(index_map)` is its script: `T.index_map(lambda i, j: (j, i))`.
    """

    initial_indices: tuple[Var, ...] = binds()
    final_indices: tuple[Expr, ...]
    inverse_index_map: IndexMap | None = None

    #: what a mapping returns between groups of axes of a physical layout
    AXIS_SEPARATOR: ClassVar[str] = "axis_separator"

    def __post_init__(self: Building) -> None:
        for position, value in enumerate(self.final_indices):
            if value.dtype.is_handle or value.dtype.lanes != 1:
                raise WrongType(
                    where=f"result {position} of an index map", expected="a number", got=value.dtype, span=self.span
                )
        if callable(self.inverse_index_map):
            self.inverse_index_map = IndexMap.from_func(self.inverse_index_map, len(self.final_indices))

    @staticmethod
    def from_func(
        mapping_function: Mapping,
        ndim: int | None = None,
        inverse_index_map: Mapping | IndexMap | None = None,
        *,
        index_dtype: DType | str = "int64",
        span: Span | None = None,
    ) -> IndexMap:
        """The map that a Python function over variables of `index_dtype` describes.

        `ndim` tells how many indices a function with `*args` takes. Raises `WrongType`.
        """
        index_map, separators = IndexMap.from_func_with_separators(
            mapping_function, ndim, inverse_index_map, index_dtype=index_dtype, span=span
        )
        if separators:
            hint = "use IndexMap.from_func_with_separators"
            raise WrongType(where="an index map", expected="indices", got="an axis separator", span=span, hint=hint)
        return index_map

    @staticmethod
    def from_func_with_separators(
        mapping_function: Mapping,
        ndim: int | None = None,
        inverse_index_map: Mapping | IndexMap | None = None,
        *,
        index_dtype: DType | str = "int64",
        span: Span | None = None,
    ) -> tuple[IndexMap, list[int]]:
        """As `from_func`; with the positions where the function returned `IndexMap.AXIS_SEPARATOR`."""
        names, keywords = _index_names(mapping_function, ndim, span)
        variables = {name: Var(name, index_dtype) for name in (*names, *keywords)}
        results = mapping_function(
            *[variables[name] for name in names], **{name: variables[name] for name in keywords}
        )  # fmt: skip
        indices: list[Expr] = []
        separators: list[int] = []
        for item in results if isinstance(results, (tuple, list)) else (results,):
            if isinstance(item, str) and item == IndexMap.AXIS_SEPARATOR:
                separators.append(len(indices))
            elif isinstance(item, Expr) and not (item.dtype.is_integer and item.dtype.lanes == 1):
                where = f"result {len(indices)} of an index map"
                raise WrongType(where=where, expected="an integer", got=item.dtype, span=span)
            elif isinstance(item, (Expr, int)) and not isinstance(item, bool):
                indices.append(as_expr(item))
            else:
                raise WrongType(where="an index map", expected="indices as its results", got=repr(item), span=span)
        inverse = inverse_index_map
        if inverse is not None and not isinstance(inverse, IndexMap):
            inverse = IndexMap.from_func(inverse, len(indices), index_dtype=index_dtype, span=span)
        return IndexMap(tuple(variables.values()), tuple(indices), inverse, span=span), separators

    @staticmethod
    def of_values(
        function: Mapping, ndim: int | None = None, *, index_dtype: DType | str = "int64", span: Span | None = None
    ) -> IndexMap:
        """The map from indices to values of any type, such as the padding at each place of a layout."""
        names, keywords = _index_names(function, ndim, span)
        variables = {name: Var(name, index_dtype) for name in (*names, *keywords)}
        result = function(*[variables[name] for name in names], **{name: variables[name] for name in keywords})
        values = result if isinstance(result, (tuple, list)) else (result,)
        return IndexMap(tuple(variables.values()), tuple([as_expr(value) for value in values]), span=span)

    def map_indices(self, indices: Sequence[Expr | int]) -> tuple[Expr, ...]:
        """Apply the map to indices and simplify. Raises `WrongType` for another number of indices."""
        given = zip(self._checked("map_indices", indices), self.initial_indices, strict=True)
        return simplify_indices(self.at([cast(var.dtype, index) for index, var in given]))

    def map_ranges(self, ranges: Sequence[Range]) -> tuple[Range, ...]:
        """Return the ranges of the results over a box of indices; `x % 16` covers all 16 values."""
        given = self._checked("map_ranges", ranges)
        domains = {
            var: Range.from_min_extent(cast(var.dtype, item.min), cast(var.dtype, item.extent))
            for var, item in zip(self.initial_indices, given, strict=True)
        }
        return index_ranges(self.final_indices, domains)

    def map_shape(self, shape: Sequence[Expr | int]) -> tuple[Expr, ...]:
        """The extents that the indices of a buffer of this shape have after the map, in the shape's own dtype.

        Raises `WrongType` where an index does not begin at 0 after it.
        """
        extents = [as_expr(extent) for extent in shape]
        ranges = self.map_ranges([Range.from_min_extent(as_expr(0, extent.dtype), extent) for extent in extents])
        for item in ranges:
            if getattr(item.min, "value", None) != 0:
                raise WrongType(where="map_shape", expected="indices that begin at 0", got=item.min, span=self.span)
        wanted = max((extent.dtype for extent in extents), key=lambda dtype: dtype.bits, default=None)
        return tuple(item.extent if wanted is None else _narrowed(item.extent, wanted) for item in ranges)

    def map_ndarray(self, arr_src: Any) -> Any:
        """Return a runtime array whose element at the mapped indices is that of an array at its own.

        Raises `WrongType` where the map has more or fewer places than the array elements.
        """
        return map_ndarray(self, arr_src)

    def inverse(self, shape: Sequence[Range | Expr | int]) -> IndexMap:
        """The map from results back to indices, which run over a box: given by ranges or by its shape.

        Raises `NotInvertible` where the map is not one to one, or results are left over.
        """
        return self._inverted("inverse", shape, is_bijective=True)[0]

    def non_surjective_inverse(self, shape: Sequence[Range | Expr | int]) -> tuple[IndexMap, Expr]:
        """As `inverse`; with a predicate over the results that holds for those left over, which is the padding.

        Raises `NotInvertible` where the map is not one to one.
        """
        return self._inverted("non_surjective_inverse", shape, is_bijective=False)

    def _inverted(
        self, where: str, shape: Sequence[Range | Expr | int], *, is_bijective: bool
    ) -> tuple[IndexMap, Expr]:  # fmt: skip
        given = self._checked(where, shape)
        if self.inverse_index_map is not None:
            return self.inverse_index_map, IntImm(BOOL, 0)
        domains = {var: _domain(item, var) for var, item in zip(self.initial_indices, given, strict=True)}
        outputs = tuple([Var(f"axis{place}", index.dtype) for place, index in enumerate(self.final_indices)])
        indices, padding = invert(self, domains, outputs, is_bijective)
        return IndexMap(outputs, tuple(indices), span=self.span), padding

    def at(self, indices: Sequence[Expr]) -> tuple[Expr, ...]:
        """Apply the map to indices without simplification."""
        table = dict(zip(self.initial_indices, indices, strict=True))
        return tuple(substitute(index, table) for index in self.final_indices)

    def is_equivalent_to(self, other: IndexMap) -> bool:
        """Return whether simplification proves that both maps are the same function."""
        if len(self.initial_indices) != len(other.initial_indices):
            return False
        mine, theirs = simplify_indices(self.final_indices), other.map_indices(self.initial_indices)
        return structural_equal(mine, theirs)

    def _checked(self, where: str, values: Sequence[object]) -> tuple[Any, ...]:
        if len(values) != len(self.initial_indices):
            raise WrongType(where=where, expected=f"{len(self.initial_indices)} of them", got=len(values))
        return tuple(values)


# Index maps need the analyzer and iteration maps, which are a layer above.


@hook
def simplify_indices(indices: Sequence[Expr]) -> tuple[Expr, ...]:
    """Simplify index expressions."""
    raise NotImplementedError


@hook
def index_ranges(indices: Sequence[Expr], domains: dict[Var, Range]) -> tuple[Range, ...]:
    """Return the ranges of index expressions whose variables run over `domains`."""
    raise NotImplementedError


@hook
def map_ndarray(index_map: IndexMap, array: Any) -> Any:
    """Return an array with its elements at the mapped indices. Raises `WrongType`."""
    raise NotImplementedError


@hook
def invert(
    index_map: IndexMap, domains: dict[Var, Range], outputs: Sequence[Var], is_bijective: bool
) -> tuple[list[Expr], Expr]:
    """Return the indices as expressions of the outputs, and the predicate of outputs that belong to no index.

    Raises `NotInvertible`.
    """
    raise NotImplementedError


def _domain(given: Range | Expr | int, var: Var) -> Range:
    """A range of a variable: the one that is given, or the one from 0 of this extent."""
    if isinstance(given, Range):
        return Range.from_min_extent(cast(var.dtype, given.min), cast(var.dtype, given.extent))
    return Range.from_min_extent(IntImm(var.dtype, 0), cast(var.dtype, given))


def _narrowed(extent: Expr, dtype: DType) -> Expr:
    """An extent in another dtype; a conversion to the wider one that it was computed in goes."""
    inner = extent.value if isinstance(extent, Cast) else extent
    return inner if inner.dtype is dtype else cast(dtype, extent)


def _index_names(function: Mapping, ndim: int | None, span: Span | None) -> tuple[list[str], list[str]]:
    """Names of the indices of a function: those that it takes by position, and by keyword."""
    positional: list[str] = []
    keywords: list[str] = []
    variadic: str | None = None
    for parameter in inspect.signature(function).parameters.values():
        if parameter.kind in (parameter.POSITIONAL_ONLY, parameter.POSITIONAL_OR_KEYWORD):
            positional.append(parameter.name)
        elif parameter.kind is parameter.VAR_POSITIONAL:
            variadic = parameter.name
        elif parameter.kind is parameter.KEYWORD_ONLY:
            keywords.append(parameter.name)
        else:
            raise WrongType(where="an index map", expected="indices by position", got="**" + parameter.name, span=span)
    if variadic is not None:
        if ndim is None:
            raise WrongType(where="an index map of *args", expected="the number of indices", got="none", span=span)
        positional += [f"{variadic}_{number}" for number in range(ndim - len(positional) - len(keywords))]
    if ndim is not None and ndim != len(positional) + len(keywords):
        got = len(positional) + len(keywords)
        raise WrongType(where="an index map", expected=f"a function of {ndim} indices", got=got, span=span)
    return positional, keywords
