"""Compile every function of a file, or a model, run it on random or given inputs, check and time it."""

from __future__ import annotations

import argparse
import copy
import itertools
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rich import box
from rich.console import Console
from rich.table import Table

from tvmscript.backends.runtime.array import NDArray
from tvmscript.backends.runtime.random_inputs import random_inputs
from tvmscript.backends.runtime.timing import measure
from tvmscript.cli.errors import InvalidOption
from tvmscript.cli.files import MODEL_SUFFIXES
from tvmscript.cli.graph_runs import files_of, main_of, run_graph
from tvmscript.cli.kernel_runs import WrongAnswer, check_sizes, extents_of, in_words, sizes_of
from tvmscript.cli.load_file import Programs, load
from tvmscript.cli.model_files import read_module
from tvmscript.cli.progress import progress
from tvmscript.cli.report import Report
from tvmscript.cli.tolerance import largest_error, tolerance_of
from tvmscript.driver import UnknownTarget, build
from tvmscript.ir.analysis.cost.op_count import Work, work_of
from tvmscript.ir.core import IRModule
from tvmscript.ir.relax.function import Function
from tvmscript.ir.tir import PrimFunc

#: Largest number of scalar operations that the interpreter checks; it does about a million a second.
_INTERPRETED_OPERATIONS = 20_000_000


