"""Devices."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

#: Names of DLPack's device types.
DEVICE_TYPES: Final[dict[int, str]] = {
    1: "cpu",
    2: "cuda",
    3: "cuda_host",
    4: "opencl",
    7: "vulkan",
    8: "metal",
    10: "rocm",
}


@dataclass(frozen=True)
class Device:
    """The device numbered `index` of a DLPack device type."""

    device_type: int
    index: int = 0

    @property
    def type(self) -> str:
        """The name of the device type, such as cpu."""
        return DEVICE_TYPES.get(self.device_type, f"device type {self.device_type}")

    def __str__(self) -> str:
        return f"{self.type}({self.index})"


def cpu(index: int = 0) -> Device:
    """Return a CPU device."""
    return Device(1, index)
