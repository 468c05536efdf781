"""Write the programs of files in the spelling of another TVM: 0.17, or the current 0.27."""

from __future__ import annotations

import argparse
import re
from functools import partial
from pathlib import Path

from tvmscript.cli.errors import FileFailed, InvalidOption
from tvmscript.cli.files import write
from tvmscript.cli.programs import Script, read_all
from tvmscript.cli.report import Report
from tvmscript.cli.rewrite import rewrite

#: dialect -> the names of the tensor level in imports of the script: that of the other one, its own
_MODULES = {"0.17": ("tirx", "tir"), "0.27": ("tir", "tirx")}
#: an import of the script's names, as code or as a comment of printed text
_IMPORT = re.compile(
    r"^(?P<start>[ \t]*(?:#[ \t]*)?from[ \t]+tvm(?:script)?\.script[ \t]+import[ \t]+)(?P<names>.*)$", re.MULTILINE
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What `tvmscript convert` takes."""
    parser.add_argument("paths", nargs="+", metavar="PATH", help="a file, a folder, or - for standard input")
    parser.add_argument("--to", required=True, choices=sorted(_MODULES), help="whose spelling")
    where = parser.add_mutually_exclusive_group()
    where.add_argument("-o", "--output", metavar="FILE", help="write to a file, instead of standard output")
    where.add_argument("-i", "--in-place", action="store_true", help="write to the files themselves")
    parser.add_argument("--json", action="store_true", help="print the new texts as JSON")


def main(options: argparse.Namespace) -> int:
    """Convert the files; 1 where a definition could not be converted."""
    report = Report(options)
    scripts: list[Script] = []
    for item in read_all(options.paths):
        if isinstance(item, FileFailed):
            report.error(item)
            continue
        for error in item.errors:
            report.error(error, item.file.name)
        if not item.errors:
            scripts.append(item)
    if len(scripts) > 1 and not options.in_place and not options.json:
        raise InvalidOption(option="convert", reason="several files can only be converted in place", hint="give -i")
    files: list[dict[str, object]] = []
    for script in scripts:
        made = rewrite(script, around=partial(convert_imports, to=options.to), decorators=True, dialect=options.to)
        for left in made.left:
            report.error(left)
        files.append({"file": script.file.name, "changed": made.text != script.file.text, "text": made.text})
        try:
            if options.output is not None:
                write(Path(options.output), made.text, script.file.encoding)
            elif not options.in_place:
                report.output(made.text)
            elif made.text != script.file.text:
                script.file.write(made.text)
        except FileFailed as error:
            report.error(error)
    report.facts = {"to": options.to, "files": files}
    return report.finish()


def convert_imports(text: str, to: str) -> str:
    """The text with imports of the script's names as TVM `to` has them; each name stays what it is called."""
    theirs, ours = _MODULES[to]

    def renamed(found: re.Match[str]) -> str:
        names = re.sub(rf"\b{theirs}\b(?=[ \t]+as\b)", ours, found["names"])
        return found["start"] + re.sub(rf"(?<!as )\b{theirs}\b", f"{ours} as {theirs}", names)

    return _IMPORT.sub(renamed, text)
