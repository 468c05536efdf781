"""Kernels of the NVPTX backend on the CPU: their LLVM code before optimization, with functions for intrinsics.

Threads of a block are threads of Python, blocks run one after the other. Instructions of PTX have no function here.
"""

from __future__ import annotations

import ctypes
import re
import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Final

import llvmlite.binding as llvm

from tvmscript.backends.llvm.target import Target
from tvmscript.fuzz.cuda.fake_driver import Launched

_WARP: Final = 32
_INTRINSIC: Final = re.compile(r"^declare (\w+) @(llvm\.nvvm\.[\w.]+)\((.*)\)$", re.MULTILINE)
_KERNEL: Final = re.compile(r"define ptx_kernel void @(\w+)\(([^)]*(?:\([^)]*\)[^)]*)*)\)")
_KINDS: Final[dict[str, Any]] = {"i1": ctypes.c_bool, "i8": ctypes.c_int8, "i16": ctypes.c_int16, "i32": ctypes.c_int32,
                 "i64": ctypes.c_int64, "ptr": ctypes.c_void_p, "float": ctypes.c_float, "double": ctypes.c_double,
                 "void": None}  # fmt: skip


@dataclass
class _Warp:
    barrier: threading.Barrier
    given: dict[int, int] = field(default_factory=dict[int, int])


class _Thread(threading.local):
    """The thread of the block that a thread of Python is."""

    index: tuple[int, int, int]
    block: tuple[int, ...]
    number: int
    warp: _Warp
    barrier: threading.Barrier


_now: Final = _Thread()


def _exchange(value: int) -> dict[int, int]:
    """Return the values that the threads of the warp give."""
    warp = _now.warp
    warp.barrier.wait()
    warp.given[_now.number % _WARP] = value
    warp.barrier.wait()
    return dict(warp.given)


def _shuffle(mode: str) -> Callable[[int, int, int, int], int]:
    """Return a shuffle as PTX has it: the parts of a warp are what the bits 8 to 12 of `control` select."""

    def shuffle(mask: int, value: int, lane: int, control: int) -> int:
        own, part = _now.number % _WARP, control >> 8 & 31
        last = own & part | control & 31 & ~part
        match mode:
            case "up":
                source, is_inside = own - lane, own - lane >= last
            case "down":
                source, is_inside = own + lane, own + lane <= last
            case _:
                source, is_inside = own & part | lane & 31 & ~part, True
        return _exchange(value)[source if is_inside else own]

    return shuffle


def _sreg(place: int, *, of_block: bool = False) -> Callable[[], int]:
    return lambda: _now.block[place] if of_block else _now.index[place]


def _wait(*_: int) -> None:
    _now.barrier.wait()


#: intrinsic -> what it does
_FUNCTIONS: Final[dict[str, Callable[..., Any]]] = {
    **{f"read.ptx.sreg.tid.{axis}": _sreg(place) for place, axis in enumerate("xyz")},
    **{f"read.ptx.sreg.ctaid.{axis}": _sreg(place, of_block=True) for place, axis in enumerate("xyz")},
    "barrier.cta.sync.aligned.all": _wait,
    "bar.warp.sync": lambda mask: _now.warp.barrier.wait() and None,
    "activemask": lambda: -1,
    **{f"shfl.sync.{mode}.i32": _shuffle(mode) for mode in ("idx", "up", "down")},
    "vote.ballot.sync": lambda mask, flag: sum(bit << lane for lane, bit in _exchange(flag).items()),
    "vote.any.sync": lambda mask, flag: any(_exchange(flag).values()),
}


class HostKernels:
    """The kernels of an LLVM module, compiled for this machine."""

    def __init__(self, text: str) -> None:
        if " asm " in text:
            raise NotImplementedError("instructions of PTX")
        self._callbacks: list[Any] = []
        for result, name, params in _INTRINSIC.findall(text):
            short = name.removeprefix("llvm.nvvm.")
            kinds = [_KINDS[kind] for kind in params.split(", ") if kind]
            callback = ctypes.CFUNCTYPE(_KINDS[result], *kinds)(_FUNCTIONS[short])
            self._callbacks.append(callback)
            symbol = f"on_host_{short.replace('.', '_')}_{id(self)}"
            llvm.add_symbol(symbol, ctypes.cast(callback, ctypes.c_void_p).value)
            text = re.sub(rf"@{re.escape(name)}\(", f"@{symbol}(", text)
        text = re.sub(r"external (addrspace\(3\) global \[)0( x i8\])", r"internal \g<1>65536\2 zeroinitializer", text)
        self._params = {name: self._kinds(params) for name, params in _KERNEL.findall(text)}
        module = llvm.parse_assembly(text.replace("define ptx_kernel", "define"))
        self._machine = Target.parse(None, 1).machine()
        self._engine = llvm.create_mcjit_compiler(module, self._machine)
        self._engine.finalize_object()

    @staticmethod
    def _kinds(params: str) -> list[Any]:
        return [_KINDS[param.split()[0]] for param in params.split(", ") if param]

    def run(self, launched: Launched) -> None:
        """Run a launch; an exception of a thread ends it."""
        kinds = self._params[launched.kernel]
        function = ctypes.CFUNCTYPE(None, *kinds)(self._engine.get_function_address(launched.kernel))
        values = [kind.from_address(cell).value for kind, cell in zip(kinds, launched.cells, strict=False)]
        x, y, z = launched.block
        for number in range(launched.grid[0] * launched.grid[1] * launched.grid[2]):
            block = (
                number % launched.grid[0],
                number // launched.grid[0] % launched.grid[1],
                number // (launched.grid[0] * launched.grid[1]),
            )
            count = x * y * z
            barrier = threading.Barrier(count)
            warps = [_Warp(threading.Barrier(min(_WARP, count - first))) for first in range(0, count, _WARP)]

            def live(member: int, block: tuple[int, ...] = block, barrier: Any = barrier, warps: Any = warps) -> None:
                _now.index, _now.block = (member % x, member // x % y, member // (x * y)), block
                _now.number, _now.warp, _now.barrier = member, warps[member // _WARP], barrier
                function(*values)

            threads = [threading.Thread(target=live, args=(member,)) for member in range(count)]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
