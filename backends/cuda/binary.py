"""Machine code of kernels by architecture, through the cache on disk."""

from __future__ import annotations

import shutil
import subprocess
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from tvmscript.backends.cuda import nvrtc
from tvmscript.backends.cuda.errors import CannotDisassemble, RefusedByNvrtc
from tvmscript.backends.cuda.program import headers
from tvmscript.backends.cuda.resources import KernelReport, read_log
from tvmscript.backends.llvm import object_cache
from tvmscript.backends.llvm.object_cache import Key, Library
from tvmscript.ir.core import Span
from tvmscript.ir.core.equality.hashing import digest_of


class Binary:
    """The kernels of a text, which are compiled when machine code is asked for."""

    def __init__(
        self,
        text: str,
        kernels: Sequence[str],
        options: Sequence[str] = (),
        find_line: Callable[[str], Span | None] | None = None,
    ) -> None:
        """Take a text; `find_line` returns the line of the script that is refused for an architecture."""
        self.text = text
        self.kernels = tuple(kernels)
        self.options = tuple(options)
        self._find_line = find_line
        self._cubins: dict[str, bytes] = {}

    def key(self, arch: str) -> Key:
        """Return what the machine code for an architecture is made from."""
        included = "".join(headers().values())
        parts = {
            "program": digest_of(self.text.encode("utf-8", "surrogatepass")),
            "target": f"cuda {arch}",
            "options": " ".join(self.options),
            "versions": f"nvrtc {nvrtc.version()}, headers {digest_of(included.encode())}",
        }
        return Key(tuple(sorted(parts.items())))

    def cubin(self, arch: str) -> bytes:
        """Return the machine code for an architecture. Raises `NoNvrtc`, `RefusedByNvrtc`."""
        code = self._cubins.get(arch)
        if code is None:
            key = self.key(arch)
            library = object_cache.find(key)
            if library is None:
                start = time.perf_counter()
                library = Library(self._compile(arch).cubin, self._symbols(), ())
                object_cache.store(key, library, time.perf_counter() - start)
            code = self._cubins[arch] = library.code
        return code

    def _compile(self, arch: str, *options: str) -> nvrtc.Compiled:
        try:
            return nvrtc.compile_text(self.text, arch, *self.options, *options)
        except RefusedByNvrtc as error:
            error.span = None if self._find_line is None else self._find_line(arch)
            raise

    def image(self, arch: str) -> bytes:
        """Return machine code (sm_90a) or PTX (compute_80) as the driver loads it.

        Raises `NoNvrtc`, `RefusedByNvrtc`.
        """
        if arch.startswith("compute_"):
            return self.ptx(arch.replace("compute_", "sm_")).encode() + b"\0"
        return self.cubin(arch)

    def _symbols(self) -> dict[str, str]:
        return {name: name for name in self.kernels}

    def ptx(self, arch: str) -> str:
        """Return the assembly of the virtual machine. Raises `NoNvrtc`, `RefusedByNvrtc`."""
        return self._compile(arch).ptx

    def reports(self, arch: str) -> list[KernelReport]:
        """Return what each kernel needs, in their order. Raises `NoNvrtc`, `RefusedByNvrtc`."""
        log = self._compile(arch, "--ptxas-options=-v").log
        reports = {report.name: report for report in read_log(log)}
        return [reports[name] for name in self.kernels if name in reports]

    def sass(self, arch: str) -> str:
        """Return the machine's assembly. Raises `CannotDisassemble`, `NoNvrtc`, `RefusedByNvrtc`."""
        tool = find_tool("nvdisasm")
        if tool is None:
            raise CannotDisassemble(reason="nvdisasm is not on the search path, nor in NVIDIA's packages")
        with tempfile.TemporaryDirectory(prefix="tvmscript-cuda-") as folder:
            path = Path(folder, "kernels.cubin")
            path.write_bytes(self.cubin(arch))
            ran = subprocess.run([tool, "-c", str(path)], capture_output=True, text=True, check=False)
        if ran.returncode != 0:
            raise CannotDisassemble(reason=ran.stderr.strip().splitlines()[0] if ran.stderr else "it failed")
        return ran.stdout


def find_tool(name: str) -> str | None:
    """Return the path of a program of CUDA's toolkit: on the search path, or of NVIDIA's packages."""
    path = shutil.which(name)
    if path is None:
        import importlib.util  # nothing else needs it

        spec = importlib.util.find_spec("nvidia")
        roots = list(spec.submodule_search_locations or ()) if spec is not None else []
        path = next((str(tool) for root in roots for tool in Path(root).rglob(name)), None)
    return path
