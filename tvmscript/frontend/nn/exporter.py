"""Export a module: each method of its spec becomes a graph function."""

from __future__ import annotations

from collections.abc import Sequence
from types import TracebackType
from typing import Any, ClassVar

from tvmscript.frontend.nn import spec as specs
from tvmscript.frontend.nn.effect import Effect, IOEffect
from tvmscript.frontend.nn.errors import ExternModuleError, InvalidSpec, NotExporting
from tvmscript.frontend.nn.extern import ExternModule
from tvmscript.frontend.nn.parameter import Parameter
from tvmscript.frontend.nn.tensor import Object, Tensor
from tvmscript.ir.core import IRModule
from tvmscript.ir.relax.builder import BlockBuilder
from tvmscript.ir.relax.expr import Tuple, TupleGetItem, Var
from tvmscript.ir.relax.struct_info import ObjectStructInfo, ShapeStructInfo, TupleStructInfo
from tvmscript.ir.relax.verify import verify
from tvmscript.ir.tir import Var as SizeVar

#: parameters of a module, by their path in it
NamedParameters = list[tuple[str, Parameter]]
NamedEffects = list[tuple[str, Effect]]


def add_extern(mod: ExternModule) -> None:
    """Add an external module to the module that is being exported. Raises `NotExporting`, `ExternModuleError`."""
    Exporter.current("nn.add_extern").add_external_module(mod)


class Exporter:
    """The module under construction. `with exporter:` makes it the current one."""

    _open: ClassVar[list[Exporter]] = []

    def __init__(self, debug: bool) -> None:
        self.builder = BlockBuilder()
        self.io_effect = IOEffect() if debug else None
        self.extern_mods: list[ExternModule] = []

    @staticmethod
    def current(what: str = "Exporter.current") -> Exporter:
        """Return the exporter that is at work. Raises `NotExporting`."""
        if not Exporter._open:
            raise NotExporting(what=what, needed="a module that is being exported")
        return Exporter._open[-1]

    def __enter__(self) -> Exporter:
        Exporter._open.append(self)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        Exporter._open.pop()

    def add_external_module(self, mod: ExternModule) -> None:
        """Add an external module, once. Raises `ExternModuleError` for a symbol that another one has."""
        if any(mod is other for other in self.extern_mods):
            return
        taken = {symbol for other in self.extern_mods for symbol in other.symbols}
        twice = sorted(taken & mod.symbols.keys())
        if twice:
            raise ExternModuleError(reason=f"{', '.join(twice)} is defined twice")
        self.extern_mods.append(mod)

    def build(self, spec: specs.ModuleSpec) -> tuple[IRModule, NamedParameters, list[ExternModule]]:
        """Return the graph module, its parameters in the order of its functions, and the external modules."""
        effects: NamedEffects = [("", self.io_effect)] if self.io_effect is not None else []
        effects += spec.module.named_effects()
        params: NamedParameters = list(spec.module.named_parameters())
        with self:
            if effects:
                self._export_initial_effects(effects)
            for name, method in zip(spec.method_names, spec.method_specs, strict=True):
                self._export_method(name, _Method(self.builder, method, params, effects))
        mod = self.builder.finalize()
        verify(mod)
        return mod, params, self.extern_mods

    def _export_initial_effects(self, effects: NamedEffects) -> None:
        builder = self.builder
        with builder.function("_initialize_effect"):
            with builder.dataflow():
                states = [state for name, effect in effects for state in effect.emit_init(name, builder)]
                result = builder.emit_output(builder.emit(Tuple(tuple(states))))
            builder.emit_func_output(result, params=[])

    def _export_method(self, name: str, method: _Method) -> None:
        builder = self.builder
        with builder.function(name, attrs={"num_input": method.input_count}):
            with builder.dataflow():
                result, inputs = method.emit()
            builder.emit_func_output(result, inputs)


