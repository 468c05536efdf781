"""Launchers: native functions of tvm-ffi's calling convention that hand the arguments of a launch to the driver.

Host code calls a launcher by its name, with the arguments of the kernel, the extents of its thread axes, the bytes of
its shared memory, and the number of the device that the arrays are on. What the driver gives (the kernel's handle, the
address of `cuLaunchKernelEx`) is in a structure for each device, which a Python function fills at the first launch.
"""

from __future__ import annotations

import ctypes
import itertools
from collections.abc import Iterable, Mapping, Sequence, Set
from typing import Any, Final, NamedTuple

from tvmscript.backends.cuda.device_state import DeviceState, Loader, fail_with_status, write_device_state
from tvmscript.backends.cuda.errors import NotSupportedByCuda
from tvmscript.backends.cuda.kernel import constant_extents
from tvmscript.backends.cuda.tensor_maps import Encoding, is_tensor_map
from tvmscript.backends.llvm.assembly import ModuleText
from tvmscript.backends.llvm.calling_convention import abi
from tvmscript.backends.llvm.calling_convention.runtime_function import RuntimeFunction
from tvmscript.backends.llvm.library import link
from tvmscript.backends.llvm.object_cache import Library
from tvmscript.backends.llvm.optimized_module import OptimizedModule
from tvmscript.backends.llvm.target import Target
from tvmscript.backends.runtime import global_functions
from tvmscript.backends.runtime.cuda_driver import number_of
from tvmscript.backends.runtime.errors import MisalignedArray
from tvmscript.ir.core import FLOAT32, FLOAT64, nodes
from tvmscript.ir.tir import Call, PrimFunc, Var
from tvmscript.ir.tir.intrin.device import INSTRUCTIONS

#: offsets in CUlaunchConfig: three extents of the grid, three of a block, bytes of shared memory, the stream
_EXTENTS: Final = {
    f"{kind}.{axis}": 4 * (3 * number + place)
    for number, kind in enumerate(("blockIdx", "threadIdx"))
    for place, axis in enumerate("xyz")
}
_SHARED, _STREAM, _ATTRIBUTES, _ATTRIBUTE_COUNT, _CONFIG_BYTES = 24, 32, 40, 48, 56
#: CUlaunchAttribute: its number, and its value behind that
_VALUE, _ATTRIBUTE_BYTES = 8, 72
_COOPERATIVE, _CLUSTER = 2, 4
#: axis of blocks in a cluster -> offset of its extent in an attribute
_CLUSTER_EXTENTS: Final = {f"clusterCtaIdx.{axis}": _VALUE + 4 * place for place, axis in enumerate("xyz")}
_GRID_SYNC: Final = INSTRUCTIONS["cuda.grid_sync"]
#: the kind of an argument that is a tensor map
TENSOR_MAP: Final = "tensor map"
_SHARED_TAG: Final = "tir.use_dyn_shared_memory"
_CUDA: Final = 2
_VECTOR_BYTES: Final = 16
_numbers: Final = itertools.count()


class Argument(NamedTuple):
    """A parameter of a kernel, for its launches."""

    name: str
    #: a dtype, or `TENSOR_MAP`
    kind: str
    #: whether it is memory that is loaded by vectors
    is_aligned: bool


class Launch(NamedTuple):
    """A kernel that host code launches by its name in the module."""

    name: str
    symbol: str
    arguments: tuple[Argument, ...]
    #: what follows the kernel's arguments in a launch
    tags: tuple[str, ...]
    #: whether blocks wait for all others, which then have to run at once
    is_cooperative: bool
    #: bytes of shared memory that a launch gives, 0 where that is no constant
    shared_bytes: int
    #: file and line of the script where the launch waits for the kernel, to say where it fails; else empty
    place: str = ""


#: handles of a kernel by the number of the device, 0 where it is not loaded
Handles = ctypes.Array[ctypes.c_void_p]


