"""`relay.vm`: the compiler of TVM's Relay virtual machine, and executors on top of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from tvmscript import graph_build
from tvmscript.backends.runtime.array import NDArray, array
from tvmscript.backends.runtime.device import Device, cpu
from tvmscript.frontend.relay.build import build, pipeline_of_level, target_of
from tvmscript.frontend.relay.errors import InvalidRelayExpr, NotLoweredYet, UnknownExecutor
from tvmscript.frontend.relay.executable import Executable
from tvmscript.frontend.relay.expr import as_module
from tvmscript.frontend.relay.graph_executor import GraphModule
from tvmscript.frontend.relay.vm_runtime import VirtualMachine
from tvmscript.ir.core import GlobalVar, IRModule, WrongType
from tvmscript.ir.core.targets.target import Target
from tvmscript.ir.relax.base import RelaxExpr
from tvmscript.ir.relax.function import Function
from tvmscript.ir.relax.transform.operators.fold_constant import FoldConstant


def compile(
    mod: Any, target: Any = None, target_host: Any = None, params: Mapping[str, Any] | None = None
) -> Executable:
    """Compile a module to an executable, which `runtime.vm.VirtualMachine` runs.

    `params` gives values to parameters of `main`, by name. `target` may be a list or a dict of
    targets, of which that of the module's device type is taken.
    """
    compiler = VMCompiler()
    if params:
        compiler.set_params(params)
    compiler.lower(mod, target, target_host)
    compiler.codegen()
    return compiler.get_exec()


class VMCompiler:
    """The steps of `compile`: set_params, lower or optimize, codegen, get_exec."""

    def __init__(self) -> None:
        self._params: dict[str, NDArray] = {}
        self._lowered: tuple[IRModule, Target] | None = None
        self._executable: Executable | None = None

    def set_params(self, params: Mapping[str, Any]) -> None:
        """Set values of parameters of `main`, which become constants. Raises `WrongType`."""
        given: Any = params
        if not isinstance(given, Mapping):
            raise WrongType(where="set_params", expected="a dict of arrays by name", got=repr(given))
        self._params = {name: value if isinstance(value, NDArray) else array(value) for name, value in params.items()}

    def get_params(self) -> dict[str, NDArray]:
        """Return the values of parameters."""
        return dict(self._params)

    def optimize(
        self, mod: Any, target: Any = None, target_host: Any = None, params: Mapping[str, Any] | None = None
    ) -> tuple[IRModule, dict[str, NDArray]]:
        """Return the module as it is compiled, calls of kernels, and the values of its parameters."""
        if params:
            self.set_params(params)
        return self._optimize(mod, target, target_host)[0], self.get_params()

    def lower(self, mod: Any, target: Any = None, target_host: Any = None) -> None:
        """Lower the module to calls of kernels."""
        self._lowered = self._optimize(mod, target, target_host)
        self._executable = None

    def codegen(self) -> None:
        """Compile the kernels. Raises `NotLoweredYet` before `lower`."""
        if self._lowered is None:
            raise NotLoweredYet(method="codegen", needed="lower")
        mod, target = self._lowered
        self._executable = Executable(graph_build.build(mod, target, pipeline=lambda lowered: lowered))

    def get_exec(self) -> Executable:
        """Return the executable. Raises `NotLoweredYet` before `codegen`."""
        if self._executable is None:
            raise NotLoweredYet(method="get_exec", needed="codegen")
        return self._executable

    def _optimize(self, mod: Any, target: Any, target_host: Any) -> tuple[IRModule, Target]:
        """Return the lowered module and the target of it."""
        bound = self._bound(mod)
        return pipeline_of_level()(bound), target_of(bound, target, target_host)

    def _bound(self, mod: Any) -> IRModule:
        """Return the module with the values of parameters in the place of these."""
        module = as_module(mod)
        if not self._params:
            return module
        functions: dict[Any, Any] = {
            var: func.bind_params(self._params) if var.name_hint == "main" and isinstance(func, Function) else func
            for var, func in module.functions.items()
        }
        folded: IRModule = FoldConstant()(module.replace(functions=functions))
        return folded


class Executor:
    """Base of executors: `evaluate()` returns the function `main`, `evaluate(expr)` a function or a value."""

    def __init__(self, mod: Any, device: Device | None, target: Any) -> None:
        self.mod = None if mod is None else as_module(mod)
        self.device, self.target = device or cpu(), target

    def evaluate(self, expr: Any = None, binds: Mapping[Any, Any] | None = None) -> Any:
        """Return `main`, a function to call, or the value of an expression without parameters.

        `binds` gives values to variables of the expression, which may call other functions of the module. Raises
        `InvalidRelayExpr` where there is nothing.
        """
        if expr is None:
            return self._make_executor()
        if isinstance(expr, GlobalVar):
            expr = self._main_module()[expr]
        if isinstance(expr, RelaxExpr) and not isinstance(expr, Function):
            func: Any = as_module(expr)["main"]
            if binds:
                func = func.bind_params({_name(key): value for key, value in binds.items()})
            call = self._make_executor(func)
            return call if func.params else call()
        return self._make_executor(expr.bind_params(binds) if binds else expr)

    def _main_module(self) -> IRModule:
        if self.mod is None:
            raise InvalidRelayExpr(name="create_executor", reason="there is neither a module nor an expression")
        return self.mod

    def _make_executor(self, expr: Any = None) -> Callable[..., Any]:
        """Return `main` of an expression or a module, of the executor's own where there is none, to call."""
        if expr is None:
            return self._compile(self._main_module())
        mod = as_module(expr)
        if self.mod is not None and not isinstance(expr, IRModule):
            others = {var: func for var, func in self.mod.functions.items() if var.name_hint != "main"}
            mod = mod.replace(functions={**others, **mod.functions})
        return self._compile(mod)

    def _compile(self, mod: IRModule) -> Callable[..., Any]:
        raise NotImplementedError


