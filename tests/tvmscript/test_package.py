"""Packages: what `export_library` writes, `load_module` reads."""

from __future__ import annotations

import json
import runpy
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tvmscript as tvm
from tvmscript import relax
from tvmscript.backends.runtime.errors import NoLibrary, WrongArrayShape
from tvmscript.package import WrongPackage

_KERNEL = """
@T.prim_func
def increment(A: T.Buffer((4,), "float32")):
    for i in range(4):
        A[i] = A[i] + T.float32(1)
"""
_GRAPH = """
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n", 4), "float32"), w: R.Tensor((4, 8), "float32")):
        with R.dataflow():
            y = R.nn.relu(R.matmul(x, w))
            z = R.add(y, y)
            R.output(z)
        return z
"""


def _run(executable: Any) -> Any:
    x, w = np.arange(-6, 6, dtype="float32").reshape(3, 4), np.ones((4, 8), "float32")
    return relax.VirtualMachine(executable, tvm.cpu())["main"](x, w).numpy()


def test_kernels(tmp_path: Path) -> None:
    path = tmp_path / "kernel.so"
    tvm.build(tvm.from_source(_KERNEL)).export_library(str(path))
    module: Any = tvm.runtime.load_module(str(path))
    a = np.zeros(4, "float32")
    module["increment"](a)
    module["increment"](A=a)
    np.testing.assert_array_equal(a, 2)
    with pytest.raises(WrongArrayShape, match="increment: the array A"):
        module["increment"](np.zeros(5, "float32"))


@pytest.mark.parametrize("options", [{}, {"relax_pipeline": "default_build"}, {"exec_mode": "bytecode"}], ids=str)
def test_graphs(options: Any, tmp_path: Path) -> None:
    path = tmp_path / "graph.so"
    executable: Any = tvm.compile(tvm.from_source(_GRAPH), "llvm", **options)
    executable.export_library(str(path))
    loaded: Any = tvm.runtime.load_module(path)
    expected = _run(executable)
    np.testing.assert_array_equal(_run(loaded), expected)
    assert loaded.stats() == executable.stats()
    assert loaded.as_text() == executable.as_text()
    script = tmp_path / "graph.py"
    script.write_text(executable.as_python())
    np.testing.assert_array_equal(_run(runpy.run_path(str(script))["executable"]), expected)


def test_weights(tmp_path: Path) -> None:
    path = tmp_path / "graph.so"
    w = np.full((4, 8), 2.0, "float32")
    relax.build(tvm.from_source(_GRAPH), params={"w": w}).export_library(str(path))
    loaded: Any = tvm.runtime.load_module(path)
    vm = relax.VirtualMachine(loaded, tvm.cpu())
    np.testing.assert_array_equal(vm["main"](np.ones((1, 4), "float32")).numpy(), np.full((1, 8), 16.0))


def test_what_cannot_be_loaded(tmp_path: Path) -> None:
    path = tmp_path / "kernel.so"
    path.write_bytes(b"\x7fELF")
    with pytest.raises(WrongPackage, match="it is no whole package"):
        tvm.runtime.load_module(path)
    tvm.build(tvm.from_source(_KERNEL)).export_library(str(path))
    with zipfile.ZipFile(path) as archive:
        parts = {name: archive.read(name) for name in archive.namelist()}
    manifest = json.loads(parts["manifest.json"])
    parts["manifest.json"] = json.dumps({**manifest, "machine": "another"}).encode()
    with zipfile.ZipFile(path, "w") as archive:
        for name, data in parts.items():
            archive.writestr(name, data)
    with pytest.raises(WrongPackage, match="its machine is another"):
        tvm.runtime.load_module(path)


def test_targets_without_libraries() -> None:
    with pytest.raises(NoLibrary):
        tvm.build(tvm.from_source(_KERNEL), target="interp").export_library("kernel.so")


def test_compile() -> None:
    assert tvm.compile(tvm.from_source(_KERNEL))["increment"] is not None
    function = tvm.from_source(_GRAPH)["main"]
    executable = tvm.compile(function)
    assert isinstance(executable, relax.Executable)
    assert executable["main"].stats().startswith("main: native, 1 calls")
    with pytest.raises(tvm.TVMError, match="no pipeline of kernels named mine"):
        tvm.compile(function, tir_pipeline="mine")
