"""`Module`: a model, or a part of one, and containers of modules and parameters."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from tvmscript.frontend.nn.compiled import CompiledModule, compile_module
from tvmscript.frontend.nn.effect import Effect
from tvmscript.frontend.nn.errors import ExternModuleError, InvalidSpec, StateMismatch, UnboundParameters
from tvmscript.frontend.nn.exporter import Exporter
from tvmscript.frontend.nn.parameter import Parameter
from tvmscript.frontend.nn.spec import ModuleSpec
from tvmscript.frontend.nn.subroutine import SubroutineMixin


class Module(SubroutineMixin):
    """Base of models: subclasses have parameters and modules as attributes, and define `forward`.

    `model.export_tvm({"forward": {"x": nn.spec.Tensor([1, 784], "float32")}})` returns a graph module.
    """

    def fields(self) -> Iterator[tuple[str, Any]]:
        """Yield what the module holds, by name."""
        yield from vars(self).items()

    def named_members(self, kind: type, prefix: str = "") -> Iterator[tuple[str, Any]]:
        """Yield the members of a kind with their paths: those of the module and of the modules in it."""
        for name, member in self.fields():
            if isinstance(member, kind):
                yield prefix + name, member
            elif isinstance(member, Module):
                yield from member.named_members(kind, f"{prefix}{name}.")

    def named_parameters(self, prefix: str = "") -> Iterator[tuple[str, Parameter]]:
        """Yield the parameters with their paths."""
        yield from self.named_members(Parameter, prefix)

    def named_effects(self) -> list[tuple[str, Effect]]:
        """Return the effects with their paths."""
        return list(self.named_members(Effect))

    def parameters(self) -> Iterator[Parameter]:
        """Yield the parameters."""
        for _, param in self.named_parameters():
            yield param

    def state_dict(self, *, prefix: str = "", destination: dict[str, Parameter] | None = None) -> dict[str, Parameter]:
        """Return the parameters by path, added to `destination` where it is given."""
        state = {} if destination is None else destination
        state.update(self.named_parameters(prefix))
        return state

    def load_state_dict(self, state_dict: Mapping[str, Parameter], strict: bool = True) -> tuple[list[str], list[str]]:
        """Take the values of parameters of the same path. Return the paths that are missing, and those unexpected.

        Raises `StateMismatch` for such paths where `strict`, `UnboundParameters` for a parameter without a value.
        """
        own = self.state_dict()
        unexpected = [name for name in state_dict if name not in own]
        missing = [name for name in own if name not in state_dict]
        unbound = [name for name, param in state_dict.items() if name in own and param.data is None]
        if unbound:
            raise UnboundParameters(names=", ".join(unbound))
        for name, param in own.items():
            if name in state_dict:
                param.data = state_dict[name].data
        if strict and (missing or unexpected):
            raise StateMismatch(missing=missing, unexpected=unexpected)
        return missing, unexpected

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Call `forward`. Raises `NotImplementedError` where the class has none."""
        forward: Callable[..., Any] | None = getattr(self, "forward", None)
        if forward is None:
            raise NotImplementedError(f"{type(self).__name__} has no method forward")
        return forward(*args, **kwargs)

    def to(self, dtype: str | None = None) -> None:
        """Change the dtype of all parameters and effects, and the attribute `dtype` where there is one."""
        for _, member in self.fields():
            if isinstance(member, (Module, Parameter, Effect)):
                member.to(dtype=dtype)
        if dtype is not None and isinstance(getattr(self, "dtype", None), str):
            self.dtype = dtype

    def export_tvm(self, spec: Any, debug: bool = False, allow_extern: bool = False) -> Any:
        """Return the graph module of the methods in `spec`, and the parameters by name.

        With `debug`, prints are kept. With `allow_extern`, external modules are returned too; without, they raise
        `ExternModuleError`.
        """
        mod, params, extern_mods = Exporter(debug=debug).build(ModuleSpec.from_raw(spec, self))
        if allow_extern:
            return mod, params, extern_mods
        if extern_mods:
            raise ExternModuleError(reason="they are returned only with allow_extern=True")
        return mod, params

    def jit(
        self,
        spec: Any,
        device: Any = "cpu",
        pipeline: Any = "default_build",
        out_format: str = "torch",
        debug: bool = False,
    ) -> CompiledModule:
        """Return the compiled methods: `model.jit(spec)["forward"](x)`.

        Results are tensors of torch, or `nd` arrays with `out_format="numpy"`. Raises `UnboundParameters`.
        """
        if out_format not in ("torch", "numpy"):
            raise InvalidSpec(name="out_format", expected="torch or numpy", got=repr(out_format))
        module_spec = ModuleSpec.from_raw(spec, self)
        exported = Exporter(debug=debug).build(module_spec)
        return compile_module(module_spec, exported, device, pipeline, is_torch=out_format == "torch")


class ModuleList(Module):
    """A list of modules; called, it applies one after the other."""

    def __init__(self, modules: Iterable[Module]) -> None:
        self.modules = list(modules)

    def fields(self) -> Iterator[tuple[str, Any]]:
        for index, module in enumerate(self.modules):
            yield str(index), module

    def __iter__(self) -> Iterator[Module]:
        return iter(self.modules)

    def __getitem__(self, idx: int) -> Any:
        return self.modules[idx]

    def __setitem__(self, idx: int, module: Module) -> None:
        self.modules[idx] = module

    def __len__(self) -> int:
        return len(self.modules)

    def append(self, module: Module) -> None:
        """Add a module at the end."""
        self.modules.append(module)

    def forward(self, x: Any) -> Any:
        """Apply the modules, each to the result of the one before."""
        for module in self.modules:
            x = module(x)
        return x
