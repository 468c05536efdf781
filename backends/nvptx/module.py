"""Build a lowered module for LLVM's NVPTX: its kernels as PTX, and the functions that launch them."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import partial
from typing import Final

from tvmscript.backends.cuda.device_library import DeviceLibrary, KernelModule
from tvmscript.backends.cuda.host_code import HostCode, launches_of
from tvmscript.backends.cuda.kernel import constant_extents
from tvmscript.backends.cuda.resources import KernelReport
from tvmscript.backends.cuda.source import Source
from tvmscript.backends.cuda.work import add_launch
from tvmscript.backends.llvm import entry
from tvmscript.backends.llvm.context import Program
from tvmscript.backends.llvm.errors import NotSupportedByLLVM
from tvmscript.backends.llvm.optimized_module import OptimizedModule
from tvmscript.backends.nvptx import calls, instructions, statements, threads, warp_groups
from tvmscript.backends.nvptx.codegen import KernelCode
from tvmscript.backends.nvptx.errors import NotSupportedByNvptx
from tvmscript.backends.nvptx.machine import Machine, assemble, target_of
from tvmscript.ir.core import IRModule
from tvmscript.ir.core.python_settings import deep_recursion
from tvmscript.ir.tir import PrimFunc, Var
from tvmscript.ir.transform.pipeline import is_kernel

#: Importing these modules registers their rules.
RULE_MODULES: Final = (*entry.RULE_MODULES, calls, instructions, statements, threads, warp_groups)
#: passes that kernels do not need: LLVM's rules have all operators
LEFT_OUT: Final = frozenset({"tir.LowerIntrin"})
_NO_WORD: Final = re.compile(r"\W")


class NvptxModule(KernelModule):
    """Functions that launch kernels. `get_source` knows ptx, ll, input and host."""

    def __init__(self, mod: IRModule, source: Source, machine: Machine) -> None:
        self._mod, self._source, self.arch = mod, source, machine.arch
        self._texts: dict[str, str] = {}
        self._host = HostCode(mod, launches_of(source), self._image, machine.arch if machine.is_fixed else None)
        texts: dict[str, str | Callable[[], str]] = {
            "ptx": partial(self.ptx, machine.arch),
            "ll": lambda: OptimizedModule(source.text, machine.target, has_vector_loops_only=True).assembly(),
            "input": source.text,
            "host": partial(self._host.source, "ll"),
        }
        super().__init__(self._host.functions, texts, target=f"nvptx -mcpu={machine.arch}")

    def ptx(self, arch: str) -> str:
        """Return the PTX of the kernels for an architecture."""
        text = self._texts.get(arch)
        if text is None:
            compiled = OptimizedModule(self._source.text, target_of(arch), has_vector_loops_only=True)
            text = self._texts[arch] = compiled.native()
        return text

    def _image(self, arch: str) -> bytes:
        """Return the PTX as the driver takes it."""
        return self.ptx(arch).encode() + b"\0"

    def device_library(self, archs: Sequence[str] = ()) -> DeviceLibrary:
        """Return the kernels as PTX for architectures, that of the module unless others are given."""
        chosen = [arch.replace("compute_", "sm_") for arch in archs or (self.arch,)]
        images = {arch.replace("sm_", "compute_"): self._image(arch) for arch in chosen}
        return DeviceLibrary(self._host.program, self._host.launches, images, {"ptx": self.ptx(chosen[0])})

    def report(self, arch: str | None = None) -> list[KernelReport]:
        """Return registers, spills, shared memory, occupancy and work of each kernel. Raises `NoAssembler`."""
        chosen = arch or self.arch
        reports = {report.name: report for report in assemble(self.ptx(chosen), chosen)}
        return [add_launch(reports[name], self._mod, kernel) for name, kernel in self._source.kernels.items()]


def build(mod: IRModule, machine: Machine) -> NvptxModule:
    """Write the kernels of a lowered module as LLVM code, and compile its host functions.

    Raises `NotSupportedByNvptx`.
    """
    return NvptxModule(mod, write_kernels(mod, machine), machine)


@deep_recursion
def write_kernels(mod: IRModule, machine: Machine) -> Source:
    """Write the kernels of a module as LLVM assembly. Raises `NotSupportedByNvptx`."""
    program = Program(machine.target)
    kernels: dict[str, PrimFunc] = {}
    symbols: dict[str, str] = {}
    aligned: dict[str, frozenset[Var]] = {}
    for var, func in mod.items():
        if not isinstance(func, PrimFunc) or not is_kernel(func):
            continue
        name = str(func.attrs.get("global_symbol") or var.name_hint)
        symbol = symbols[name] = _NO_WORD.sub("_", name)
        code = KernelCode(program, symbol, func)
        aligned[symbol] = frozenset(code.aligned & set(func.params))
        try:
            code.compile(constant_extents(func)[0])
        except NotSupportedByLLVM as error:
            raise NotSupportedByNvptx(what=error.facts["what"], span=error.span) from None
        kernels[symbol] = func
    return Source(str(program.text), kernels, symbols, aligned)
