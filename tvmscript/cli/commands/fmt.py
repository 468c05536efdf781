"""Rewrite the programs of files in normal form, in place, without touching other code."""

from __future__ import annotations

import argparse
import difflib

from tvmscript.cli.errors import FileFailed, InvalidOption, WouldChange
from tvmscript.cli.files import File
from tvmscript.cli.read_files import read_all
from tvmscript.cli.report import Report, count, for_stdout
from tvmscript.cli.rewrite_definitions import rewrite


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of `tvmscript fmt`."""
    parser.add_argument("paths", nargs="+", metavar="PATH", help="a file, a folder, or - for standard input to output")
    parser.add_argument("--check", action="store_true", help="write nothing; exit with 1 if files would change")
    parser.add_argument("--diff", action="store_true", help="write nothing; show what would change")
    parser.add_argument("--indent", type=int, default=4, metavar="N", help="indentation width (default 4)")
    parser.add_argument(
        "--line-length", type=int, metavar="N", help="break longer lines as black and ruff do (default: do not)"
    )
    parser.add_argument("--json", action="store_true", help="print the result as JSON")


def main(options: argparse.Namespace) -> int:
    """Format the files; report and keep files with errors."""
    if options.line_length is not None and options.line_length < 1:
        raise InvalidOption(option="--line-length", reason="it must be positive")
    report = Report(options)
    files: list[dict[str, object]] = []
    changed = 0
    for item in read_all(options.paths, report.error, keep_names=True, allow_repeated=True):
        for error in item.errors:
            report.error(error, item.file.name)
        if item.errors:
            files.append(
                {"file": item.file.name, "changed": False, "left": [definition.name for definition in item.definitions]}
            )
            continue
        rewritten = rewrite(item, indent_spaces=options.indent, line_length=options.line_length)
        for note in rewritten.left:
            report.note(note)
        is_changed = rewritten.text != item.file.text
        changed += is_changed
        kept = [str(error.facts["name"]) for error in rewritten.left]
        files.append({"file": item.file.name, "changed": is_changed, "left": kept})
        _deliver(item.file, rewritten.text, options, report)
    report.facts = {"files": files}
    if not any(path == "-" for path in options.paths):
        words = "would be reformatted" if options.check or options.diff else "reformatted"
        report.line(f"{count(changed, 'file')} {words}, {count(len(files) - changed, 'file')} left unchanged")
    return report.finish()


def _deliver(file: File, text: str, options: argparse.Namespace, report: Report) -> None:
    """Show or write the new text of a file."""
    if options.diff and text != file.text:
        lines = difflib.unified_diff(
            file.text.splitlines(), text.splitlines(), file.name, f"{file.name} (formatted)", lineterm=""
        )
        report.line(for_stdout("\n".join(lines)))
    if options.check and text != file.text:
        report.error(WouldChange(file=file.name))
    if options.check or options.diff:
        return
    if file.path is None:
        report.output(text)
    elif text != file.text:
        try:
            file.write(text)
        except FileFailed as error:
            report.error(error)