@dataclass
class Outcome:
    """The result of running one function."""

    name: str
    shapes: str
    compile_seconds: float
    run_seconds: float
    work: Work
    #: largest relative difference to the expected values; None without expected values
    error: float | None
    tolerance: float
    checked_by: str

    @property
    def is_correct(self) -> bool:
        return self.error is None or self.error <= self.tolerance


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of `tvmscript run`."""
    parser.add_argument("file", type=Path, help=f"a program, or a model: {' '.join(MODEL_SUFFIXES)}")
    parser.add_argument("--target", default="llvm", help='"llvm", with options in LLVM spelling, "c" or "interp"')
    parser.add_argument("--dim", action="append", default=[], metavar="NAME=N", help="a symbolic size (default 16)")
    parser.add_argument(
        "--input", action="append", default=[], metavar="NAME=FILE", help="an input of a model: an array, .npy"
    )
    parser.add_argument("--seed", type=int, default=0, help="seed of the inputs")
    parser.add_argument("--no-script", action="store_true", help="do not print the programs of a script")
    parser.add_argument("--json", action="store_true", help="print the figures as JSON")


def main(options: argparse.Namespace) -> int:
    """Run the functions of the file; return 1 if a result is wrong."""
    report = Report(options)
    console = Console(quiet=options.json)
    sizes = sizes_of(options.dim, "--dim")
    with progress(1) as next_step:
        next_step("reading")
        module = read_module(options.file)
    loaded = load(options.file) if module is None else Programs({"Module": module})
    check_sizes(sizes, loaded.programs.values(), "--dim")
    graphs = {name: main_of(program) for name, program in loaded.programs.items() if isinstance(program, IRModule)}
    models = {name: main for name, main in graphs.items() if main is not None}
    if models:
        return _run_models(models, loaded, options, sizes, report)
    if options.input:
        raise InvalidOption(option="--input", reason="the file has no graph function main")
    outcomes: list[Outcome] = []
    for program in loaded.programs.values():
        if not (options.no_script or options.json):
            program.show()
            console.print()
        try:
            outcomes += _run_program(program, loaded, options, sizes)
        except UnknownTarget as error:
            raise InvalidOption(option="--target", reason=error.text, hint=error.hint) from error
    console.print(_table(outcomes))
    for outcome in outcomes:
        if outcome.error is None:
            console.print(f"{outcome.name}: not checked, {outcome.checked_by}")
        elif not outcome.is_correct:
            report.error(WrongAnswer(name=outcome.name, checked_by=outcome.checked_by), str(options.file))
    report.facts = {"functions": [_facts(outcome) for outcome in outcomes]}
    return report.finish()


def _run_models(
    models: Mapping[str, Function],
    loaded: Programs,
    options: argparse.Namespace,
    sizes: Mapping[str, int],
    report: Report,
) -> int:
    """Run the graph function of each module, and show its results."""
    console = Console(quiet=options.json)
    facts: list[dict[str, object]] = []
    for name, main_function in models.items():
        module = loaded.programs[name]
        assert isinstance(module, IRModule)
        if not (options.no_script or options.json) and options.file.suffix not in MODEL_SUFFIXES:
            module.show(show_meta=False)  # weights are long
        files = files_of(options.input)
        try:
            outcome = run_graph(module, main_function, files, sizes, options.seed, options.target)
        except UnknownTarget as error:
            raise InvalidOption(option="--target", reason=error.text, hint=error.hint) from error
        console.print(f"compiled in {in_words(outcome.compile_seconds)}, ran in {in_words(outcome.run_seconds)}")
        for input_name, argument in outcome.arguments.items():
            if isinstance(argument, NDArray):
                origin = files.get(input_name, "random")
                form = f"{argument.dtype} {list(argument.shape)}"
                console.print(f"input {input_name}: {form} {origin}", markup=False)
        for index, result in enumerate(outcome.results):
            console.print(f"output {index}: {result.dtype} {list(result.shape)} {_summary(result)}", markup=False)
        facts.append(
            {
                "name": name,
                "compile_seconds": outcome.compile_seconds,
                "run_seconds": outcome.run_seconds,
                "outputs": [{"dtype": str(item.dtype), "shape": list(item.shape)} for item in outcome.results],
            }
        )
    report.facts = {"models": facts}
    return report.finish()


def _summary(result: NDArray) -> str:
    """Return the first elements, and the range of all."""
    values = result.numpy().reshape(-1)
    first = ", ".join(f"{value:g}" for value in values[:4].tolist())
    dots = ", ..." if values.size > 4 else ""
    return f"[{first}{dots}] from {values.min():g} to {values.max():g}" if values.size else "[]"


def _facts(outcome: Outcome) -> dict[str, object]:
    """Return the JSON entry of a function; times in seconds."""
    return {
        "name": outcome.name,
        "compile_seconds": outcome.compile_seconds,
        "run_seconds": outcome.run_seconds,
        "operations": outcome.work.operations,
        "bytes": outcome.work.bytes,
        "max_error": outcome.error,
        "tolerance": outcome.tolerance,
        "checked_by": outcome.checked_by if outcome.error is not None else None,
    }


def _run_program(
    program: Any, loaded: Programs, options: argparse.Namespace, sizes: Mapping[str, int]
) -> list[Outcome]:
    module = program if isinstance(program, IRModule) else IRModule.from_expr(program)
    begin = time.perf_counter()
    built = build(module, target=options.target)
    compile_seconds = time.perf_counter() - begin
    outcomes: list[Outcome] = []
    for var, func in module.functions_items():
        name = getattr(func, "attrs", {}).get("global_symbol", var.name_hint)
        if not isinstance(func, PrimFunc) or name not in built:
            continue
        inputs = [argument.value for argument in random_inputs(func, options.seed, sizes)]
        outcomes.append(
            _run_function(name, func, module, built[name], inputs, loaded.reference_of(name), compile_seconds)
        )
    return outcomes


def _run_function(
    name: str,
    func: PrimFunc,
    module: IRModule,
    built: Callable[..., object],
    inputs: list[object],
    reference: Callable[..., object] | None,
    compile_seconds: float,
) -> Outcome:
    work = work_of(func, extents_of(func, inputs))
    got, expected = _copies(inputs), _copies(inputs)
    built(*got)
    error: float | None = None
    if reference is not None:
        checked_by = "reference"
        reference(*expected)
        error = largest_error(func, got, expected)
    elif work.operations <= _INTERPRETED_OPERATIONS:
        checked_by = "interpreter"
        build(module, target="interp")[name](*expected)
        error = largest_error(func, got, expected)
    else:
        checked_by = f"{work.operations:,} operations are too many for the interpreter; define reference_{name}"
    timed = measure(built, tuple(_copies(inputs)), number=1, repeat=5, min_repeat_ms=20)
    shapes = ", ".join(_grouped(["x".join(map(str, array.shape)) or "1" for array in got if hasattr(array, "shape")]))
    return Outcome(name, shapes, compile_seconds, timed.min, work, error, tolerance_of(func), checked_by)


def _copies(values: list[Any]) -> list[Any]:
    """Copy the arguments, so that runs do not share arrays."""
    return [
        NDArray(value.storage.copy(), value.dtype) if isinstance(value, NDArray) else copy.copy(value)
        for value in values
    ]


def _table(outcomes: list[Outcome]) -> Table:
    table = Table(box=box.SIMPLE_HEAD, padding=(0, 1, 0, 0))
    for title in ("function", "shapes", "compile", "run", "rate", "max error", "checked by"):
        table.add_column(title, no_wrap=title != "shapes")
    for outcome in outcomes:
        table.add_row(
            outcome.name,
            outcome.shapes,
            f"{outcome.compile_seconds * 1e3:.1f} ms",
            in_words(outcome.run_seconds),
            _rate(outcome),
            "-" if outcome.error is None else f"{outcome.error:.1e}",
            "-" if outcome.error is None else outcome.checked_by,
        )
    return table


def _grouped(shapes: list[str]) -> list[str]:
    """Write equal adjacent shapes once, with their number."""
    counted = [(shape, len(list(run))) for shape, run in itertools.groupby(shapes)]
    return [shape if count == 1 else f"{shape} *{count}" for shape, count in counted]


def _rate(outcome: Outcome) -> str:
    """Return GFLOP/s if arithmetic dominates, else GB/s."""
    work = outcome.work
    if work.operations > 2 * work.bytes:
        return f"{work.operations / outcome.run_seconds / 1e9:.2f} GFLOP/s"
    return f"{work.bytes / outcome.run_seconds / 1e9:.2f} GB/s"
