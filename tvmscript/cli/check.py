"""Read the programs of files and check that they are well formed."""

from __future__ import annotations

import argparse

from tvmscript.cli.programs import Script, read_all
from tvmscript.cli.report import Report, count
from tvmscript.testing.errors import RoundTripError
from tvmscript.testing.round_trip import roundtrip


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What `tvmscript check` takes."""
    parser.add_argument("paths", nargs="+", metavar="PATH", help="a file, a folder, or - for standard input")
    parser.add_argument("--roundtrip", action="store_true", help="check also that printed programs read back")
    parser.add_argument("--json", action="store_true", help="print the findings as JSON")


def main(options: argparse.Namespace) -> int:
    """Tell all errors of all files; 1 where there are any."""
    report = Report(options)
    files: list[dict[str, object]] = []
    programs = errors = skipped = 0
    for item in read_all(options.paths, report.error):
        if options.roundtrip:
            _check_round_trips(item)
        for error in item.errors:
            report.error(error, item.file.name)
        for note in item.notes:
            report.note(note, item.file.name)
        programs += len(item.programs)
        errors += len(item.errors)
        skipped += len(item.notes)
        files.append({"file": item.file.name, "programs": [each.name for each in item.programs]})
    report.facts = {"files": files}
    parts = [count(len(files), "file"), count(programs, "program"), count(errors, "error")]
    report.say(", ".join([*parts, *([f"{count(skipped, 'definition')} not checked"] if skipped else [])]))
    return report.finish()


def _check_round_trips(script: Script) -> None:
    """Add what does not read back to the errors."""
    for definition, program in script.programs.items():
        try:
            roundtrip(program)
        except RoundTripError as error:
            assert script.tree is not None
            error.span = script.tree.heading(definition.node)
            script.errors.append(error)
