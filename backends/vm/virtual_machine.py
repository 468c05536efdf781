"""`VirtualMachine`: runs the functions of an executable."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from tvmscript.backends.runtime.device import Device, is_cuda
from tvmscript.backends.runtime.errors import WrongKeywords, WrongNumberOfArguments
from tvmscript.backends.runtime.timing import BenchmarkResult, measure
from tvmscript.backends.vm.errors import NoInputs, UnsupportedDevice
from tvmscript.backends.vm.executable import Executable, call_instrumented
from tvmscript.backends.vm.interpreter import Instrument
from tvmscript.backends.vm.profile import Profile
from tvmscript.backends.vm.values import FunctionValue, Value
from tvmscript.ir.core import WrongType


class VirtualMachine:
    """Calls functions of an executable: `vm["main"](x, w)`.

    Arguments are NumPy arrays (for the CPU), `nd` arrays, tvm-ffi tensors, DLPack objects, numbers, shapes as tuples,
    and tuples of these; results are `nd` arrays, numbers, tuples for shapes, and lists for tuples.
    """

    def __init__(self, executable: Executable, device: Device | Sequence[Device]) -> None:
        """Raises `UnsupportedDevice` unless one device of the executable's type comes first; a CPU may follow."""
        devices: list[Any] = list(device) if isinstance(device, Sequence) else [device]
        if not devices or not all(isinstance(each, Device) for each in devices):
            raise WrongType(where="a virtual machine", expected="devices, such as tvm.cpu()", got=repr(device))
        expected = executable.device
        for place, each in enumerate(devices):
            if each.type != expected.type and (place == 0 or each.type != "cpu"):
                raise UnsupportedDevice(expected=expected.type, device=each)
            if is_cuda(each) and each != devices[0]:
                raise UnsupportedDevice(expected=devices[0], device=each)
        self._executable = executable.on(devices[0]) if is_cuda(devices[0]) else executable
        self._saved: dict[str, FunctionValue] = {}
        self._instrument: Instrument | None = None
        self._inputs: dict[str, tuple[Any, ...]] = {}
        self._outputs: dict[str, Value] = {}

    def __getitem__(self, name: str) -> FunctionValue:
        """Return a function, or a call of one that `save_function` keeps. Raises `UnknownFunction`."""
        function = self._saved.get(name) or self._executable[name]
        if self._instrument is None or name in self._saved:
            return function
        return partial(self._call_instrumented, name)

    def _call_instrumented(self, name: str, *args: Any) -> Any:
        assert self._instrument is not None
        return call_instrumented(self._executable.interpreter, self._instrument, name, args)

    def invoke_closure(self, closure: FunctionValue, *args: Any) -> Any:
        """Call a function value."""
        return closure(*args)

    def save_function(
        self, func_name: str, saved_name: str, *args: Any, include_return: bool = True, **kwargs: Any
    ) -> None:
        """Keep a call with these arguments under a name: `vm[saved_name]()` makes it."""
        call = partial(self[func_name], *self._positional(func_name, args, kwargs))
        self._saved[saved_name] = call if include_return else partial(_without_result, call)

    # ---- calls in steps

    def set_input(self, func_name: str, *args: Any, **kwargs: Any) -> None:
        """Set the arguments of a function for `invoke_stateful`; arrays are not copied.

        Raises `WrongKeywords` and `WrongNumberOfArguments`.
        """
        self._inputs[func_name] = self._positional(func_name, args, kwargs)

    def invoke_stateful(self, func_name: str) -> None:
        """Call a function with the arguments of `set_input`. Raises `NoInputs`."""
        if func_name not in self._inputs:
            raise NoInputs(method="invoke_stateful", function=func_name, needed="set_input")
        self._outputs[func_name] = self[func_name](*self._inputs[func_name])

    def get_outputs(self, func_name: str) -> Any:
        """Return the result of `invoke_stateful`. Raises `NoInputs`."""
        if func_name not in self._outputs:
            raise NoInputs(method="get_outputs", function=func_name, needed="invoke_stateful")
        return self._outputs[func_name]

    # ---- measurements

    def time_evaluator(
        self,
        func_name: str,
        dev: Device | None = None,
        number: int = 10,
        repeat: int = 1,
        min_repeat_ms: float = 0.0,
        **unused: object,
    ) -> Callable[..., BenchmarkResult]:
        """Return a function that measures calls of the function of this name.

        TVM's further options concern caches and clocks of devices, and have no effect.
        """
        function = self[func_name]

        def evaluate(*args: Any) -> BenchmarkResult:
            device = dev or self._executable.device
            return measure(function, args, number=number, repeat=repeat, min_repeat_ms=min_repeat_ms, device=device)

        return evaluate

    def profile(self, func_name: str, *args: Any) -> Profile:
        """Call a function kernel by kernel, and return the time of each; `print` shows a table.

        Kernels on a CUDA device are timed by events, without waiting for each of them.
        The first calls of kernels take longer, so a pure function is called once before.
        """
        interpreter = self._executable.interpreter
        if func_name in interpreter.graphs and interpreter.graphs[func_name].is_pure:
            call_instrumented(interpreter, Profile(func_name), func_name, args)
        profile = Profile(func_name, interpreter.kernels, device=interpreter.device)
        call_instrumented(interpreter, profile, func_name, args)
        profile.finish()
        return profile

    def set_instrument(self, instrument: Instrument | None) -> None:
        """Call `instrument(function, name, before_run, result, *args)` before and after each kernel; None removes it.

        A kernel is not run where it returns `VMInstrumentReturnKind.SKIP_RUN` before. Functions are interpreted, kernel
        by kernel, as long as it is set.
        """
        self._instrument = instrument

    def _positional(self, func_name: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> tuple[Any, ...]:
        """Return the arguments of a call by position. Raises `WrongKeywords` and `WrongNumberOfArguments`."""
        names = self._executable[func_name].parameters
        rest = [kwargs[name] for name in names[len(args) :] if name in kwargs]
        if len(rest) != len(kwargs):
            unknown = ", ".join(sorted(kwargs.keys() - set(names[len(args) :])))
            raise WrongKeywords(function=func_name, reason=f"unexpected keywords {unknown}")
        if len(args) + len(rest) != len(names):
            got = len(args) + len(rest)
            raise WrongNumberOfArguments(function=func_name, expected=len(names), got=got, parameters=names)
        return (*args, *rest)


def _without_result(call: FunctionValue) -> None:
    call()
