"""Functions of the graph level."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tvmscript.ir.core.attrs import attribute, attributes
from tvmscript.ir.core.module import BaseFunc
from tvmscript.ir.core.node import Building, binds, node
from tvmscript.ir.relax.base import RelaxExpr, StructInfo
from tvmscript.ir.relax.expr import SeqExpr, Var
from tvmscript.ir.relax.struct_info import FuncStructInfo, ObjectStructInfo


@node
class Function(BaseFunc, RelaxExpr):
    """A function over values. Shape variables of the parameters' struct info are defined by it.

    Also a value: functions inside of functions are bound to variables.
    """

    params: tuple[Var, ...] = binds()
    body: SeqExpr
    ret_struct_info: StructInfo | None = None
    is_pure: bool = True
    attrs: dict[str, Any] = None  # type: ignore[assignment]  # replaced by {} below

    def __post_init__(self: Building) -> None:
        self.params = tuple(self.params)
        self.attrs = attributes(self.attrs)
        if self.struct_info is None:
            known = [param.struct_info or ObjectStructInfo() for param in self.params]
            result = self.ret_struct_info or self.body.struct_info or ObjectStructInfo()
            self.struct_info = FuncStructInfo(tuple(known), result, self.is_pure)

    def with_attr(self, key: str | Mapping[str, Any], value: Any = None) -> Function:
        """The function with one attribute set, or several given as a mapping."""
        given = {key: value} if isinstance(key, str) else dict(key)
        return self.replace(attrs={**self.attrs, **{name: attribute(item) for name, item in given.items()}})

    def without_attr(self, key: str) -> Function:
        """The function without an attribute."""
        return self.replace(attrs={name: item for name, item in self.attrs.items() if name != key})
