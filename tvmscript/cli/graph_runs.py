"""Run the graph function `main` of a module on arrays of files, or on random ones."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from tvmscript.backends.runtime.array import NDArray, array
from tvmscript.backends.runtime.device import cpu
from tvmscript.backends.runtime.errors import UndecidedShape
from tvmscript.backends.vm.random_inputs import random_argument
from tvmscript.backends.vm.virtual_machine import VirtualMachine
from tvmscript.cli.errors import FileFailed, InvalidOption
from tvmscript.cli.load_file import load
from tvmscript.cli.model_files import read_module
from tvmscript.cli.progress import progress
from tvmscript.graph_build import build
from tvmscript.ir.core import IRModule
from tvmscript.ir.relax.function import Function
from tvmscript.ir.relax.struct_info import TensorStructInfo
from tvmscript.ir.tir import Var


@dataclass(frozen=True)
class GraphRun:
    """The arguments and results of a graph function, and the times of compiling and running it."""

    #: the arguments by the names of the parameters
    arguments: dict[str, Any]
    results: list[NDArray]
    compile_seconds: float
    run_seconds: float


def main_of(module: IRModule) -> Function | None:
    """Return the graph function `main` of a module, None where there is none."""
    mains = [func for var, func in module.items() if var.name_hint == "main" and isinstance(func, Function)]
    return mains[0] if mains else None


def read_graph(path: Path) -> IRModule:
    """Return the module of a model or of a script. Raises `FileFailed` where it has no graph function main."""
    module = read_module(path)
    if module is not None and main_of(module) is not None:
        return module
    if module is None:
        for program in load(path).programs.values():
            if isinstance(program, IRModule) and main_of(program) is not None:
                return program
    raise FileFailed(file=path, reason="it has no graph function main")


def run_graph(
    module: IRModule, main: Function, files: Mapping[str, Path], sizes: Mapping[str, int], seed: int, target: str
) -> GraphRun:
    """Compile a module and run `main` twice, the second time measured. Raises `InvalidOption`, `FileFailed`."""
    arguments = arguments_of(main, files, dict(sizes), seed)
    with progress(2) as next_step:
        next_step("compiling")
        begin = time.perf_counter()
        executable = build(module, target, pipeline="default")
        compiled = time.perf_counter() - begin
        next_step("running")
        function = VirtualMachine(executable, cpu())["main"]
        function(*arguments)
    begin = time.perf_counter()
    result = function(*arguments)
    seconds = time.perf_counter() - begin
    names = [param.name_hint for param in main.params]
    return GraphRun(dict(zip(names, arguments, strict=True)), list(_leaves(result)), compiled, seconds)


def _leaves(result: Any) -> list[NDArray]:
    return [leaf for part in result for leaf in _leaves(part)] if isinstance(result, (list, tuple)) else [result]


def files_of(words: list[str]) -> dict[str, Path]:
    """Return the files of words such as `x=cat.npy`. Raises `InvalidOption`."""
    files: dict[str, Path] = {}
    for word in words:
        name, equals, path = word.partition("=")
        if not equals or not name:
            raise InvalidOption(option="--input", reason=f"takes NAME=FILE.npy, but got {word!r}")
        files[name] = Path(path)
    return files


def arguments_of(main: Function, files: Mapping[str, Path], sizes: dict[str, int], seed: int) -> list[Any]:
    """Return the arrays of files, and random arguments for the other parameters; `sizes` are those given by name.

    Integers are 0 and 1: tokens and kinds of segments index tables, that of a model for two segments has two rows.
    Raises `InvalidOption`, `FileFailed`.
    """
    names = [param.name_hint for param in main.params]
    for name in files:
        if name not in names:
            raise InvalidOption(
                option="--input", reason=f"main has no parameter {name}", hint=f"it has {', '.join(names)}"
            )
    rng = np.random.default_rng(seed)
    given = {name: array(_read(path)) for name, path in files.items()}
    infos = {param.name_hint: param.struct_info for param in main.params}
    for name, values in given.items():
        _bind_sizes(infos[name], values, sizes)
    try:
        return [given[name] if name in given else random_argument(name, infos[name], rng, sizes, 2) for name in names]
    except UndecidedShape as error:
        raise InvalidOption(option="--input", reason=f"{error.text}: give it a file") from error


def _read(path: Path) -> Any:
    try:
        return np.load(path, allow_pickle=False)
    except (OSError, ValueError, EOFError) as error:
        raise FileFailed(file=path, reason=error, hint="numpy.save writes such files") from error


def _bind_sizes(info: Any, values: NDArray, sizes: dict[str, int]) -> None:
    """Note the sizes of symbolic dimensions that an array has."""
    if isinstance(info, TensorStructInfo):
        for extent, size in zip(info.extents or (), values.shape, strict=False):
            if isinstance(extent, Var):
                sizes.setdefault(extent.name, size)
