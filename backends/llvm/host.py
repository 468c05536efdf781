"""LLVM's words for the processor of this machine."""

from __future__ import annotations

import os
import platform
import sys
import time
from functools import cache
from typing import Final

from tvmscript.backends.llvm import object_cache

#: the beginning of what Linux tells of the processors: the first of them
_FACTS, _FACTS_BYTES = "/proc/cpuinfo", 8192
#: arch_prctl(ARCH_REQ_XCOMP_PERM, XFEATURE_XTILEDATA)
_ASK_FOR_TILES: Final = 158, 0x1023, 18
#: facts that differ from time to time, or from one processor of a machine to the next
_CHANGING: Final = ("cpu MHz", "processor", "bogomips", "apicid", "initial apicid", "core id", "physical id")


@cache
def host() -> tuple[str, str, str]:
    """Return the triple, the name and the features of the processor, cached: asking LLVM means starting it."""
    key = object_cache.Key((("processor", _processor()), ("versions", object_cache.llvm_version())))
    cached = object_cache.find(key)
    if cached is not None:
        triple, name, features = cached.code.decode().split("\n")
        return triple, name, features
    start = time.perf_counter()
    words = _ask_llvm()
    object_cache.store(key, object_cache.Library("\n".join(words).encode(), {}, ()), time.perf_counter() - start)
    return words


def _processor() -> str:
    """Return what the system says of the processor."""
    try:
        with open(_FACTS, "rb") as file:
            first = file.read(_FACTS_BYTES).decode(errors="replace").partition("\n\n")[0]
    except OSError:
        return f"{platform.platform()} {platform.processor()} {os.cpu_count()}"
    return "\n".join(line for line in first.splitlines() if line.partition(":")[0].strip() not in _CHANGING)


def _ask_llvm() -> tuple[str, str, str]:
    import llvmlite.binding as llvm

    from tvmscript.backends.llvm.target_machine import initialize

    initialize()
    features = llvm.get_host_cpu_features()
    if features.get("amx-tile"):
        features["amx-tile"] = _has_tiles()
    return llvm.get_process_triple(), llvm.get_host_cpu_name(), features.flatten()


def _has_tiles() -> bool:
    """Return whether Linux lets this process use the tile registers of AMX; some sandboxes do not."""
    import ctypes

    return sys.platform == "linux" and not ctypes.CDLL(None).syscall(*_ASK_FOR_TILES)
