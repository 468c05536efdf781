"""What a compiled kernel needs of a multiprocessor, as the assembler says it: registers, spills, shared memory."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

_KERNEL: Final = re.compile(r"Compiling entry function '(\w+)' for '(\w+)'")
_NUMBERS: Final = {
    "stack_bytes": r"(\d+) bytes stack frame",
    "spill_store_bytes": r"(\d+) bytes spill stores",
    "spill_load_bytes": r"(\d+) bytes spill loads",
    "registers": r"Used (\d+) registers",
    "shared_bytes": r"(\d+) bytes smem",
}
#: a multiprocessor from sm_80 on
_REGISTERS: Final = 65536
_WARPS: Final = 64
_BLOCKS: Final = 32
_WARP: Final = 32
#: kilobytes of shared memory of a multiprocessor, of which each block takes one more
_SHARED_KILOBYTES: Final = {"80": 164, "86": 100, "89": 100, "90": 228, "100": 228}


@dataclass(frozen=True)
class KernelReport:
    """What one kernel needs."""

    name: str
    arch: str
    registers: int
    stack_bytes: int
    spill_store_bytes: int
    spill_load_bytes: int
    #: shared memory of constant size; what the launch gives comes on top
    shared_bytes: int
    #: threads of a block, 0 where that is no constant
    threads: int = 0
    #: bytes of shared memory that the launch gives, 0 where that is no constant
    dynamic_shared_bytes: int = 0
    #: what a launch does, None where its size is no constant: arithmetic operations, bytes of global memory
    flops: int | None = None
    global_bytes: int | None = None

    @property
    def spills(self) -> bool:
        """Whether registers are kept in memory."""
        return self.spill_store_bytes + self.spill_load_bytes > 0

    @property
    def occupancy(self) -> float | None:
        """How many of the warps that a multiprocessor can hold do run, 0 to 1; None for blocks of unknown size."""
        if self.threads == 0:
            return None
        warps = -(-self.threads // _WARP)
        # registers are given to warps in units of 256
        by_registers = _REGISTERS // (-(-self.registers * _WARP // 256) * 256) // warps if self.registers else _BLOCKS
        shared = self.shared_bytes + self.dynamic_shared_bytes + 1024
        number = re.sub(r"\D", "", self.arch)
        by_shared = _SHARED_KILOBYTES.get(number, 100) * 1024 // shared
        return min(_WARPS // warps, _BLOCKS, by_registers, by_shared) * warps / _WARPS


def read_log(log: str) -> list[KernelReport]:
    """Return what the log of a compilation with `-v` says of each kernel."""
    pieces = _KERNEL.split(log)[1:]
    reports: list[KernelReport] = []
    for name, arch, text in zip(pieces[::3], pieces[1::3], pieces[2::3], strict=True):
        matches = {field: re.search(pattern, text) for field, pattern in _NUMBERS.items()}
        numbers = {field: int(match[1]) if match else 0 for field, match in matches.items()}
        reports.append(KernelReport(name, arch, **numbers))
    return reports
