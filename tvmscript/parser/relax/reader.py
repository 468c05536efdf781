"""Interface between the parser of Relax functions and the constructs of `R`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, Protocol

from tvmscript.ir.core import DType, Span
from tvmscript.ir.relax.base import RelaxExpr, StructInfo
from tvmscript.parser.reader import Reader
from tvmscript.parser.relax.bindings import Bindings


class ValueReader(Reader, Protocol):
    """Interface of a parser of Relax values and annotations."""

    #: `T.int64` is the type of a Relax value (0.27)
    scalars_are_values: ClassVar[bool]
    #: True and False among the attributes of functions become numbers (0.17)
    flags_are_numbers: ClassVar[bool]

    @property
    def declared_dtypes(self) -> Mapping[str, DType]:
        """Return the dtypes of the sizes that the body of the function declares."""
        ...

    def operand(self, value: object) -> object:
        """Convert an operand of a Python operator."""
        ...

    def as_value(self, value: object, span: Span) -> Any:
        """Convert a value to a Relax expression. Raises `NotAnExpression`."""
        ...


class GraphReader(ValueReader, Protocol):
    """Interface of a parser of a Relax function."""

    bindings: Bindings
    attrs: dict[str, object] | None
    function_name: str | None
    result_info: StructInfo | None
    result: RelaxExpr | None

    def give_back(self, value: object, span: Span) -> None:
        """Set the result of the function."""
        ...