def define_launcher(module: ModuleText, launch: Launch, handles: Handles, loader: Loader, name: str) -> None:
    """Add a launcher to a module of LLVM code."""
    text = RuntimeFunction(module)
    params = launch.arguments
    device, state = write_device_state(text, loader, len(params) + len(launch.tags), name)
    cells = text.slot(f"[{max(len(params), 1)} x ptr], align 8")
    for place, param in enumerate(params):
        cell = text.address("%args", 16 * place + abi.ANY_VALUE)
        if param.kind == TENSOR_MAP:
            cell = text.load("ptr", cell)
        elif param.is_aligned:
            _check_alignment(text, launch, param, cell)
        if param.kind == "float32":
            narrow = text.slot("float, align 4")
            text.store("float", text.value(f"fptrunc double {text.load('double', cell)} to float"), narrow)
            cell = narrow
        text.store("ptr", cell, cells, 8 * place)
    config = _write_config(text, launch, len(params), device)
    table = text.value(f"inttoptr i64 {ctypes.addressof(handles)} to ptr")
    kernel = text.load("ptr", text.element("ptr", table, device))
    function = text.load("ptr", state, DeviceState.launch.offset)
    launch_call = f"call i32 {function}(ptr {config}, ptr {kernel}, ptr {cells}, ptr null)"
    last = text.load("ptr", state, DeviceState.last_kernel.offset)
    text.store("i64", str(number_of(launch.symbol)), last)
    context, current = text.load("ptr", state, DeviceState.context.offset), text.slot("ptr, align 8")
    text.value(f"call i32 {text.load('ptr', state, DeviceState.get_context.offset)}(ptr {current})")
    with text.unless(f"icmp eq ptr {text.load('ptr', current)}, {context}"):  # another device, or none yet
        text.value(f"call i32 {text.load('ptr', state, DeviceState.push_context.offset)}(ptr {context})")
        status = _emit_launch(text, launch, state, config, launch_call)
        text.value(f"call i32 {text.load('ptr', state, DeviceState.pop_context.offset)}(ptr {current})")
        _return_status(text, launch, state, status)
    _return_status(text, launch, state, _emit_launch(text, launch, state, config, launch_call))
    text.define(f"i32 @{name}(ptr %self, ptr %args, i32 %count, ptr %result)")


def _emit_launch(text: RuntimeFunction, launch: Launch, state: str, config: str, call: str) -> str:
    """Write the call of the driver; return its status, or that of the kernel where the launch waits for it."""
    status = text.value(call)
    if not launch.place:
        return status
    synchronize = text.load("ptr", state, DeviceState.synchronize_stream.offset)
    is_capturing = text.load("ptr", state, DeviceState.is_capturing.offset)
    stream, capture = text.load("ptr", config, _STREAM), text.slot("i32, align 4")
    text.value(f"call i32 {is_capturing}(ptr {stream}, ptr {capture})")
    before, wait, done = text.block, text.label("wait"), text.label("done")
    either = text.value(f"or i32 {status}, {text.load('i32', capture)}")
    text.branch(text.value(f"icmp eq i32 {either}, 0"), wait, done)
    text.place(wait)
    waited = text.value(f"call i32 {synchronize}(ptr {stream})")
    text.jump(done)
    text.place(done)
    return text.value(f"phi i32 [ {status}, %{before} ], [ {waited}, %{wait} ]")


def _return_status(text: RuntimeFunction, launch: Launch, state: str, status: str) -> None:
    """Return from the launcher, with an error for a status that is not 0."""
    with text.unless(f"icmp eq i32 {status}, 0"):
        where = f" ({launch.place})" if launch.place else ""
        fail_with_status(text, state, status, f"the launch of {launch.symbol}{where}")
    text.do("ret i32 0")


def _check_alignment(text: RuntimeFunction, launch: Launch, param: Argument, cell: str) -> None:
    rest = text.value(f"and i64 {text.load('i64', cell)}, {_VECTOR_BYTES - 1}")
    with text.unless(f"icmp eq i64 {rest}, 0"):
        text.fail(MisalignedArray, "i32 0", function=launch.symbol, name=param.name)


