"""Host functions of a module as native code that calls launchers; the first launch on a device loads machine code."""

from __future__ import annotations

import ctypes
import threading
import weakref
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from typing import Final

from tvmscript.backends import llvm
from tvmscript.backends.cuda.device_state import MOST_DEVICES, DeviceState, Loader
from tvmscript.backends.cuda.launcher import Handles, Launch, launch_of, register_launchers
from tvmscript.backends.cuda.source import Source
from tvmscript.backends.cuda.tensor_maps import ENCODE, Encoding, call_arguments
from tvmscript.backends.llvm.calling_convention.callable import CompiledFunction
from tvmscript.backends.llvm.calling_convention.signature import DEVICE_ID, DEVICE_TYPE
from tvmscript.backends.runtime import cuda_driver
from tvmscript.backends.runtime.errors import NoCudaDriver
from tvmscript.backends.runtime.module import Module
from tvmscript.ir.core import INT32, IRModule, nodes, on
from tvmscript.ir.tir import Call, Expr, PrimFunc, StringImm, TirRewriter
from tvmscript.ir.tir.intrin.packed import tvm_call_packed
from tvmscript.ir.transform.pipeline import is_kernel

_CALL: Final = "tir.tvm_call_packed"


class _Launchers(TirRewriter):
    """Replace the names of kernels in launches by those of their launchers, and let functions make tensor maps."""

    def __init__(self, names: Mapping[str | Encoding, str]) -> None:
        super().__init__()
        self._names = names

    @on(Call)
    def call(self, node: Call) -> Expr:
        first = node.args[0] if node.args else None
        if getattr(node.op, "name", "") == _CALL and isinstance(first, StringImm) and first.value in self._names:
            name = StringImm(self._names[first.value])
            return Call(node.dtype, node.op, (name, *node.args[1:], DEVICE_ID), node.span)
        if node.op is ENCODE:
            name = StringImm(self._names[Encoding.from_call(node)])
            return Call(INT32, tvm_call_packed, (name, *call_arguments(node), DEVICE_ID), node.span)
        return self.descend(node)


class HostCode:
    """The host functions of a lowered module."""

    def __init__(
        self, mod: IRModule, launches: Sequence[Launch], compile_for: Callable[[str], bytes], arch: str | None
    ) -> None:
        """Write the host functions; `compile_for` returns what the driver loads for an architecture."""
        self._compile_for, self._arch = compile_for, arch
        self.launches = tuple(launches)
        self._handles: dict[str, Handles] = {launch.symbol: (ctypes.c_void_p * MOST_DEVICES)() for launch in launches}
        hosts = {var: func for var, func in mod.items() if isinstance(func, PrimFunc) and not is_kernel(func)}
        self.program = mod.replace(functions=hosts)
        encodings = {encoding for func in hosts.values() for encoding in _encodings(func)}
        self._has_tensor_maps = bool(encodings)
        self._lock = threading.Lock()
        self._loader = Loader(partial(_load, weakref.ref(self)))
        kernels = {launch.name: (launch, self._handles[launch.symbol]) for launch in launches}
        names = register_launchers(kernels, sorted(encodings), self._loader)
        weakref.finalize(self, _forget, tuple(names.values()))
        functions = {var: _host_function(func, names) for var, func in hosts.items()}
        self._native: Module = llvm.build(mod.replace(functions=functions))
        self.functions = self._native.functions
        for function in self.functions.values():
            assert isinstance(function, CompiledFunction)
            function.owner = self

    def source(self, kind: str) -> str:
        """Return a text of the host functions."""
        return self._native.get_source(kind)

    def load(self, index: int) -> None:
        """Compile and load the kernels for a device, once.

        Raises `NoCudaDriver`, `NoNvrtc`, `RefusedByNvrtc`, `CudaDriverError`.
        """
        name = next(iter(self.functions)) if len(self.functions) == 1 else "the module"
        if not 0 <= index < MOST_DEVICES:
            raise NoCudaDriver(function=name, reason=f"kernels run on devices 0 to {MOST_DEVICES - 1}, not on {index}")
        with self._lock:
            state = self._loader.states[index]
            if state.context:
                return
            driver = cuda_driver.find_driver(name, index)
            if self._has_tensor_maps and not driver.encode:
                raise NoCudaDriver(function=name, reason="the driver is too old for tensor maps")
            code = self._compile_for(self._arch or driver.architecture())
            handles = driver.load(code, {launch.symbol: launch.shared_bytes for launch in self.launches})
            for symbol, handle in handles.items():
                self._handles[symbol][index] = handle
            for field in DeviceState.names:  # the context last: a state that has one is complete
                setattr(state, field, getattr(driver, field))


def launches_of(source: Source, *, waits: bool = False) -> list[Launch]:
    """Return the launches of the kernels of a text; `waits`: they wait for them. Raises `NotSupportedByCuda`."""
    return [
        launch_of(name, symbol, source.kernels[symbol], source.aligned[symbol], waits)
        for name, symbol in source.symbols.items()
    ]


def _load(code: weakref.ref[HostCode], device: int) -> None:
    """Load the kernels of a module for a device; its functions keep it."""
    host = code()
    assert host is not None
    host.load(device)


def _encodings(func: PrimFunc) -> set[Encoding]:
    """Return the kinds of tensor maps that a host function makes."""
    calls = [node for node in nodes(func.body) if isinstance(node, Call) and node.op is ENCODE]
    return {Encoding.from_call(call) for call in calls}


def _host_function(func: PrimFunc, names: Mapping[str | Encoding, str]) -> PrimFunc:
    return func.with_body(_Launchers(names).rewrite(func.body)).with_attr(DEVICE_TYPE, "cuda")


def _forget(names: Iterable[str]) -> None:
    """Remove launchers of a module that is gone."""
    from tvmscript.backends.runtime import global_functions  # tvm_ffi takes a while to import

    for name in names:
        global_functions.remove(name)
