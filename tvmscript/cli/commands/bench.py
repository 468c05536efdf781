"""Time the kernels of a file, or a model, beside other libraries, and beside what the machine can do."""

from __future__ import annotations

import argparse
import json
import os
import random
import subprocess
import sys
import tempfile
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Final

from rich import box
from rich.console import Console
from rich.table import Table

from tvmscript.cli.errors import FileFailed, InvalidOption
from tvmscript.cli.kernel_runs import WrongAnswer, check_sizes, extents_of, in_words, sizes_of
from tvmscript.cli.load_file import Programs, load
from tvmscript.cli.report import Report
from tvmscript.driver import UnknownTarget
from tvmscript.ir.analysis.cost.op_count import Work, work_of
from tvmscript.ir.core import IRModule
from tvmscript.ir.core.targets.target import InvalidTarget
from tvmscript.ir.tir import PrimFunc, Var

if TYPE_CHECKING:  # they load NumPy, which takes the number of its threads from the environment
    from tvmscript.benchmark.limits import Limits
    from tvmscript.benchmark.measure import Measured

#: what libraries read the number of their threads from
_THREAD_VARIABLES: Final = (
    "OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NUMBA_NUM_THREADS", "TVM_NUM_THREADS",
)  # fmt: skip
_LIBRARIES: Final = ("numpy", "torch", "numba", "tvm")
#: what runs models, as `benchmark.model_peers` does
MODEL_LIBRARIES: Final = ("onnxruntime", "torch", "torch.compile")
#: symbolic sizes that are not given are drawn from this range, evenly by their logarithm
_SMALLEST, _LARGEST = 64, 1024


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of `tvmscript bench`."""
    parser.add_argument("file", type=Path)
    parser.add_argument("--vs", metavar="LIBRARIES", help="such as numpy,tvm (default: what the file has kernels of)")
    parser.add_argument("--threads", default="1", metavar="N", help="threads, or several numbers: 1,2 (default 1)")
    parser.add_argument("--size", action="append", default=[], metavar="NAME=N", help="a symbolic size (else drawn)")
    parser.add_argument("--input", action="append", default=[], metavar="NAME=FILE", help="an input of a model, .npy")
    parser.add_argument("--seed", type=int, default=0, help="seed of inputs and of drawn sizes")
    parser.add_argument(
        "--seconds", type=float, default=0.5, metavar="S", help="measuring of each candidate (default 0.5)"
    )
    parser.add_argument("--target", default="llvm", help='such as "llvm -mcpu=skylake-avx512" (default llvm)')
    parser.add_argument("--json", dest="json_file", metavar="FILE", help="write the figures to a file, - is the output")
    parser.add_argument("--roofline", type=Path, metavar="SVG", help="write a picture of rates and limits")


def main(options: argparse.Namespace) -> int:
    """Measure the kernels of the file; return 1 where a library computes something else or does not run the model."""
    counts = _thread_counts(options.threads)
    libraries = _libraries(options.vs)
    if options.seconds <= 0:
        raise InvalidOption(option="--seconds", reason=f"{options.seconds} is not positive")
    if options.roofline is not None and options.roofline.suffix != ".svg":
        raise InvalidOption(option="--roofline", reason=f"{options.roofline} does not end in .svg")
    if len(counts) > 1:
        return _compare_threads(options, counts)
    report = Report(options)
    console = Console(quiet=options.json_file == "-", width=None if sys.stdout.isatty() else 118)
    with _pinned(counts[0]):
        facts = _measure(options, counts[0], libraries, report, console)
    if options.json_file is not None:
        _write(options.json_file, json.dumps(facts, indent=1) + "\n")
    return report.finish()


def _thread_counts(text: str) -> list[int]:
    words = text.split(",")
    if not all(word.isdecimal() and int(word) > 0 for word in words):
        raise InvalidOption(option="--threads", reason=f"{text!r} is no list of numbers of threads")
    available = len(_processors())
    counts = [int(word) for word in words]
    if max(counts) > available:
        raise InvalidOption(option="--threads", reason=f"{max(counts)} threads on {available} processors")
    return counts


def _libraries(text: str | None) -> list[str] | None:
    if text is None:
        return None
    names = [word for word in text.split(",") if word]
    for name in names:
        if name not in (*_LIBRARIES, *MODEL_LIBRARIES):
            hint = f"the libraries are {', '.join(_LIBRARIES)}; for models {', '.join(MODEL_LIBRARIES)}"
            raise InvalidOption(option="--vs", reason=f"{name!r} is no library to compare with", hint=hint)
    return names


def _processors() -> list[int]:
    """Return the processors that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return sorted(os.sched_getaffinity(0))
    return list(range(os.cpu_count() or 1))


