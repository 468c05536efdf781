"""Functions of the graph level."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tvmscript.ir.core.attrs import attribute, attributes
from tvmscript.ir.core.module import BaseFunc
from tvmscript.ir.core.node import Building, binds, node
from tvmscript.ir.relax.base import RelaxExpr, StructInfo
from tvmscript.ir.relax.expr import MatchCast, SeqExpr, Var
from tvmscript.ir.relax.infer_call import erase_variables
from tvmscript.ir.relax.struct_info import FuncStructInfo, ObjectStructInfo
from tvmscript.ir.relax.symbolic_shape import definable_tir_vars_in_struct_info, tir_vars_in_struct_info


def _result_info_outside(params: tuple[Var, ...], body: RelaxExpr) -> StructInfo | None:
    """What is known of the result where only the parameters' sizes are seen: not those of casts in the body. A body
    that is no sequence yet (`bb.normalize` makes it one) has none.
    """
    if body.struct_info is None:
        return None
    blocks = body.blocks if isinstance(body, SeqExpr) else ()
    casts = [item for block in blocks for item in block.bindings if isinstance(item, MatchCast)]
    inside = {var for cast in casts for var in definable_tir_vars_in_struct_info(cast.struct_info)}
    outside = {var for param in params if param.struct_info for var in tir_vars_in_struct_info(param.struct_info)}
    return erase_variables(body.struct_info, inside - outside)


@node
class Function(BaseFunc, RelaxExpr):
    """A function over values. Shape variables of the parameters' struct info are defined by it. Without
    `ret_struct_info`, or where that says less, it returns what the body is known to be.

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
        said, found = self.ret_struct_info, _result_info_outside(self.params, self.body)
        if said is None or (found is not None and said is not found and said.is_base_of(found)):
            self.ret_struct_info = found
        if self.struct_info is None:
            known = [param.struct_info or ObjectStructInfo() for param in self.params]
            self.struct_info = FuncStructInfo(tuple(known), self.ret_struct_info or ObjectStructInfo(), self.is_pure)

    def with_attr(self, key: str | Mapping[str, Any], value: Any = None) -> Function:
        """The function with one attribute set, or several given as a mapping."""
        given = {key: value} if isinstance(key, str) else dict(key)
        return self.replace(attrs={**self.attrs, **{name: attribute(item) for name, item in given.items()}})

    def without_attr(self, key: str) -> Function:
        """The function without an attribute."""
        return self.replace(attrs={name: item for name, item in self.attrs.items() if name != key})
