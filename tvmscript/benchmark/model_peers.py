"""Models in the libraries that they come from: ONNX files in onnxruntime, files of torch.export in torch."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from io import BytesIO
from pathlib import Path
from typing import Final, cast

import numpy as np

from tvmscript.backends.runtime.array import NDArray, Storage
from tvmscript.backends.vm.values import Value
from tvmscript.benchmark.measure import OURS, Measured, Settings
from tvmscript.benchmark.model_profile import build_model, with_sizes_of, work_of_model
from tvmscript.benchmark.peers import PeerFailed, require
from tvmscript.benchmark.timing import Call, Race
from tvmscript.ir.analysis.cost.op_count import Work
from tvmscript.ir.core import IRModule
from tvmscript.ir.relax.function import Function

#: an argument of a call in a library: the elements of a tensor, or a value that is no tensor
Argument = Storage | Value
#: a call, and what gives its results as arrays
Prepared = tuple[Call, Callable[[], list[Storage]]]


def libraries_of(path: Path) -> tuple[str, ...]:
    """Return the libraries whose own files have the suffix of a file, and that need no compiler."""
    own = [name for name, (suffixes, _) in _PEERS.items() if suffixes[0] == path.suffix]
    return tuple(name for name in own if name != "torch.compile")


def check_runs(library: str, path: Path) -> None:
    """Raise `PeerFailed` where a library does not run files of this kind."""
    if library not in _PEERS:
        raise PeerFailed(library=library, name=path.name, reason="it runs no models")
    suffixes, _ = _PEERS[library]
    if path.suffix not in suffixes:
        raise PeerFailed(library=library, name=path.name, reason=f"it runs files {' and '.join(suffixes)}")


def prepare_model(library: str, path: Path, arguments: Sequence[Argument], threads: int) -> Prepared:
    """Return a call of the model of a file in a library. Raises `PeerMissing`, `PeerFailed`."""
    check_runs(library, path)
    _, prepare = _PEERS[library]
    require(library)
    try:
        return prepare(path, arguments, threads)
    except Exception as error:  # whatever the library raises: its errors have no common class
        raise PeerFailed(library=library, name=path.name, reason=f"{type(error).__name__}: {error}") from error


def _onnxruntime(path: Path, arguments: Sequence[Argument], threads: int) -> Prepared:
    runtime = importlib.import_module("onnxruntime")
    options = runtime.SessionOptions()
    options.intra_op_num_threads = threads
    model = str(path) if path.suffix == ".onnx" else _as_onnx(path, arguments)
    session = runtime.InferenceSession(model, options, providers=["CPUExecutionProvider"])
    feeds = dict(zip([entry.name for entry in session.get_inputs()], arguments, strict=True))
    call = partial(session.run, None, feeds)
    return call, lambda: [np.asarray(result) for result in call()]


def _as_onnx(path: Path, arguments: Sequence[Argument]) -> bytes:
    """Return a file of torch.export as one of ONNX, by the exporter that needs no other package."""
    torch = importlib.import_module("torch")

    model = torch.export.load(path).module()
    model.train = lambda mode=True: model  # the exporter sets a mode, which exported models refuse
    content = BytesIO()
    tensors = tuple(torch.from_numpy(argument) for argument in arguments)
    torch.onnx.export(model, tensors, content, dynamo=False, opset_version=17)
    return content.getvalue()


def _torch(path: Path, arguments: Sequence[Argument], threads: int, is_compiled: bool = False) -> Prepared:
    torch = importlib.import_module("torch")
    torch.set_num_threads(threads)
    model = torch.export.load(path).module()
    if is_compiled:
        model = torch.compile(model)
    tensors = [torch.from_numpy(argument) for argument in arguments]
    call = torch.inference_mode()(partial(model, *tensors))
    call()  # compiled at its first call
    return call, lambda: _arrays(call())


def _arrays(value: object) -> list[Storage]:
    """Return the elements of the tensors among nested results: of this package, or of torch."""
    if isinstance(value, (list, tuple)):
        return [array for part in cast("Sequence[object]", value) for array in _arrays(part)]
    return [cast("NDArray", value).numpy()]


#: library -> the suffixes of files that it runs, its own first, and what prepares a call
_PEERS: Final[Mapping[str, tuple[tuple[str, ...], Callable[[Path, Sequence[Argument], int], Prepared]]]] = {
    "onnxruntime": ((".onnx", ".pt2"), _onnxruntime),
    "torch": ((".pt2",), _torch),
    "torch.compile": ((".pt2",), partial(_torch, is_compiled=True)),
}


def measure_model(
    path: Path, module: IRModule, main: Function, arguments: Sequence[Value], settings: Settings, race: Race
) -> tuple[Measured, Work]:
    """Measure the graph function `main` of a module for the sizes of the arguments, and the file in other libraries.

    Raises `PeerMissing`, `PeerFailed`, and the errors of `relax.build`.
    """
    program, executable = build_model(with_sizes_of(module, main, arguments), settings.target)
    function = executable["main"]
    results = {OURS: _arrays(function(*arguments))}
    calls: dict[str, Call] = {OURS: partial(function, *arguments)}
    arrays = [argument.numpy() if isinstance(argument, NDArray) else argument for argument in arguments]
    for library in settings.libraries:
        calls[library], result = prepare_model(library, path, arrays, settings.threads)
        results[library] = result()
    return Measured(path.name, race.run(calls, settings.seconds), results), work_of_model(program)
