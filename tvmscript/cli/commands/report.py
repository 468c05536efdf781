"""Write a page about a model: graph, time and bytes of each kernel, roofline, memory plan over time."""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np

from tvmscript.backends.llvm.host import host
from tvmscript.backends.llvm.linked_code import threads
from tvmscript.benchmark.limits import measure_limits
from tvmscript.benchmark.model_page import model_page, rows_of
from tvmscript.benchmark.model_profile import STEPS, profile_model
from tvmscript.benchmark.timing import Race
from tvmscript.cli.errors import InvalidOption
from tvmscript.cli.files import write
from tvmscript.cli.graph_runs import arguments_of, files_of, main_of, read_graph
from tvmscript.cli.kernel_runs import check_sizes, in_words, sizes_of
from tvmscript.cli.progress import progress
from tvmscript.cli.report import Report
from tvmscript.driver import UnknownTarget
from tvmscript.ir.core.targets.target import InvalidTarget

#: bytes of an array that takes the place of others in the caches
_EVICTING = 1 << 20


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of `tvmscript report`."""
    parser.add_argument("file", type=Path, help="a model.onnx, a model.pt2 of torch.export, or a script with main")
    parser.add_argument("-o", "--out", type=Path, metavar="HTML", help="the page to write (default: beside the file)")
    parser.add_argument("--target", default="llvm", help='such as "llvm -mcpu=skylake-avx512"')
    parser.add_argument("--dim", action="append", default=[], metavar="NAME=N", help="a symbolic size (default 16)")
    parser.add_argument("--input", action="append", default=[], metavar="NAME=FILE", help="an input: an array, .npy")
    parser.add_argument("--seed", type=int, default=0, help="seed of the inputs")
    parser.add_argument("--json", action="store_true", help="print the figures as JSON")


def main(options: argparse.Namespace) -> int:
    """Profile the model, and write the page."""
    report = Report(options)
    with progress(STEPS + 2) as begin:
        begin("importing")
        module = read_graph(options.file)
        function = main_of(module)
        assert function is not None
        sizes = sizes_of(options.dim, "--dim")
        check_sizes(sizes, [function], "--dim")
        arguments = arguments_of(function, files_of(options.input), sizes, options.seed)
        try:
            profile = profile_model(module, function, arguments, options.target, begin)
            begin("measuring the machine")
            count = threads()
            limits = measure_limits(Race(count, _EVICTING), count, {"float32"}, options.target, 0.2)
        except (UnknownTarget, InvalidTarget) as error:
            raise InvalidOption(option="--target", reason=error.text, hint=error.hint) from error
    inputs = [
        f"{param.name_hint}: {np.shape(argument)}" for param, argument in zip(function.params, arguments, strict=True)
    ]
    facts = {"inputs": ", ".join(inputs), "target": f"{options.target}, on {host()[1]}, threads: {count}"}
    page: Path = options.out or options.file.with_suffix(".html")
    write(page, model_page(profile, limits, options.file.name, facts))
    report.facts = {
        "page": str(page),
        "seconds": profile.seconds,
        "planned_bytes": profile.planned_bytes,
        "live_bytes": profile.live_bytes,
        "kernels": [
            {
                "name": row.name,
                "calls": row.count,
                "seconds": row.seconds,
                "operations": row.work.operations,
                "bytes": row.work.bytes,
            }
            for row in rows_of(profile.calls)
        ],
    }
    report.line(f"{page}: {len(profile.calls)} kernels in {in_words(profile.seconds)}")
    return report.finish()
