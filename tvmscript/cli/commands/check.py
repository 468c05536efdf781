"""Check programs of files: well-formed, in bounds, with blocks that state what they do."""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Iterable, Iterator

from tvmscript.cli.read_files import Script, read_all
from tvmscript.cli.report import Report, count
from tvmscript.ir.analysis.access.out_of_bounds import Verdict, check_bounds
from tvmscript.ir.analysis.access.races import check_races
from tvmscript.ir.analysis.verify.block_statements import check_blocks
from tvmscript.ir.analysis.verify.lossy_stores import check_stores
from tvmscript.ir.core import IRModule, TVMScriptError
from tvmscript.ir.core.python_settings import deep_recursion
from tvmscript.ir.tir import PrimFunc
from tvmscript.parser.programs import Program
from tvmscript.testing.errors import RoundTripError
from tvmscript.testing.round_trip import roundtrip


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of `tvmscript check`."""
    parser.add_argument("paths", nargs="+", metavar="PATH", help="a file, a folder, or - for standard input")
    parser.add_argument("--roundtrip", action="store_true", help="also check that printed programs read back")
    parser.add_argument("--bounds", action="store_true", help="also report accesses that may be out of bounds")
    parser.add_argument("--race", action="store_true", help="also check concurrent iterations for data races")
    parser.add_argument("--json", action="store_true", help="print the findings as JSON")


def main(options: argparse.Namespace) -> int:
    """Report all errors of all files; return 1 if there are any."""
    report = Report(options)
    files: list[dict[str, object]] = []
    programs = errors = skipped = 0
    bounds: Counter[str] = Counter()
    races: Counter[str] = Counter()
    for item in read_all(options.paths, report.error):
        if options.roundtrip:
            _check_round_trips(item)
        notes = list(item.notes)
        for func in _functions(item.programs.values()):
            item.errors += deep_recursion(check_blocks)(func) + check_stores(func)
            notes += _check_bounds(func, item, bounds, is_complete=options.bounds)
            if options.race:
                notes += _check_races(func, item, races)
        for error in item.errors:
            report.error(error, item.file.name)
        for note in notes:
            report.note(note, item.file.name)
        programs += len(item.programs)
        errors += len(item.errors)
        skipped += len(item.notes)
        files.append({"file": item.file.name, "programs": [definition.name for definition in item.programs]})
    report.facts = {"files": files}
    for name, is_requested, counts in (("bounds", options.bounds, bounds), ("race", options.race, races)):
        if is_requested:
            report.facts[name] = {verdict.value: counts[verdict.value] for verdict in Verdict}
    parts = [count(len(files), "file"), count(programs, "program"), count(errors, "error")]
    report.line(", ".join([*parts, *([f"{count(skipped, 'definition')} not checked"] if skipped else [])]))
    if options.bounds:
        report.line(f"bounds: {_summary(bounds)}")
    if options.race:
        report.line(f"races: {_summary(races)}")
    return report.finish()


def _summary(counts: Counter[str]) -> str:
    return ", ".join(f"{counts[verdict.value]} {verdict.value}" for verdict in Verdict)


def _functions(programs: Iterable[Program]) -> Iterator[PrimFunc]:
    """Yield the PrimFuncs of programs."""
    for program in programs:
        if isinstance(program, IRModule):
            yield from (func for func in program.values() if isinstance(func, PrimFunc))
        elif isinstance(program, PrimFunc):
            yield program


def _check_bounds(func: PrimFunc, script: Script, counted: Counter[str], *, is_complete: bool) -> list[TVMScriptError]:
    """Add out-of-bounds accesses to the errors; if complete, regions too, and return notes on undecided ones."""
    findings = deep_recursion(check_bounds)(func)
    if not is_complete:
        script.errors += [finding.error() for finding in findings if finding.is_wrong_access]
        return []
    counted.update(finding.verdict.value for finding in findings)
    script.errors += [finding.error() for finding in findings if finding.verdict is Verdict.WRONG]
    return [finding.error() for finding in findings if finding.verdict is Verdict.UNKNOWN]


def _check_races(func: PrimFunc, script: Script, counted: Counter[str]) -> list[TVMScriptError]:
    """Add races to the errors, and return notes on undecided pairs of accesses."""
    findings = deep_recursion(check_races)(func)
    counted[Verdict.PROVEN.value] += findings.proven
    counted[Verdict.UNKNOWN.value] += len(findings.unknown)
    counted[Verdict.WRONG.value] += len(findings.races)
    script.errors += [race.error() for race in findings.races]
    return [race.error() for race in findings.unknown]


def _check_round_trips(script: Script) -> None:
    """Add programs that do not read back to the errors."""
    for definition, program in script.programs.items():
        try:
            roundtrip(program)
        except RoundTripError as error:
            assert script.tree is not None
            error.span = script.tree.heading(definition.node)
            script.errors.append(error)
