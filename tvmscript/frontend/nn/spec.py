"""What the methods of a module take: `nn.spec.Tensor([1, "n"], "float32")`, `int`, tuples of these."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from tvmscript.frontend.nn.errors import InvalidSpec

_MODES: Final = ("plain", "packed", "none")


class Int:
    """A size, which the exported function takes as a shape of one size."""

    def __repr__(self) -> str:
        return "int"


class Tensor:
    """A tensor. Names in the shape are sizes of the function."""

    def __init__(self, shape: Sequence[int | str], dtype: str) -> None:
        self.shape = list(shape)
        self.dtype = dtype

    def __repr__(self) -> str:
        return f"Tensor([{', '.join([str(size) for size in self.shape])}], '{self.dtype}')"


class Object:
    """A value that is no tensor; the method gets an instance of `object_type`."""

    def __init__(self, object_type: type) -> None:
        self.object_type: Any = object_type

    def __repr__(self) -> str:
        return "object"


class Tuple:
    """A tuple or a list of arguments."""

    def __init__(self, name: str, elements: Sequence[Any]) -> None:
        if not isinstance(elements, (tuple, list)):
            raise InvalidSpec(name=name, expected="a tuple or a list", got=repr(elements))
        self.name = name
        self.elements: Any = elements

    def __repr__(self) -> str:
        return repr(self.elements)


def _argument(spec: Any, name: str) -> Any:
    """Return the spec of one argument. Raises `InvalidSpec`."""
    if spec in (Int, int, "int"):
        return Int()
    if isinstance(spec, (Int, Tensor, Object)):
        return spec
    if isinstance(spec, (tuple, list, Tuple)):
        inner: Any = spec.elements if isinstance(spec, Tuple) else spec
        return Tuple(name, type(inner)([_argument(field, f"{name}_{index}") for index, field in enumerate(inner)]))
    raise InvalidSpec(name=f"argument {name}", expected="int, nn.spec.Tensor, Object or a tuple", got=repr(spec))


class MethodSpec:
    """A method to export: its arguments, and how parameters and effects are passed (plain, packed or none)."""

    def __init__(
        self,
        method: Callable[..., Any],
        arg_names: Sequence[str],
        arg_specs: Sequence[Any],
        param_mode: str,
        effect_mode: str,
    ) -> None:
        """Raises `InvalidSpec` for an unknown mode."""
        for kind, mode in (("param_mode", param_mode), ("effect_mode", effect_mode)):
            if mode not in _MODES:
                raise InvalidSpec(name=kind, expected=f"one of {', '.join(_MODES)}", got=repr(mode))
        self.method = method
        self.arg_names = list(arg_names)
        self.arg_specs = list(arg_specs)
        self.param_mode = param_mode
        self.effect_mode = effect_mode

    def call(self, values: Sequence[Any]) -> Any:
        """Call the method with the values of the arguments that it is exported with."""
        parameters = inspect.signature(self.method).parameters
        if all(name in parameters for name in self.arg_names[: len(values)]):
            return self.method(**dict(zip(self.arg_names, values, strict=False)))
        return self.method(*values)

    def text(self, name: str) -> str:
        """Return the signature with a name."""
        pairs = zip(self.arg_names, self.arg_specs, strict=False)
        return f"{name}({', '.join([f'{argument}: {spec}' for argument, spec in pairs])})"

    def __repr__(self) -> str:
        return self.text("MethodSpec")

    @staticmethod
    def from_raw(spec: Any, method: Callable[..., Any]) -> MethodSpec:
        """Return the spec of a method: `{"x": nn.spec.Tensor(...), "$": {"param_mode": "packed"}}`."""
        if isinstance(spec, MethodSpec):
            return spec
        if not isinstance(spec, Mapping):
            raise InvalidSpec(name="a method", expected="a mapping of its arguments", got=repr(spec))
        arguments: dict[str, Any] = dict(spec)
        modes: Mapping[str, str] = arguments.pop("$", {})
        names = list(inspect.signature(method).parameters)
        for name in arguments:
            if name not in names:
                raise InvalidSpec(name="a method", expected=f"arguments {', '.join(names)}", got=name)
        specs = [_argument(arguments[name], name) for name in names if name in arguments]
        given = [name for name in names if name in arguments]
        return MethodSpec(method, given, specs, modes.get("param_mode", "plain"), modes.get("effect_mode", "plain"))

    @staticmethod
    def from_torch(args: Sequence[Any], method: Callable[..., Any]) -> MethodSpec:
        """Return the spec of a method that is called with these tensors and integers."""
        names = list(inspect.signature(method).parameters)
        if len(names) != len(args):
            raise InvalidSpec(name="a method", expected=f"{len(names)} arguments", got=len(args))
        return MethodSpec(method, names, [_argument_of(value) for value in args], "plain", "plain")


def _argument_of(value: Any) -> Any:
    """Return the spec of an argument by example."""
    if isinstance(value, int):
        return Int()
    if not hasattr(value, "shape") or not hasattr(value, "dtype"):
        raise InvalidSpec(name="an argument", expected="a tensor or an integer", got=repr(value))
    return Tensor(list(value.shape), str(value.dtype).rpartition(".")[2])


class ModuleSpec:
    """The methods of a module to export."""

    def __init__(self, module: Any, method_names: Sequence[str], method_specs: Sequence[MethodSpec]) -> None:
        self.module = module
        self.method_names = list(method_names)
        self.method_specs = list(method_specs)

    @staticmethod
    def from_raw(spec: Any, module: Any) -> ModuleSpec:
        """Return the spec of a module: `{"forward": {"x": nn.spec.Tensor([1, 784], "float32")}}`."""
        if isinstance(spec, ModuleSpec):
            return spec
        if not isinstance(spec, Mapping):
            raise InvalidSpec(name="a module", expected="a mapping of its methods", got=repr(spec))
        methods: dict[str, Any] = dict(spec)
        for name in methods:
            if not callable(getattr(module, name, None)):
                raise InvalidSpec(name="a module", expected=f"a method of {type(module).__name__}", got=repr(name))
        specs = [MethodSpec.from_raw(raw, getattr(module, name)) for name, raw in methods.items()]
        return ModuleSpec(module, list(methods), specs)

    def __repr__(self) -> str:
        methods = zip(self.method_names, self.method_specs, strict=True)
        return "ModuleSpec:\n" + "\n".join([f"  {spec.text(name)}" for name, spec in methods])
