"""Graph functions."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tvmscript.ir import tir
from tvmscript.ir.core import BaseFunc, UnknownName, WrongType, closest
from tvmscript.ir.core.attrs import attribute, function_attributes
from tvmscript.ir.core.hooks import hook
from tvmscript.ir.core.node import Building, binds, filled, node
from tvmscript.ir.relax.base import RelaxExpr, StructInfo
from tvmscript.ir.relax.expr import Constant, MatchCast, PrimValue, SeqExpr, Var
from tvmscript.ir.relax.infer_call import erase_variables
from tvmscript.ir.relax.struct_info import FuncStructInfo, ObjectStructInfo
from tvmscript.ir.relax.struct_info_lattice import BaseCheckResult, struct_info_base_check
from tvmscript.ir.relax.symbolic_shape import definable_tir_vars_in_struct_info, tir_vars_in_struct_info
from tvmscript.ir.tir.substitute import substitute


def _result_info_outside(params: tuple[Var, ...], body: RelaxExpr) -> StructInfo | None:
    """Return the struct info of the result outside of the function, where sizes that casts in the body define are
    unknown. None where the body has no struct info.
    """
    if body.struct_info is None:
        return None
    blocks = body.blocks if isinstance(body, SeqExpr) else ()
    casts = [binding for block in blocks for binding in block.bindings if isinstance(binding, MatchCast)]
    inside = {var for cast in casts for var in definable_tir_vars_in_struct_info(cast.struct_info)}
    outside = {var for param in params if param.struct_info for var in tir_vars_in_struct_info(param.struct_info)}
    return erase_variables(body.struct_info, inside - outside)


@node
class Function(BaseFunc, RelaxExpr):
    """A function over values. It defines the size variables in the struct info of its parameters. `ret_struct_info`
    defaults to the struct info of the body, which also replaces an annotation that is less precise.

    A function is also a value: nested functions are bound to variables.
    """

    params: tuple[Var, ...] = binds()
    body: SeqExpr
    ret_struct_info: StructInfo | None = None
    is_pure: bool = True
    attrs: dict[str, Any] = filled(default=None)

    def __post_init__(self: Building) -> None:
        self.params = tuple(self.params)
        self.attrs = function_attributes(self.attrs)
        annotated, inferred = self.ret_struct_info, _result_info_outside(self.params, self.body)
        if annotated is None or (inferred is not None and annotated is not inferred and annotated.is_base_of(inferred)):
            self.ret_struct_info = inferred
        if self.struct_info is None:
            params = tuple([param.struct_info or ObjectStructInfo() for param in self.params])
            self.struct_info = FuncStructInfo(params, self.ret_struct_info or ObjectStructInfo(), self.is_pure)

    def with_attr(self, key: str | Mapping[str, object], value: object = None) -> Function:
        """Return the function with one attribute set, or several given as a mapping."""
        attrs = {key: value} if isinstance(key, str) else dict(key)
        return self.replace(attrs={**self.attrs, **{name: attribute(attr) for name, attr in attrs.items()}})

    def without_attr(self, key: str) -> Function:
        """Return the function without the attribute `key`."""
        return self.replace(attrs={name: attr for name, attr in self.attrs.items() if name != key})

    def with_attrs(self, values: Mapping[str, object]) -> Function:
        """Return the function with several attributes set."""
        return self.with_attr(values)

    def bind_params(self, binding_map: Mapping[Any, Any]) -> Function:
        """Return the function with values for parameters, which are given by name or themselves.

        Values are expressions, arrays, or numbers. The sizes that the shapes of arrays tell are replaced too. Raises
        `UnknownName`, and `WrongType` for a value that the parameter cannot have.
        """
        values = {self._param(key): _value_of(value) for key, value in binding_map.items()}
        sizes: dict[tir.Var, Any] = {}
        for param, value in values.items():
            unknown, known = _sizes(param), _sizes(value)
            if len(unknown) == len(known):
                pairs = zip(unknown, known, strict=True)
                sizes = {**{size: extent for size, extent in pairs if isinstance(size, tir.Var)}, **sizes}
            _check_value(param, value, sizes)
        # one after the other: parameters whose sizes are replaced become other variables
        bound: Function = substitute(substitute(self, values), sizes)
        rest = [new for old, new in zip(self.params, bound.params, strict=True) if old not in values]
        return bound.replace(params=tuple(rest), struct_info=None)

    def named_sizes(self) -> dict[str, tir.Var]:
        """Return the size variables of the parameters by name."""
        infos = [param.struct_info for param in self.params if param.struct_info is not None]
        return {size.name: size for info in infos for size in tir_vars_in_struct_info(info)}

    def bind_symbolic_vars(self, binding_map: Mapping[Any, Any]) -> Function:
        """Return the function with values for sizes, which are given by name or as variables. Raises `UnknownName`."""
        sizes = self.named_sizes()
        values: dict[Any, Any] = {}
        for key, value in binding_map.items():
            if isinstance(key, str) and key not in sizes:
                raise UnknownName(kind="size", name=key, hint=closest(key, sizes))
            size: Any = sizes[key] if isinstance(key, str) else key
            values[size] = tir.as_expr(value, size.dtype)
        bound: Function = substitute(self, values)
        return bound.replace(struct_info=None)

    def inline_functions(self, function_map: Mapping[Any, Function]) -> Function:
        """Return the function with the bodies of functions in the place of their calls.

        Functions are given by name or by global variable. Raises `RecursiveInlining`.
        """
        return inline_calls.call(self, function_map)

    def _param(self, key: Any) -> Var:
        named = {param.name_hint: param for param in self.params}
        if isinstance(key, Var) and key in self.params:
            return key
        name = key if isinstance(key, str) else str(key)
        if name not in named:
            raise UnknownName(kind="parameter", name=name, hint=closest(name, named))
        return named[name]


@hook
def inline_calls(func: Function, functions: Mapping[Any, Function], /) -> Function:
    """Return the function with the bodies of functions in the place of their calls."""
    raise NotImplementedError


def _sizes(value: Any) -> tuple[Any, ...]:
    """Return the sizes of a tensor where they are known."""
    return tuple(getattr(getattr(value.struct_info, "shape", None), "values", None) or ())


def _check_value(param: Var, value: RelaxExpr, sizes: Mapping[tir.Var, Any]) -> None:
    """Raises `WrongType` where a parameter, for these sizes, cannot have the value."""
    if param.struct_info is None or value.struct_info is None:
        return
    expected = substitute(param.struct_info, sizes)
    if struct_info_base_check(expected, value.struct_info) is BaseCheckResult.FAIL_L0:
        raise WrongType(where=f"the parameter {param.name_hint}", expected=expected, got=value.struct_info)


def _value_of(value: Any) -> RelaxExpr:
    """Return the expression of an expression, an array or a number."""
    if isinstance(value, RelaxExpr):
        return value
    if hasattr(value, "shape"):
        data = value if hasattr(value, "tobytes") else value.numpy()
        return Constant(data, str(data.dtype))
    return PrimValue(value)
