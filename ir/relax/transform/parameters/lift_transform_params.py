"""LiftTransformParams: compute what depends on weights alone in a function of its own."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from tvmscript.ir.core import GlobalVar, IRModule, Node, nodes, on, structural_equal
from tvmscript.ir.core.python_settings import without_collection
from tvmscript.ir.relax.expr import (
    BindingBlock,
    Call,
    DataflowBlock,
    ExternFunc,
    MatchCast,
    SeqExpr,
    ShapeExpr,
    Tuple,
    Var,
    VarBinding,
)
from tvmscript.ir.relax.function import Function
from tvmscript.ir.relax.infer_call import erase_variables
from tvmscript.ir.relax.op.builtin import stop_lift_params
from tvmscript.ir.relax.rewrite import RelaxRewriter
from tvmscript.ir.relax.struct_info import FuncStructInfo, ObjectStructInfo, ShapeStructInfo
from tvmscript.ir.relax.symbolic_shape import definable_tir_vars_in_struct_info, tir_vars_in_struct_info
from tvmscript.ir.relax.transform.errors import DifferentWeights
from tvmscript.ir.relax.transform.normal_form.canonicalize_bindings import CanonicalizeBindings
from tvmscript.ir.relax.transform.normal_form.lambda_lift import LambdaLift
from tvmscript.ir.relax.transform.parameters.bundle_model_params import ParamBundler
from tvmscript.ir.relax.transform.parameters.common.runtime_inputs import num_input
from tvmscript.ir.relax.variables import free_vars
from tvmscript.ir.tir import rename_definitions
from tvmscript.ir.tir.substitute import substitute
from tvmscript.ir.tir.var import Var as SizeVar
from tvmscript.ir.transform.base import Pass

SHARED_NAME: Final = "transform_params"


@dataclass(frozen=True)
class LiftTransformParams(Pass):
    """Move bindings of dataflow blocks that depend on weights alone into a function `<name>_transform_params`.

    It takes the weights as one tuple and returns those that are left, then the computed values: the new weights, in
    this order. Weights are the parameters after the first `num_input` ones; functions without this attribute stay.
    Sizes that only dropped weights define become a weight of their own, a shape. `R.builtin.stop_lift_params` ends
    the lifting, and is removed. Nested functions become functions of the module, as by `relax.LambdaLift`.

    With `shared_transform`, True or names of functions, one function `transform_params` serves several functions of
    equal weights; it computes the values that all of them compute. Raises `UnknownName`, `DifferentWeights` and
    `TooManyRuntimeInputs`.

    rewrite:
        def main(x, w):            -->  def main_transform_params(model_params: R.Tuple(W)):
            w1 = R.permute_dims(w)          w = model_params[0]
            y = R.matmul(x, w1)             w1 = R.permute_dims(w)
                                            return (w1,)
                                        def main(x, w1):
                                            y = R.matmul(x, w1)
    """

    name = "relax.LiftTransformParams"
    shared_transform: bool | tuple[str, ...] | list[str] = False

    @without_collection
    def run(self, mod: IRModule) -> IRModule:
        liftings = {
            var: _Lifting(func, count)
            for var, func in mod.functions.items()
            if isinstance(func, Function) and (count := num_input(func, var.name_hint)) is not None
        }
        if self.shared_transform:
            chosen = _chosen(mod, liftings, self.shared_transform)
            groups = [(SHARED_NAME, _share(chosen, liftings))] if chosen else []
        else:
            groups = [(f"{var.name_hint}_{SHARED_NAME}", {var: lifting}) for var, lifting in liftings.items()]
        functions: dict[GlobalVar, Any] = dict(mod.functions)
        for name, group in groups:
            transform = _Transform(list(group.values()))
            func = transform.function().with_attr("global_symbol", name)
            functions[GlobalVar(name, struct_info=func.struct_info)] = func
            for var, lifting in group.items():
                functions[var] = transform.runtime_function(lifting)
        return LambdaLift().run(mod.replace(functions=functions))


class _Lifting:
    """The bindings of a function that are lifted."""

    def __init__(self, func: Function, count: int) -> None:
        self.func = func
        self.inputs = func.params[:count]
        self.weights = func.params[count:]
        self.sizes = _defined_sizes(self.weights)
        self.lifted = list(_liftable(func, self.weights, self.sizes))
        #: weight or lifted variable -> that of the function whose bindings are lifted
        self.origins: dict[Var, Var] = {var: var for var in (*self.weights, *[binding.var for binding in self.lifted])}

    def dependent(self) -> set[Var]:
        """Return the weights and the lifted variables that depend on them."""
        dependent = set(self.weights)
        for binding in self.lifted:
            if not dependent.isdisjoint(free_vars(binding.value)):
                dependent.add(binding.var)
        return dependent

    def removed(self) -> set[Var]:
        """Return the variables that the function does not bind any more: values of sizes alone stay."""
        return self.dependent().difference(self.weights)

    def required(self) -> set[Node]:
        """Return the variables and sizes that the result and the bindings that stay need."""
        removed = self.removed()
        parts: list[Node] = [self.func.body.body]
        for binding in _bindings(self.func):
            if binding.var not in removed:
                parts.append(binding.value)
                if isinstance(binding, MatchCast):
                    parts.append(binding.struct_info)
        return {name for part in parts for name in nodes(part) if isinstance(name, (Var, SizeVar))}


class _Transform:
    """The function that transforms the weights, and what it returns."""

    def __init__(self, liftings: Sequence[_Lifting]) -> None:
        self.source = source = liftings[0]
        dependent = source.dependent()
        required: set[Node] = set()
        for lifting in liftings:
            origins: dict[Any, Any] = {**lifting.origins, **dict(zip(lifting.sizes, source.sizes, strict=True))}
            required.update(origins[name] for name in lifting.required() if name in origins)
        candidates = [*source.weights, *[binding.var for binding in source.lifted]]
        #: weights that are left and computed values
        self.outputs = [var for var in candidates if var in dependent and var in required]
        defined = {*_defined_sizes(source.inputs), *_defined_sizes(self.outputs)}
        infos = [var.struct_info for var in self.outputs if var.struct_info is not None]
        needed = required.union(*map(_sizes_in, infos))
        #: sizes that are left without a definition
        self.shape = [size for size in source.sizes if size in needed and size not in defined]

    def function(self) -> Function:
        """Return the function of the weights."""
        source = self.source
        shape = [ShapeExpr(self.shape)] if self.shape else []
        result = Tuple((*shape, *self.outputs))
        output = Var("output_tuple", result.struct_info)
        block = DataflowBlock((*source.lifted, VarBinding(output, result)))
        weights = {weight: _without_outer_sizes(weight, source.sizes) for weight in source.weights}
        func = Function(tuple(weights.values()), SeqExpr((block,), output), attrs={"num_input": 0})
        func = _LiftedRemover(set(), weights).rewrite(func)
        copy = rename_definitions(substitute(func, {size: size.replace() for size in source.sizes}))
        return ParamBundler("model_params").bundle(CanonicalizeBindings().transform(copy, IRModule()), 0)

    def runtime_function(self, lifting: _Lifting) -> Function:
        """Return a function of the new weights."""
        sizes = dict(zip(self.source.sizes, lifting.sizes, strict=True))
        required = lifting.required()
        params = list(lifting.inputs)
        if self.shape:
            shape = ShapeStructInfo(tuple([sizes[size] for size in self.shape]))
            params.append(Var("vars_from_compile_time_params", shape))
        renamed: dict[Node, Var] = {}
        for output in self.outputs:
            copies = [var for var, origin in lifting.origins.items() if origin is output]
            named = next((var for var in copies if var in required), None)
            if named in lifting.weights:
                params.append(named)
                continue
            name = named or output
            params.append(Var(name.name_hint, substitute(name.struct_info or ObjectStructInfo(), sizes)))
            renamed.update(dict.fromkeys(copies, params[-1]))
        func = lifting.func.replace(params=tuple(params), struct_info=None)
        runtime: Function = _LiftedRemover(lifting.removed(), renamed).rewrite(func)
        return CanonicalizeBindings().transform(runtime, IRModule())


def _without_outer_sizes(weight: Var, sizes: Iterable[SizeVar]) -> Var:
    """Return a weight whose struct info has no sizes but those that the weights define."""
    info = weight.struct_info or ObjectStructInfo()
    outer = _sizes_in(info).difference(sizes)
    if not outer:
        return weight
    erased = erase_variables(info, outer)  # keeps results of opaque functions
    return weight.replace(struct_info=erased if outer.isdisjoint(_sizes_in(erased)) else ObjectStructInfo())


def _sizes_in(part: Node) -> set[SizeVar]:
    """Return the size variables in a part of a program."""
    return {inner for inner in nodes(part) if isinstance(inner, SizeVar)}


class _LiftedRemover(RelaxRewriter):
    """Removes lifted bindings."""

    def __init__(self, removed: set[Var], renamed: Mapping[Any, Var]) -> None:
        super().__init__()
        self.removed = removed
        self.renamed.update(renamed)

    @on(Function)
    def function(self, node: Function) -> Function:
        """Rewrite a function; a tuple that it returns is bound to a variable, as in TVM."""
        body = node.body
        if isinstance(body.body, Tuple):
            result = Var("gv", body.body.struct_info)
            block = BindingBlock((VarBinding(result, body.body),))
            node = node.replace(body=SeqExpr((*body.blocks, block), result))
        return super().function(node)

    @on(VarBinding, MatchCast)
    def binding(self, node: VarBinding | MatchCast) -> None:
        """Emit a binding that is not lifted."""
        if node.var in self.removed:
            return
        if isinstance(node, MatchCast):
            self.match_cast(node)
        elif isinstance(node.value, Call) and node.value.op is stop_lift_params:
            self.renamed[node.var] = self.value(node.value.args[0])
        else:
            self.var_binding(node)


def _bindings(func: Function) -> Iterator[VarBinding | MatchCast]:
    """Yield the bindings of the body, without those of branches and nested functions."""
    for block in func.body.blocks:
        for binding in block.bindings:
            if isinstance(binding, (VarBinding, MatchCast)):
                yield binding


def _defined_sizes(params: Iterable[Var]) -> list[SizeVar]:
    """Return the sizes that parameters define, in order."""
    infos = [param.struct_info for param in params if param.struct_info is not None]
    return list(dict.fromkeys(size for info in infos for size in definable_tir_vars_in_struct_info(info)))


def _liftable(func: Function, weights: Iterable[Var], sizes: Iterable[SizeVar]) -> Iterator[VarBinding | MatchCast]:
    """Yield the bindings of dataflow blocks whose values and sizes depend on weights alone."""
    available: set[Node] = {*weights, *sizes}
    for block in func.body.blocks:
        if not isinstance(block, DataflowBlock):
            continue
        for binding in block.bindings:
            if isinstance(binding, (VarBinding, MatchCast)) and _is_liftable(binding, available):
                available.add(binding.var)
                yield binding


def _is_liftable(binding: VarBinding | MatchCast, available: set[Node]) -> bool:
    value, info = binding.value, binding.var.struct_info
    if isinstance(value, ExternFunc) or (isinstance(value, Call) and value.op is stop_lift_params):
        return False
    sizes = _sizes_in(value)
    if isinstance(value, Function):
        sizes.difference_update(_defined_sizes(value.params))
    sizes.update([] if info is None else tir_vars_in_struct_info(info))
    return available.issuperset(free_vars(value)) and available.issuperset(sizes)


def _chosen(mod: IRModule, liftings: Mapping[GlobalVar, _Lifting], names: bool | Sequence[str]) -> list[GlobalVar]:
    """Return the functions that share a transformation, the first one first."""
    if isinstance(names, bool):
        return sorted(liftings, key=lambda var: var.name_hint)
    chosen = [mod.get_global_var(name) for name in names]
    for var in chosen:
        if var not in liftings:
            reason = f"{var.name_hint} has no attribute num_input"
            raise DifferentWeights(first=chosen[0].name_hint, second=var.name_hint, reason=reason)
    return chosen


def _share(chosen: Sequence[GlobalVar], liftings: Mapping[GlobalVar, _Lifting]) -> dict[GlobalVar, _Lifting]:
    """Reduce the liftings of functions to the values that all of them compute. Raises `DifferentWeights`."""
    first = liftings[chosen[0]]
    shared = [binding for binding in first.lifted if _is_static(binding)]
    for var in chosen[1:]:
        other = liftings[var]
        reason = _difference(first.weights, other.weights)
        if reason:
            raise DifferentWeights(first=chosen[0].name_hint, second=var.name_hint, reason=reason)
        other.origins = dict(zip(other.weights, first.weights, strict=True))
        for binding in other.lifted:
            value = substitute(binding.value, other.origins)
            equal = next((each.var for each in shared if structural_equal(each.value, value)), None)
            if equal is not None and isinstance(binding, VarBinding):
                other.origins[binding.var] = equal
        shared = _closed(shared, {*first.weights, *other.origins.values()})
    kept = {*first.weights, *[binding.var for binding in shared]}
    for var in chosen:
        lifting = liftings[var]
        lifting.origins = {own: origin for own, origin in lifting.origins.items() if origin in kept}
        lifting.lifted = [binding for binding in lifting.lifted if binding.var in lifting.origins]
    return {var: liftings[var] for var in chosen}


def _is_static(binding: VarBinding | MatchCast) -> bool:
    """Return whether no size occurs in a value. As in TVM, other values are not shared."""
    info = binding.var.struct_info or ObjectStructInfo()
    return isinstance(binding, VarBinding) and not _sizes_in(binding.value) and not _sizes_in(info)


def _closed(bindings: Sequence[VarBinding | MatchCast], available: set[Var]) -> list[VarBinding | MatchCast]:
    """Return the available bindings whose values need available ones alone."""
    closed: list[VarBinding | MatchCast] = []
    for binding in bindings:
        if binding.var in available and available.issuperset(free_vars(binding.value)):
            closed.append(binding)
        else:
            available.discard(binding.var)
    return closed


def _difference(weights: Sequence[Var], others: Sequence[Var]) -> str:
    """Return how weights differ, an empty text where they do not."""
    if len(weights) != len(others):
        return f"they have {len(weights)} and {len(others)} weights"
    infos, other_infos = ([var.struct_info or ObjectStructInfo() for var in each] for each in (weights, others))
    if structural_equal(
        FuncStructInfo(tuple(infos), ObjectStructInfo()), FuncStructInfo(tuple(other_infos), ObjectStructInfo())
    ):
        return ""
    return "their weights have different struct info"
