"""Drivers without a device, whose machine code are libraries for the CPU."""

from __future__ import annotations

import ctypes
import itertools
from pathlib import Path

import pytest

from tvmscript.backends.cuda.binary import Binary
from tvmscript.backends.runtime import cuda_driver
from tvmscript.fuzz.cuda import on_cpu
from tvmscript.fuzz.cuda.fake_driver import FakeDriver

#: numbers of libraries: the loader knows those that it has by their names
_libraries = itertools.count()


def install(monkeypatch: pytest.MonkeyPatch, folder: Path, *drivers: FakeDriver) -> FakeDriver:
    """Install drivers whose machine code are libraries for the CPU in a folder; return the first one."""

    def compile_for(binary: Binary, arch: str) -> bytes:
        sizes = {name: params.count(",") + 1 for name, params in on_cpu.KERNEL.findall(binary.text)}
        for driver in installed:
            driver.num_parameters |= sizes
        return str(on_cpu.compile_texts([binary.text], folder / f"kernels-{next(_libraries)}.so")).encode()

    installed = drivers or (FakeDriver(),)
    for driver in installed:
        driver.run = lambda launched: on_cpu.runner(ctypes.CDLL(launched.image.decode()))(launched)
    monkeypatch.setattr(Binary, "cubin", compile_for)
    monkeypatch.setattr(cuda_driver, "find_driver", lambda function, index=0: installed[index])
    return installed[0]