def _name(key: Any) -> str:
    return key if isinstance(key, str) else key.name_hint


def _arguments(mod: IRModule, args: Sequence[Any], kwargs: Mapping[str, Any]) -> list[Any]:
    """Return the arguments of a call of `main` by position. Raises `InvalidRelayExpr`."""
    main: Any = mod["main"]
    names = [param.name_hint for param in main.params]
    unknown = [name for name in kwargs if name not in names[len(args) :]]
    given = [*args, *[kwargs[name] for name in names[len(args) :] if name in kwargs]]
    if unknown or len(given) != len(names):
        got = f"{len(args)} values and {', '.join(kwargs) or 'no names'}"
        raise InvalidRelayExpr(name="evaluate", reason=f"main takes {', '.join(names) or 'nothing'}, got {got}")
    return given


class VMExecutor(Executor):
    """Executor that compiles for the virtual machine; `executable` and `vm` are those of the last evaluation."""

    def __init__(self, mod: Any, device: Device | None, target: Any) -> None:
        """Raises `UnknownExecutor` without a module."""
        if mod is None:
            raise UnknownExecutor(expected="a module", got="None")
        super().__init__(mod, device, target)
        self.executable: Executable | None = None
        self.vm: VirtualMachine | None = None

    def _compile(self, mod: IRModule) -> Callable[..., Any]:
        self.executable = compile(mod, self.target)
        self.vm = machine = VirtualMachine(self.executable, self.device)

        def call(*args: Any, **kwargs: Any) -> Any:
            return machine.run(*_arguments(mod, args, kwargs))

        return call


class GraphExecutorOfModule(Executor):
    """Executor that builds a graph executor: results of tuples are lists."""

    def _compile(self, mod: IRModule) -> Callable[..., Any]:
        module = GraphModule(build(mod, self.target)["default"](self.device))

        def call(*args: Any, **kwargs: Any) -> Any:
            for index, value in enumerate(_arguments(mod, args, kwargs)):
                module.set_input(index, value)
            module.run()
            outputs = [module.get_output(index) for index in range(module.get_num_outputs())]
            return outputs[0] if len(outputs) == 1 else outputs

        return call


class Interpreter(Executor):
    """Executor that interprets the function, binding by binding."""

    def _compile(self, mod: IRModule) -> Callable[..., Any]:
        executable = graph_build.build(mod, target_of(mod, self.target), exec_mode="bytecode")
        machine = VirtualMachine(executable, self.device)

        def call(*args: Any, **kwargs: Any) -> Any:
            return machine.run(*_arguments(mod, args, kwargs))

        return call


_EXECUTORS: Mapping[str, type[Executor]] = {"debug": Interpreter, "graph": GraphExecutorOfModule, "vm": VMExecutor}


def create_executor(
    kind: str = "debug",
    mod: Any = None,
    device: Device | None = None,
    target: Any = "llvm",
    params: Mapping[str, Any] | None = None,
) -> Executor:
    """Return an executor: `relay.create_executor("vm", mod, tvm.cpu(), "llvm").evaluate()(x)`.

    Kinds are debug (interpreted), graph and vm. `params` gives values to parameters of `main`. Raises
    `UnknownExecutor`.
    """
    if kind not in _EXECUTORS:
        raise UnknownExecutor(expected=f"one of {', '.join(_EXECUTORS)}", got=repr(kind))
    if mod is not None and params:
        main: Any = as_module(mod)["main"]
        mod = main.bind_params(dict(params))
    return _EXECUTORS[kind](mod, device, target)
