"""Libraries of kernels: machine code for some architectures, and what launches it, as files keep them."""

from __future__ import annotations

import re
from abc import abstractmethod
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Final, NamedTuple

from tvmscript.backends.cuda.errors import NoFittingImage
from tvmscript.backends.cuda.host_code import HostCode
from tvmscript.backends.cuda.launcher import Launch
from tvmscript.backends.runtime.module import Module
from tvmscript.ir.core import IRModule

#: names of machine code (sm_90a) and of PTX (compute_80), by the capability of devices
_ARCHITECTURE: Final = re.compile(r"(?P<kind>sm|compute)_(?P<major>\d+)(?P<minor>\d)(?P<suffix>[a-z]?)")


class DeviceLibrary(NamedTuple):
    """Kernels for some architectures, and the host functions that launch them."""

    program: IRModule
    launches: tuple[Launch, ...]
    #: architecture -> machine code, or PTX that ends with a zero
    images: Mapping[str, bytes]
    #: kind of source -> text
    sources: Mapping[str, str]


class KernelModule(Module):
    """Functions that launch kernels, as a file can keep them."""

    is_dso_exportable = True

    @abstractmethod
    def device_library(self, archs: Sequence[str] = ()) -> DeviceLibrary:
        """Return the kernels for architectures, those of the module unless others are given."""


class LoadedKernels(KernelModule):
    """Functions of a library, which launch its kernels on devices that it has an image for."""

    def __init__(self, library: DeviceLibrary, target: str) -> None:
        self._library = library
        self._host = HostCode(library.program, library.launches, partial(choose_image, library.images), None)
        super().__init__(
            self._host.functions, {**library.sources, "host": partial(self._host.source, "ll")}, target=target
        )

    def device_library(self, archs: Sequence[str] = ()) -> DeviceLibrary:
        """Return the library, with the images for some architectures. Raises `NoFittingImage`."""
        images = {arch: choose_image(self._library.images, arch) for arch in archs}
        return self._library._replace(images=images) if archs else self._library


def choose_image(images: Mapping[str, bytes], arch: str) -> bytes:
    """Return the image for a device of an architecture such as sm_90a: machine code for it or for a lower minor number,
    else the latest PTX that the driver can compile for it. Raises `NoFittingImage`.
    """
    ranks = {name: _rank(name, arch) for name in images}
    best = max(ranks, key=lambda name: ranks[name], default="")
    if not ranks.get(best):
        raise NoFittingImage(arch=arch, images=", ".join(images) or "none")
    return images[best]


def _rank(name: str, arch: str) -> tuple[int, ...]:
    """Return how well an image fits a device, the larger the better; empty where it does not run there."""
    image, device = _ARCHITECTURE.fullmatch(name), _ARCHITECTURE.fullmatch(arch)
    if image is None or device is None:
        return ()
    own, there = (int(image["major"]), int(image["minor"])), (int(device["major"]), int(device["minor"]))
    is_machine_code = image["kind"] == "sm"
    if image["suffix"]:  # instructions of one architecture alone
        fits = own == there and image["suffix"] == device["suffix"]
    else:
        fits = own <= there and (own[0] == there[0] or not is_machine_code)
    return (is_machine_code, *own, bool(image["suffix"])) if fits else ()