@contextmanager
def _pinned(threads: int) -> Generator[None, None, None]:
    """Keep the process on as many processors as there are threads, the last ones, and libraries at that number."""
    before = _processors()
    variables = {name: os.environ.get(name) for name in _THREAD_VARIABLES}
    os.environ.update(dict.fromkeys(_THREAD_VARIABLES, str(threads)))
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, before[-threads:])
    from tvmscript.backends.llvm import linked_code

    own_threads = linked_code.threads(threads)
    try:
        yield
    finally:
        linked_code.threads(own_threads)
        if hasattr(os, "sched_setaffinity"):
            os.sched_setaffinity(0, before)
        for name, value in variables.items():
            if value is None:
                os.environ.pop(name, None)
            else:
                os.environ[name] = value


def _measure(
    options: argparse.Namespace, threads: int, libraries: list[str] | None, report: Report, console: Console
) -> dict[str, object]:
    """Measure the kernels of the file one by one; print the table and write the picture."""
    from tvmscript.backends.runtime.random_inputs import random_inputs
    from tvmscript.benchmark import peers
    from tvmscript.benchmark.limits import measure_limits
    from tvmscript.benchmark.measure import Settings, measure
    from tvmscript.benchmark.model_peers import check_runs, libraries_of, measure_model
    from tvmscript.benchmark.timing import Race
    from tvmscript.cli.graph_runs import arguments_of, files_of, main_of
    from tvmscript.cli.model_files import read_module
    from tvmscript.ir.core.targets.machine_model import machine_model

    module = read_module(options.file)
    loaded = load(options.file) if module is None else Programs({"main": module})
    models = [(each, main_of(each)) for each in loaded.programs.values() if isinstance(each, IRModule)]
    own = libraries_of(options.file) if any(main for _, main in models) else _own_libraries(loaded)
    chosen = own if libraries is None else libraries
    for library in chosen if libraries is not None else ():
        peers.require(library)
    settings = Settings(options.target, threads, options.seconds, [each for each in chosen if peers.is_installed(each)])
    race = Race(threads, min(machine_model("llvm").l3_bytes, 1 << 27))
    sizes, files = sizes_of(options.size, "--size"), files_of(options.input)
    check_sizes(sizes, loaded.programs.values(), "--size")
    if files and not any(main for _, main in models):
        raise InvalidOption(option="--input", reason=f"{options.file} has no model")
    kernels = list(_kernels(loaded))
    dtypes = {_dtype_of(func) for _, func, _ in kernels} | (
        {"float32"} if any(main for _, main in models) else set[str]()
    )
    try:
        limits = measure_limits(race, threads, dtypes, options.target, options.seconds)
        rows: list[tuple[Measured, Work, str]] = []
        for model, graph in models:
            if graph is not None:
                arguments = arguments_of(graph, files, dict(sizes), options.seed)
                able = [each for each in settings.libraries if _runs(each, check_runs, options.file, report)]
                model_settings = replace(settings, libraries=able)
                measured, work = measure_model(options.file, model, graph, arguments, model_settings, race)
                _check_results(measured, report, str(options.file))
                rows.append((measured, work, "float32"))
                console.print(options.file.name, style="bold", highlight=False)
                console.print(_table(*rows[-1], limits))
        for name, func, module in kernels:
            own_sizes = {key: sizes.get(key, size) for key, size in _drawn_sizes(func, options.seed).items()}
            arguments = [argument.value for argument in random_inputs(func, options.seed, sizes | own_sizes)]
            measured = measure(name, module, arguments, loaded.references, settings, race)
            _check(measured, func, report, str(options.file))
            rows.append((measured, work_of(func, extents_of(func, arguments)), _dtype_of(func)))
            title = ", ".join([name, *(f"{key} = {size}" for key, size in own_sizes.items())])
            console.print(title, style="bold", highlight=False)
            console.print(_table(*rows[-1], limits))
    except (UnknownTarget, InvalidTarget) as error:
        raise InvalidOption(option="--target", reason=error.text, hint=error.hint) from error
    peaks = [f"{peak / 1e9:.1f} GFLOP/s of {dtype}" for dtype, peak in limits.operations.items()]
    text = ", ".join([*peaks, f"{limits.bytes / 1e9:.1f} GB/s of copying"])
    console.print(f"Limits with {_threads_in_words(threads)}: {text}", highlight=False)
    if options.roofline is not None:
        _write(str(options.roofline), _picture(rows, limits, options.file.name))
    return _facts(rows, limits, threads, options.seed)