class _Method:
    """One method as a graph function: inputs, then effects, then parameters."""

    def __init__(
        self, builder: BlockBuilder, spec: specs.MethodSpec, params: NamedParameters, effects: NamedEffects
    ) -> None:
        self._builder, self._spec, self._params, self._effects = builder, spec, params, effects
        effect_count = {"packed": 1, "none": 0, "plain": len(effects)}[spec.effect_mode]
        self.input_count = len(spec.arg_specs) + effect_count

    def emit(self) -> tuple[Var, list[Var]]:
        """Bind the body; return the result and the parameters of the function."""
        sizes: dict[str, SizeVar] = {}
        names = self._spec.arg_names
        arguments = [_Argument(name, arg, sizes) for name, arg in zip(names, self._spec.arg_specs, strict=False)]
        inputs = [argument.var for argument in arguments] + self._effect_inputs() + self._param_inputs()
        result = _expression(self._spec.call([argument.value(self._builder) for argument in arguments]))
        states = [state for _, effect in self._effects for state in effect.finalize()]
        if states and self._spec.effect_mode != "none":
            result = Tuple((result, Tuple(tuple(states))))
        return self._builder.emit_output(result), inputs

    def _effect_inputs(self) -> list[Var]:
        states = [effect.create(name) for name, effect in self._effects]
        for (_, effect), variables in zip(self._effects, states, strict=True):
            effect.set_state(variables)
        flat = [variable for variables in states for variable in variables]
        if self._spec.effect_mode != "packed":
            return flat if self._spec.effect_mode == "plain" else []
        packed = Var("packed_effects", TupleStructInfo(tuple([_info(variable) for variable in flat])))
        fields = iter([self._field(packed, index, variable.name_hint) for index, variable in enumerate(flat)])
        for (_, effect), variables in zip(self._effects, states, strict=True):
            effect.set_state([next(fields) for _ in variables])
        return [packed]

    def _param_inputs(self) -> list[Var]:
        """Give each parameter a variable of this function; sizes of one name are one variable."""
        sizes: dict[str, SizeVar] = {}
        inputs: list[Var] = []
        for name, param in self._params:
            shape = [
                sizes.setdefault(size.name, SizeVar(size.name, "int64")) if isinstance(size, SizeVar) else size
                for size in param.shape
            ]
            param.expr = Tensor.placeholder(shape, param.dtype, name).expr
            inputs.append(param.expr)
        if self._spec.param_mode != "packed":
            return inputs if self._spec.param_mode == "plain" else []
        packed = Var("packed_params", TupleStructInfo(tuple([_info(variable) for variable in inputs])))
        for index, (name, param) in enumerate(self._params):
            param.expr = self._field(packed, index, name)
        return [packed]

    def _field(self, packed: Var, index: int, name: str) -> Var:
        return self._builder.emit(TupleGetItem(packed, index), name)


class _Argument:
    """An argument of a method: the variable of the function, and the value that the method gets."""

    def __init__(self, name: str, spec: Any, sizes: dict[str, SizeVar]) -> None:
        self._name, self._spec = name, spec
        self._fields: list[_Argument] = []
        self._size: SizeVar | None = None
        if isinstance(spec, specs.Int):
            self._size = sizes.setdefault(name, SizeVar(name, "int64"))
            self.var = Var(name, ShapeStructInfo((self._size,)))
        elif isinstance(spec, specs.Tensor):
            shape = [
                sizes.setdefault(size, SizeVar(size, "int64")) if isinstance(size, str) else size for size in spec.shape
            ]
            self.var = Tensor.placeholder(shape, spec.dtype, name).expr
        elif isinstance(spec, specs.Object):
            self.var = Var(name, ObjectStructInfo())
        elif isinstance(spec, specs.Tuple):
            self._fields = [_Argument(f"{name}_{index}", field, sizes) for index, field in enumerate(spec.elements)]
            self.var = Var(name, TupleStructInfo(tuple([_info(field.var) for field in self._fields])))
        else:
            raise InvalidSpec(name=f"argument {name}", expected="int, nn.spec.Tensor, Object or a tuple", got=spec)

    def value(self, builder: BlockBuilder) -> Any:
        """Return what the method gets; fields of tuples are bound to variables first."""
        return self._value_of(builder, self.var)

    def _value_of(self, builder: BlockBuilder, var: Var) -> Any:
        if isinstance(self._spec, specs.Object):
            return self._spec.object_type(_expr=var, _name=self._name)
        if not isinstance(self._spec, specs.Tuple):
            return self._size if self._size is not None else Tensor(_expr=var)
        values: list[Any] = []
        for index, field in enumerate(self._fields):
            bound = builder.emit(TupleGetItem(var, index), f"{self._name}_{index}")
            values.append(field._value_of(builder, bound))
        return type(self._spec.elements)(values)


def _info(variable: Var) -> Any:
    return variable.struct_info


def _expression(value: Any) -> Any:
    """Return the expression of what a method returns. Raises `InvalidSpec`."""
    if isinstance(value, (Tensor, Object)):
        return value.expr
    if isinstance(value, (tuple, list)):
        fields: Sequence[Any] = value
        return Tuple(tuple([_expression(field) for field in fields]))
    raise InvalidSpec(name="a result", expected="a tensor, an object or a tuple of these", got=type(value).__name__)
