"""Find races between threads, blocks and iterations: proven ones, and those of a run in the interpreter."""

from __future__ import annotations

import argparse
from collections.abc import Mapping

from rich import box
from rich.console import Console
from rich.table import Table

from tvmscript.backends.interp.sanitizer import SanitizerReport
from tvmscript.cli.execution import add_run, require_run
from tvmscript.cli.kernel_runs import check_sizes, sizes_of
from tvmscript.cli.read_files import read_all
from tvmscript.cli.report import Report, count
from tvmscript.ir.analysis.access.races import check_races
from tvmscript.ir.core import GlobalVar, IRModule, Span, TVMScriptError
from tvmscript.ir.core.python_settings import deep_recursion
from tvmscript.ir.tir import PrimFunc
from tvmscript.testing.sanitizer import sanitize

#: Accesses after which a run ends, about ten seconds.
_LIMIT = 2_000_000


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of `tvmscript race`."""
    parser.add_argument("paths", nargs="+", metavar="PATH", help="a file, a folder, or - for standard input")
    parser.add_argument("--target", default="cuda", help="the device for kernels with threads (default cuda)")
    parser.add_argument("--dim", action="append", default=[], metavar="NAME=N", help="a symbolic size (default 16)")
    parser.add_argument("--seed", type=int, default=0, help="seed of the inputs")
    parser.add_argument("--all-blocks", action="store_true", help="run all blocks, not the first two and the last")
    parser.add_argument("--limit", type=int, default=_LIMIT, help=f"end a run after so many accesses ({_LIMIT:,})")
    parser.add_argument("--requests", action="store_true", help="print what the memory requests of warps cost")
    add_run(parser)
    parser.add_argument("--json", action="store_true", help="print the findings as JSON")


def main(options: argparse.Namespace) -> int:
    """Check the functions of all files; return 1 if there are races or other faults."""
    report = Report(options)
    sizes = sizes_of(options.dim, "--dim")
    functions: list[dict[str, object]] = []
    scripts = [*read_all(options.paths, report.error)]
    check_sizes(sizes, [program for script in scripts for program in script.programs.values()], "--dim")
    for script in scripts:
        for error in script.errors:
            report.error(error, script.file.name)
        for program in script.programs.values():
            module = program if isinstance(program, IRModule) else IRModule.from_expr(program)
            require_run(options, module)
            for var, func in module.items():
                if isinstance(func, PrimFunc):
                    functions.append({"file": script.file.name, **_check(module, var, func, sizes, options, report)})
    report.facts = {"functions": functions}
    return report.finish()


def _check(
    module: IRModule,
    var: GlobalVar,
    func: PrimFunc,
    sizes: Mapping[str, int],
    options: argparse.Namespace,
    report: Report,
) -> dict[str, object]:
    """Report the proven races of a function and what its run shows."""
    proven = deep_recursion(check_races)(func)
    run = sanitize(
        module,
        name=var.name_hint,
        seed=options.seed,
        dims=sizes,
        target=options.target,
        all_blocks=options.all_blocks,
        limit=options.limit,
    )
    errors: list[TVMScriptError] = [race.error() for race in proven.races]
    pairs = {_places(error) for error in errors}
    errors += [error for error in run.errors if _places(error) not in pairs]
    for error in errors:
        report.error(error)
    for note in run.notes:
        report.note(note)
    parts = [count(len(errors), "error"), count(len(run.notes), "note")]
    parts += [f"{count(run.blocks, 'block')} run"] if run.blocks else []
    parts += ["others left out"] if run.is_partial else []
    report.line(f"{var.name_hint}: {', '.join(parts)}")
    if options.requests and run.traffic and not options.json:
        Console().print(_table(run))
    return {"name": var.name_hint, "errors": len(errors), "notes": len(run.notes), "traffic": _traffic(run)}


def _places(error: TVMScriptError) -> frozenset[Span | None]:
    """Return the places of an error: a proven race is not reported again where the run shows it."""
    return frozenset({error.span, *[span for span, _ in error.notes]})


def _traffic(run: SanitizerReport) -> list[dict[str, object]]:
    """Return the requests of warps as JSON."""
    return [
        {
            "buffer": sums.buffer,
            "scope": sums.scope,
            "line": None if site.span is None else site.span.line,
            "requests": sums.requests,
            "cost": sums.cost,
            "ideal": sums.ideal,
        }
        for site, sums in run.traffic.items()
    ]


def _table(run: SanitizerReport) -> Table:
    """Return a table of the requests of warps: passes for shared memory, sectors of 32 bytes for global memory."""
    table = Table(box=box.SIMPLE_HEAD, padding=(0, 1, 0, 0))
    for title in ("line", "buffer", "scope", "requests", "cost", "ideal"):
        table.add_column(title, justify="left" if title in ("buffer", "scope") else "right")
    for entry in _traffic(run):
        table.add_row(*[str(entry[key]) for key in ("line", "buffer", "scope", "requests", "cost", "ideal")])
    return table
