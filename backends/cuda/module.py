"""Build a lowered module for CUDA: the text of its kernels, their machine code, and the functions that launch them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Final

from tvmscript.backends.cuda import nvrtc
from tvmscript.backends.cuda.binary import Binary
from tvmscript.backends.cuda.device_library import DeviceLibrary, KernelModule
from tvmscript.backends.cuda.errors import RefusedByNvrtc
from tvmscript.backends.cuda.host_code import HostCode, launches_of
from tvmscript.backends.cuda.program import self_contained
from tvmscript.backends.cuda.resources import KernelReport
from tvmscript.backends.cuda.source import Source, write_source
from tvmscript.backends.cuda.work import add_launch
from tvmscript.ir.core import IRModule, Span, nodes
from tvmscript.ir.tir import Expr, Stmt

#: the architecture of schedules, texts and reports where neither the target nor a device says it; a launch compiles for
#: the device that is there
DEFAULT_ARCH: Final = "sm_80"


class CudaModule(KernelModule):
    """Functions that launch kernels. `get_source` knows cu, ptx, sass and host."""

    def __init__(self, mod: IRModule, host: HostCode, source: Source, binary: Binary, arch: str) -> None:
        texts: dict[str, str | Callable[[], str]] = {
            "cu": source.text,
            "ptx": partial(binary.ptx, arch),
            "sass": partial(binary.sass, arch),
        }
        texts |= {"host": partial(host.source, "ll")}
        super().__init__(host.functions, texts, target=f"cuda -arch={arch}")
        self._mod, self._host = mod, host
        self.arch, self.binary = arch, binary
        self.kernel_source = source

    def report(self, arch: str | None = None) -> list[KernelReport]:
        """Return registers, spills, shared memory, occupancy and work of each kernel.

        Raises `NoNvrtc`, `RefusedByNvrtc`.
        """
        kernels = self.kernel_source.kernels
        return [
            add_launch(report, self._mod, kernels[report.name]) for report in self.binary.reports(arch or self.arch)
        ]

    def device_library(self, archs: Sequence[str] = ()) -> DeviceLibrary:
        """Return the kernels compiled for architectures, that of the module unless others are given.

        `compute_80` stands for PTX, which drivers compile for later devices. Raises `NoNvrtc`, `RefusedByNvrtc`.
        """
        images = {arch: self.binary.image(arch) for arch in archs or (self.arch,)}
        return DeviceLibrary(self._host.program, self._host.launches, images, {"cu": self.kernel_source.text})

    def save(self, file_name: str, fmt: str = "") -> None:
        """Write a source to a file, by its suffix; the CUDA text has all that it includes. Raises `NoSource`."""
        path = Path(file_name)
        kind = fmt or path.suffix.lstrip(".")
        if kind == "cubin":
            path.write_bytes(self.binary.cubin(self.arch))
            return
        text = self.get_source(kind)
        path.write_text(self_contained(text) if kind == "cu" else text)


def build(mod: IRModule, *, arch: str, is_fixed: bool = True, has_lines: bool = False) -> CudaModule:
    """Write the kernels of a lowered module as CUDA, and compile its host functions. Raises `NotSupportedByCuda`.

    Machine code is made for `arch`, or, unless `is_fixed`, for the device that the first launch finds. With `has_lines`
    the text has lines of the script, and a launch waits for its kernel, to say which one fails.
    """
    source = write_source(mod, has_lines=has_lines)
    binary = Binary(source.text, list(source.kernels), find_line=partial(_find_refused_line, mod))
    host = HostCode(mod, launches_of(source, waits=has_lines), binary.cubin, arch if is_fixed else None)
    return CudaModule(mod, host, source, binary, arch)


def _find_refused_line(mod: IRModule, arch: str) -> Span | None:
    """Return the line of the script at which NVRTC refuses a program, None where it says none."""
    try:
        nvrtc.compile_text(write_source(mod, has_lines=True).text, arch)
    except RefusedByNvrtc as error:
        place = error.facts.get("script")
        spans = [node.span for node in nodes(mod) if isinstance(node, (Stmt, Expr)) and node.span is not None]
        return next((span for span in spans if f"{span.source.name}:{span.line}" == place), None)
    return None
