"""Base classes of Relax expressions and struct info. Python's operators on expressions are hooks."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, ClassVar, Final, TypeVar, cast

from tvmscript.ir.core import DType, structural_equal
from tvmscript.ir.core.hooks import Hook, hook
from tvmscript.ir.core.node import Node, node, note
from tvmscript.ir.core.types import Type

RelaxT = TypeVar("RelaxT", bound="RelaxExpr")

#: binary operators of Python on expressions, by the operator that they call; `op.python_operators` fills them
OPERATORS: Final[dict[str, Hook[[object, object], RelaxExpr]]] = {
    name: Hook(f"{__name__}.{name}")
    for name in (
        "add", "subtract", "multiply", "divide", "floor_divide", "mod", "power",
        "less", "less_equal", "greater", "greater_equal", "astype",
    )
}  # fmt: skip


@hook
def negate(value: RelaxExpr, /) -> RelaxExpr:
    """Return the call of `R.negative`."""
    raise NotImplementedError


@hook
def get_item(value: RelaxExpr, index: int, /) -> RelaxExpr:
    """Return an item of a tuple."""
    raise NotImplementedError


@hook
def static_type(sinfo: StructInfo) -> Type:
    """Return the static type of struct info."""
    raise NotImplementedError


@hook
def is_base_of(base: StructInfo, derived: StructInfo) -> bool:
    """Return whether every value of struct info `derived` has struct info `base`."""
    raise NotImplementedError


@node
class StructInfo(Node):
    """Compile-time information about a value: its kind, and for tensors shape, dtype and device."""

    defines_inside: ClassVar[bool] = True

    __hash__: ClassVar[Any] = object.__hash__

    def __eq__(self, other: object) -> bool:
        return self is other or (isinstance(other, StructInfo) and structural_equal(self, other))

    def is_base_of(self, derived: StructInfo) -> bool:
        """Return whether every value of struct info `derived` has this struct info."""
        return is_base_of(self, derived)


@node
class RelaxExpr(Node):
    """A value of the graph level. `struct_info` is None where nothing was inferred yet."""

    struct_info: StructInfo | None = note(default=None, kw_only=True)

    #: whether `struct_info` follows from the other fields
    infers: ClassVar[bool] = True

    def replace(self: RelaxT, **changes: object) -> RelaxT:
        """A node with some fields changed; what is known of it is inferred again, and stays where nothing follows."""
        replaced: Any = Node.replace  # `super` does not find the class that `slots` recreated
        if not self.infers or "struct_info" in changes:
            return cast(RelaxT, replaced(self, **changes))
        inferred: RelaxT = replaced(self, struct_info=None, **changes)
        return inferred if inferred.struct_info is not None else cast(RelaxT, replaced(self, **changes))

    __hash__: ClassVar[Any] = object.__hash__

    @property
    def checked_type(self) -> Type | None:
        """The struct info without sizes; None where nothing was inferred yet."""
        return None if self.struct_info is None else static_type(self.struct_info)

    def __neg__(self) -> RelaxExpr:
        return negate(self)

    def __add__(self, other: object) -> RelaxExpr:
        return OPERATORS["add"](self, other)

    def __sub__(self, other: object) -> RelaxExpr:
        return OPERATORS["subtract"](self, other)

    def __mul__(self, other: object) -> RelaxExpr:
        return OPERATORS["multiply"](self, other)

    def __truediv__(self, other: object) -> RelaxExpr:
        return OPERATORS["divide"](self, other)

    def __floordiv__(self, other: object) -> RelaxExpr:
        return OPERATORS["floor_divide"](self, other)

    def __mod__(self, other: object) -> RelaxExpr:
        return OPERATORS["mod"](self, other)

    def __pow__(self, other: object) -> RelaxExpr:
        return OPERATORS["power"](self, other)

    def __lt__(self, other: object) -> RelaxExpr:
        return OPERATORS["less"](self, other)

    def __le__(self, other: object) -> RelaxExpr:
        return OPERATORS["less_equal"](self, other)

    def __gt__(self, other: object) -> RelaxExpr:
        return OPERATORS["greater"](self, other)

    def __ge__(self, other: object) -> RelaxExpr:
        return OPERATORS["greater_equal"](self, other)

    def __bool__(self) -> bool:
        return True  # whether it has items or not

    def __getitem__(self, index: int) -> Any:
        """An item of a value that is a tuple. Raises `IndexError` where it has none of this number."""
        return get_item(self, index)

    def __iter__(self) -> Iterator[Any]:
        """The items of a value that is known to be a tuple. Raises `TypeError` for any other, which may have no end."""
        fields = getattr(self.struct_info, "fields", None)
        if fields is None:
            raise TypeError(f"{type(self).__name__} of {type(self.struct_info).__name__} has no items to go through")
        return iter([self[number] for number in range(len(fields))])

    def astype(self, dtype: DType | str) -> RelaxExpr:
        """The tensor with another dtype: the call of `R.astype`."""
        return OPERATORS["astype"](self, dtype)
