"""The machine that LLVM writes PTX for, and NVIDIA's assembler, which says what kernels need."""

from __future__ import annotations

import subprocess
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from tvmscript.backends.cuda.binary import find_tool
from tvmscript.backends.cuda.resources import KernelReport, read_log
from tvmscript.backends.llvm.target import Target as LLVMTarget
from tvmscript.backends.nvptx.errors import NoAssembler
from tvmscript.ir.core.targets.target import InvalidTarget, Target

_TRIPLE: Final = "nvptx64-nvidia-cuda"
#: the architecture of texts and reports where the target names none; the driver compiles PTX for later ones
_DEFAULT: Final = "sm_80"


@dataclass(frozen=True)
class Machine:
    """An architecture of NVIDIA's GPUs."""

    arch: str = _DEFAULT
    #: whether the target names it; otherwise PTX is for the device that is there
    is_fixed: bool = False

    @staticmethod
    def parse(text: str) -> Machine:
        """Return the machine of a target string such as `nvptx -mcpu=sm_90a`. Raises `InvalidTarget`."""
        arch = Target.make(text).options.get("mcpu")
        if arch is None:
            return Machine()
        name = str(arch)
        if not name.startswith("sm_") or not name[3:5].isdigit():
            raise InvalidTarget(text=repr(text), reason=f"{name} is no architecture", hint="use -mcpu=sm_80")
        return Machine(name, is_fixed=True)

    @property
    def target(self) -> LLVMTarget:
        """The machine as LLVM's target."""
        return target_of(self.arch)


def target_of(arch: str) -> LLVMTarget:
    """Return LLVM's target of an architecture."""
    return LLVMTarget(_TRIPLE, arch, "", 3, "", is_host=False)


def assemble(ptx: str, arch: str) -> list[KernelReport]:
    """Return what NVIDIA's assembler says of each kernel. Raises `NoAssembler`."""
    tool = find_tool("ptxas")
    if tool is None:
        raise NoAssembler(arch=arch, reason="ptxas is not on the search path, nor in NVIDIA's packages")
    with tempfile.TemporaryDirectory(prefix="tvmscript-ptx-") as folder:
        path = Path(folder, "kernels.ptx")
        path.write_text(ptx)
        command = [tool, "-v", f"-arch={arch}", str(path), "-o", str(Path(folder, "kernels.cubin"))]
        finished = subprocess.run(command, capture_output=True, text=True, check=False)
    if finished.returncode != 0:
        raise NoAssembler(arch=arch, reason=f"ptxas refuses the code: {(finished.stderr.splitlines() or ['?'])[0]}")
    return read_log(finished.stderr + finished.stdout)