def _write_config(text: RuntimeFunction, launch: Launch, first: int, device: str) -> str:
    """Write the configuration of the launch; one of no blocks is none."""
    config = text.slot(f"[{_CONFIG_BYTES} x i8], align 8")
    text.do(f"store [{_CONFIG_BYTES} x i8] zeroinitializer, ptr {config}, align 8")
    for offset in _EXTENTS.values():
        text.store("i32", "1", config, offset)
    is_cooperative = launch.is_cooperative
    has_clusters = any(tag in _CLUSTER_EXTENTS for tag in launch.tags)
    attributes = _write_attributes(text, config, [_COOPERATIVE] * is_cooperative + [_CLUSTER] * has_clusters)
    for place, tag in enumerate(launch.tags, first):
        base, target = config, _SHARED if tag == _SHARED_TAG else _EXTENTS.get(tag)
        if tag in _CLUSTER_EXTENTS:
            base, target = attributes, _ATTRIBUTE_BYTES * is_cooperative + _CLUSTER_EXTENTS[tag]
        if target is None:
            continue
        value = text.value(f"trunc i64 {text.load('i64', '%args', 16 * place + abi.ANY_VALUE)} to i32")
        if tag != _SHARED_TAG:
            with text.unless(f"icmp sgt i32 {value}, 0"):
                text.do("ret i32 0")
        text.store("i32", value, base, target)
        blocks = tag.replace("clusterCtaIdx", "blockIdx")
        if tag in _CLUSTER_EXTENTS and blocks not in launch.tags:  # one cluster along the axis
            text.store("i32", value, config, _EXTENTS[blocks])
    stream_of = text.module.declare("TVMFFIEnvGetStream", "ptr {}(i32, i32)")
    stream = text.value(f"call ptr {stream_of}(i32 {_CUDA}, i32 {device})")
    text.store("ptr", stream, config, _STREAM)
    return config


def _write_attributes(text: RuntimeFunction, config: str, numbers: Sequence[int]) -> str:
    """Write attributes of a launch, whose values are ones; return where they are."""
    if not numbers:
        return config
    size = _ATTRIBUTE_BYTES * len(numbers)
    attributes = text.slot(f"[{size} x i8], align 8")
    text.do(f"store [{size} x i8] zeroinitializer, ptr {attributes}, align 8")
    for place, number in enumerate(numbers):
        begin = _ATTRIBUTE_BYTES * place
        text.store("i32", str(number), attributes, begin)
        for offset in _CLUSTER_EXTENTS.values() if number == _CLUSTER else (_VALUE,):
            text.store("i32", "1", attributes, begin + offset)
    text.store("ptr", attributes, config, _ATTRIBUTES)
    text.store("i32", str(len(numbers)), config, _ATTRIBUTE_COUNT)
    return attributes


def _waits_for_grid(func: PrimFunc) -> bool:
    """Return whether blocks wait for all others, which then have to run at once."""
    return any(isinstance(node, Call) and node.op is _GRID_SYNC for node in nodes(func.body))


def launch_of(name: str, symbol: str, func: PrimFunc, aligned: Set[Var], waits: bool) -> Launch:
    """Return what launches know of a kernel; `waits`: they wait for it.

    Raises `NotSupportedByCuda` for parameters other than pointers, integers, float32 and float64.
    """
    dtypes = [param.dtype for param in func.params]
    if not all(dtype.is_handle or dtype.is_integer or dtype in (FLOAT32, FLOAT64) for dtype in dtypes):
        raise NotSupportedByCuda(what=f"the kernel {symbol}, which has a number of a narrow float", span=func.span)
    arguments = [
        Argument(param.name, TENSOR_MAP if is_tensor_map(param) else str(param.dtype), param in aligned)
        for param in func.params
    ]
    _, shared_bytes = constant_extents(func)
    tags: Any = func.attrs.get("tir.kernel_launch_params", ())
    names = tuple(getattr(tag, "value", tag) for tag in tags)
    place = str(func.span) if waits else ""
    return Launch(name, symbol, tuple(arguments), names, _waits_for_grid(func), shared_bytes, place)


def register_launchers(
    launches: Mapping[str, tuple[Launch, Handles]], encodings: Iterable[Encoding], loader: Loader
) -> dict[str | Encoding, str]:
    """Compile launchers and encoders of tensor maps, and register them: return their global names."""
    module = ModuleText()
    names: dict[str | Encoding, str] = {kernel: f"launch_{number}" for number, kernel in enumerate(launches)}
    names.update({encoding: f"encode_{number}" for number, encoding in enumerate(encodings)})
    for key, name in names.items():
        if isinstance(key, str):
            define_launcher(module, *launches[key], loader, name)
        else:
            key.define(module, loader, name)
    machine = Target.parse("llvm", 1)
    compiled = OptimizedModule(str(module), machine)
    functions = {name: name for name in names.values()}
    code = link(Library(compiled.object_code(), functions, tuple(compiled.externals)), machine)
    registered: dict[str | Encoding, str] = {}
    for key, name in names.items():
        what = launches[key][0].symbol if isinstance(key, str) else "encode_tensor_map"
        registered[key] = f"tvmscript.cuda.{next(_numbers)}.{what}"
        global_functions.register(registered[key], code.function(name), override=True)
    return registered
