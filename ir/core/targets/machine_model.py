"""Facts of processors that code generation and schedules choose by: vectors, registers, caches."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from tvmscript.ir.core.hooks import hook


@dataclass(frozen=True)
class MachineModel:
    """Facts of one core of a processor; sizes in bytes."""

    #: a vector register; 0: no vectors
    vector_bytes: int
    vector_registers: int
    #: whether loads and stores of some lanes of 32 and 64 bits are one instruction
    has_masks: bool
    #: whether aligned vectors can be stored past the caches
    has_streaming_stores: bool = False
    l1_bytes: int = 32 << 10
    l2_bytes: int = 512 << 10
    #: the last level, which cores share
    l3_bytes: int = 8 << 20
    #: features with instructions for dot products, those whose sums are rounded only where sums may be split
    dot_features: tuple[str, ...] = ()
    #: whether masks are operands of instructions: stores of some lanes take as long as others, not ten times
    has_mask_registers: bool = False
    #: whether sums of floats may be split into partial sums
    splits_reductions: bool = True
    #: whether products may be fused with the sums that they go into
    contracts: bool = True

    def lanes(self, element_bytes: int) -> int:
        """Return the elements of a vector register, 1 without vectors."""
        return max(self.vector_bytes // element_bytes, 1)


#: what a processor has by the first feature of the table that it has, for triples that begin with a word
MODELS: Final[dict[str, tuple[tuple[str, MachineModel], ...]]] = {
    "x86_64": (
        ("avx512f", MachineModel(64, 32, True, True, 32 << 10, 1 << 20, 32 << 20, has_mask_registers=True)),
        ("avx2", MachineModel(32, 16, True, True, 32 << 10, 512 << 10, 16 << 20)),
        ("avx", MachineModel(32, 16, False, True)),
        ("", MachineModel(16, 16, False, True)),
    ),
    "i": (("avx2", MachineModel(32, 8, True)), ("", MachineModel(16, 8, False))),
    "aarch64": (("", MachineModel(16, 32, False, False, 64 << 10, 1 << 20, 32 << 20)),),
    "arm64": (("", MachineModel(16, 32, False, False, 64 << 10, 4 << 20, 16 << 20)),),
    "riscv64": (("v", MachineModel(16, 32, True, has_mask_registers=True)), ("", MachineModel(0, 0, False))),
    "powerpc": (("", MachineModel(16, 32, False)),),
    "s390x": (("", MachineModel(16, 32, False)),),
    "wasm": (("simd128", MachineModel(16, 16, False)),),
}
#: of what no row is about
UNKNOWN: Final = MachineModel(0, 0, False)

_CACHES: Final = Path("/sys/devices/system/cpu/cpu0/cache")
_UNITS: Final = {"K": 1 << 10, "M": 1 << 20, "G": 1 << 30}


def with_host_caches(model: MachineModel) -> MachineModel:
    """Return the model with the sizes of this machine's data caches, those that the system tells."""
    sizes = {1: model.l1_bytes, 2: model.l2_bytes, 3: model.l3_bytes}
    for index in sorted(_CACHES.glob("index*")):
        try:
            level, kind, size = [(index / name).read_text().strip() for name in ("level", "type", "size")]
        except OSError:
            continue
        if kind != "Instruction" and level in ("1", "2", "3") and size[:-1].isdigit() and size[-1] in _UNITS:
            sizes[int(level)] = int(size[:-1]) * _UNITS[size[-1]]
    return replace(model, l1_bytes=sizes[1], l2_bytes=sizes[2], l3_bytes=sizes[3])


@hook
def machine_model(target: str) -> MachineModel:
    """Return the facts of the processor that a target of LLVM names. Raises `InvalidTarget`."""
    raise NotImplementedError
