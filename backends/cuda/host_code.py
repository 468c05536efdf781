"""Host functions of a module as native code that calls launchers; machine code is loaded before the first call."""

from __future__ import annotations

import inspect
import threading
import weakref
from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final

from tvmscript.backends import llvm
from tvmscript.backends.cuda.errors import NotSupportedByCuda
from tvmscript.backends.cuda.kernel import constant_extents
from tvmscript.backends.cuda.launcher import Launch, State, can_launch, launch_tags, register_launchers
from tvmscript.backends.cuda.source import Source
from tvmscript.backends.cuda.tensor_maps import ENCODE, EncoderState, Encoding, call_arguments
from tvmscript.backends.llvm.calling_convention.signature import DEVICE_TYPE
from tvmscript.backends.runtime import cuda_driver
from tvmscript.backends.runtime.errors import NoCudaDriver
from tvmscript.backends.runtime.module import BuiltFunction, Module
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
            return Call(node.dtype, node.op, (StringImm(self._names[first.value]), *node.args[1:]), node.span)
        if node.op is ENCODE:
            name = StringImm(self._names[Encoding.from_call(node)])
            return Call(INT32, tvm_call_packed, (name, *call_arguments(node)), node.span)
        return self.descend(node)


class CudaFunction:
    """A function that launches kernels: the first call loads their machine code.

    Arrays are those of CUDA devices: of torch, cupy and jax without a copy.
    """

    def __init__(self, name: str, native: BuiltFunction, load: Callable[[str], None]) -> None:
        self.__name__ = name
        self.native: Any = native
        self._load = load

    @property
    def __signature__(self) -> inspect.Signature:
        return inspect.signature(self.native)

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Load the machine code, and call the function. Raises `NoCudaDriver`, `NoNvrtc`, `CudaDriverError`."""
        self._load(self.__name__)
        return self.native(*args, **kwargs)

    def bind(self, *args: Any, **kwargs: Any) -> Callable[[], Any]:
        """Return the call with these arguments, converted once."""
        self._load(self.__name__)
        bound: Callable[[], Any] = self.native.bind(*args, **kwargs)
        return bound


class HostCode:
    """The host functions of a lowered module."""

    def __init__(self, mod: IRModule, source: Source, compile_for: Callable[[str], bytes], arch: str | None) -> None:
        """Write the host functions; `compile_for` returns what the driver loads for an architecture."""
        self._compile_for, self._arch = compile_for, arch
        self._launches = {
            name: _launch_of(source, symbol, source.kernels[symbol]) for name, symbol in source.symbols.items()
        }
        hosts = {var: func for var, func in mod.items() if isinstance(func, PrimFunc) and not is_kernel(func)}
        self._encoders = {encoding: EncoderState() for func in hosts.values() for encoding in _encodings(func)}
        names, _ = register_launchers(self._launches, self._encoders)
        weakref.finalize(self, _forget, tuple(names.values()))
        functions = {var: _host_function(func, names) for var, func in hosts.items()}
        self._native: Module = llvm.build(mod.replace(functions=functions))
        self.functions = {name: CudaFunction(name, native, self.load) for name, native in self._native.items()}
        self.is_loaded = False
        self._lock = threading.Lock()

    def source(self, kind: str) -> str:
        """Return a text of the host functions."""
        return self._native.get_source(kind)

    def load(self, function: str) -> None:
        """Compile and load the kernels, once. Raises `NoCudaDriver`, `NoNvrtc`, `RefusedByNvrtc`, `CudaDriverError`."""
        if self.is_loaded:
            return
        with self._lock:
            device = cuda_driver.find_driver(function)
            code = self._compile_for(self._arch or device.architecture())
            sizes = {launch.symbol: constant_extents(launch.func)[1] for launch in self._launches.values()}
            handles = device.load(code, sizes)
            for launch in self._launches.values():
                launch.state.launch, launch.state.kernel = device.launch, handles[launch.symbol]
                launch.state.set_context, launch.state.context = device.set_context, device.context
            if self._encoders and not device.encode:
                raise NoCudaDriver(function=function, reason="the driver is too old for tensor maps")
            for state in self._encoders.values():
                state.encode = device.encode
            self.is_loaded = True


def _launch_of(source: Source, symbol: str, func: PrimFunc) -> Launch:
    if not can_launch(func):
        raise NotSupportedByCuda(what=f"the kernel {symbol}, which has a number of a narrow float", span=func.span)
    return Launch(symbol, tuple(launch_tags(func)), func, source.aligned[symbol], State())


def _encodings(func: PrimFunc) -> set[Encoding]:
    """Return the kinds of tensor maps that a host function makes."""
    calls = [node for node in nodes(func.body) if isinstance(node, Call) and node.op is ENCODE]
    return {Encoding.from_call(call) for call in calls}


def _host_function(func: PrimFunc, names: Mapping[str | Encoding, str]) -> PrimFunc:
    return func.with_body(_Launchers(names).rewrite(func.body)).with_attr(DEVICE_TYPE, "cuda")


def _forget(names: Iterable[str]) -> None:
    """Remove launchers of a module that is gone."""
    import tvm_ffi  # it takes a while to import

    for name in names:
        tvm_ffi.registry.remove_global_func(name)