def _runs(library: str, check_runs: Callable[[str, Path], None], file: Path, report: Report) -> bool:
    """Whether a library runs models of the kind of a file; report where it does not."""
    from tvmscript.benchmark.peers import PeerFailed

    try:
        check_runs(library, file)
    except PeerFailed as error:
        report.error(error, str(file))
        return False
    return True


def _own_libraries(loaded: Programs) -> list[str]:
    """Return the libraries that a file has kernels of."""
    return [library for library in _LIBRARIES if _has_kernels(loaded, library)]


def _has_kernels(loaded: Programs, library: str) -> bool:
    beginnings = (f"{library}_", "reference") if library == "numpy" else (f"{library}_",)
    return any(name.startswith(beginnings) for name in loaded.references)


def _kernels(loaded: Programs) -> Iterator[tuple[str, PrimFunc, IRModule]]:
    """Yield the public functions of a file with their modules."""
    for program in loaded.programs.values():
        module = program if isinstance(program, IRModule) else IRModule.from_expr(program)
        for var, func in module.functions_items():
            name = getattr(func, "attrs", {}).get("global_symbol", None if program is module else var.name_hint)
            if isinstance(func, PrimFunc) and name is not None:
                yield name, func, module


def _dtype_of(func: PrimFunc) -> str:
    """Return the dtype whose arithmetic limits a kernel."""
    return "float64" if any(str(buffer.dtype) == "float64" for buffer in func.buffer_map.values()) else "float32"


def _drawn_sizes(func: PrimFunc, seed: int) -> dict[str, int]:
    """Draw a number for each symbolic extent by its name."""
    names = {extent.name for buffer in func.buffer_map.values() for extent in buffer.shape if isinstance(extent, Var)}
    return {
        name: round(_SMALLEST * (_LARGEST / _SMALLEST) ** random.Random(f"{seed} {name}").random())
        for name in sorted(names)
    }


def _check(measured: Measured, func: PrimFunc, report: Report, file: str) -> None:
    """Report libraries whose results differ by more than rounding."""
    from tvmscript.benchmark.measure import OURS
    from tvmscript.cli.tolerance import largest_error, tolerance_of

    for library, result in measured.results.items():
        if largest_error(func, measured.results[OURS], result) > tolerance_of(func):
            report.error(WrongAnswer(name=measured.name, checked_by=f"kernel of {library}"), file)


def _check_results(measured: Measured, report: Report, file: str) -> None:
    """Report libraries in which a model has other results, beyond rounding."""
    import numpy as np

    from tvmscript.benchmark.measure import OURS

    for library, results in measured.results.items():
        for own, other in zip(measured.results[OURS], results, strict=True):
            largest = float(np.abs(own).max(initial=0)) if own.shape == other.shape else 0.0
            if own.shape != other.shape or not np.allclose(own, other, rtol=1e-3, atol=1e-3 * largest):
                report.error(WrongAnswer(name=measured.name, checked_by=f"model in {library}"), file)
                break


def _table(measured: Measured, work: Work, dtype: str, limits: Limits) -> Table:
    table = Table(box=box.SIMPLE_HEAD, padding=(0, 1, 0, 0))
    for title in ("", "time", "spread", "wall", "cold", "GFLOP/s", "of peak", "GB/s", "of copy", "speedup"):
        table.add_column(title, justify="left" if not title else "right", no_wrap=True)
    own = measured.own.best
    for library, timing in measured.timings.items():
        operations, moved = work.operations / timing.best, work.bytes / timing.best
        table.add_row(
            library,
            in_words(timing.best),
            f"{timing.spread:.0%}",
            in_words(timing.wall),
            in_words(timing.cold),
            f"{operations / 1e9:.2f}",
            f"{operations / limits.operations[dtype]:.2f}",
            f"{moved / 1e9:.2f}",
            f"{moved / limits.bytes:.2f}",
            "" if timing.best == own else f"{timing.best / own:.2f}",
        )
    return table


def _facts(rows: Sequence[tuple[Measured, Work, str]], limits: Limits, threads: int, seed: int) -> dict[str, object]:
    """Return the figures as JSON has them; times in seconds."""
    return {
        "threads": threads,
        "seed": seed,
        "limits": {"operations_per_second": dict(limits.operations), "bytes_per_second": limits.bytes},
        "kernels": [
            {
                "name": measured.name,
                "operations": work.operations,
                "bytes": work.bytes,
                "dtype": dtype,
                "ratio": measured.ratio,
                "of_limit": limits.seconds(dtype, work.operations, work.bytes)
                / next(iter(measured.timings.values())).best,
                "times": {library: vars(timing) for library, timing in measured.timings.items()},
            }
            for measured, work, dtype in rows
        ],
    }


def _picture(rows: Sequence[tuple[Measured, Work, str]], limits: Limits, title: str) -> str:
    from tvmscript.benchmark.roofline import Point, roofline

    points = [
        Point(measured.name, library, work.operations / work.bytes, work.operations / timing.best)
        for measured, work, _ in rows
        if work.operations and work.bytes
        for library, timing in measured.timings.items()
    ]
    return roofline(points, limits, title)


def _compare_threads(options: argparse.Namespace, counts: Sequence[int]) -> int:
    """Measure with each number of threads in a process of its own, and print how the kernels scale."""
    if options.json_file is not None or options.roofline is not None:
        raise InvalidOption(option="--threads", reason="--json and --roofline are of one number of threads")
    times: list[Mapping[str, float]] = []
    for count in counts:
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / "figures.json"
            words = ["bench", str(options.file), "--threads", str(count), "--seed", str(options.seed)]
            words += ["--target", options.target, "--seconds", str(options.seconds), "--json", str(file)]
            words += [word for size in options.size for word in ("--size", size)]
            words += [] if options.vs is None else ["--vs", options.vs]
            sys.stdout.flush()
            done = subprocess.run([sys.executable, "-m", "tvmscript", *words], check=False)
            if done.returncode > 1:
                return done.returncode
            figures = json.loads(file.read_text())
        times.append({kernel["name"]: kernel["times"]["tvmscript"]["best"] for kernel in figures["kernels"]})
    table = Table(box=box.SIMPLE_HEAD, padding=(0, 1, 0, 0))
    for title in ("", *map(_threads_in_words, counts), "ratio"):
        table.add_column(title, justify="left" if not title else "right")
    for name in times[0]:
        seconds = [each[name] for each in times]
        table.add_row(name, *map(in_words, seconds), f"{seconds[0] / seconds[-1]:.2f}")
    Console(width=None if sys.stdout.isatty() else 118).print(table)
    return 0


def _threads_in_words(count: int) -> str:
    return "1 thread" if count == 1 else f"{count} threads"


def _write(file: str, text: str) -> None:
    if file == "-":
        sys.stdout.write(text)
        return
    try:
        Path(file).write_text(text)
    except OSError as error:
        raise FileFailed(file=file, reason=error.strerror or str(error)) from error
