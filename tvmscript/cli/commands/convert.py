"""Convert the programs of files to the dialect of TVM 0.17 or 0.27, or a model to a script."""

from __future__ import annotations

import argparse
import ast
import re
from functools import partial
from pathlib import Path

from tvmscript.cli.errors import FileFailed, InvalidOption
from tvmscript.cli.files import MODEL_SUFFIXES, write
from tvmscript.cli.read_files import Script, read_all
from tvmscript.cli.report import Report
from tvmscript.cli.rewrite_definitions import rewrite
from tvmscript.ir.core.span import lines_of

#: dialect -> the module of TIR in tvm.script: of the other dialect, its own
_MODULES = {"0.17": ("tirx", "tir"), "0.27": ("tir", "tirx")}
#: an import from tvm.script, as code or as a comment of printed text
_IMPORT = re.compile(
    r"^(?P<start>[ \t]*(?:#[ \t]*)?from[ \t]+tvm(?:script)?\.script[ \t]+import[ \t]+)(?P<names>.*)$", re.MULTILINE
)
#: an import of names of this package
_PACKAGE = re.compile(r"^(?P<indent>[ \t]*)from[ \t]+tvmscript[ \t]+import[ \t]+(?P<names>\w[\w, \t]*)$", re.MULTILINE)
#: declaration of a size before a function
_SIZES = re.compile(r'^[ \t]*\w+ = TypeVar\("', re.MULTILINE)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of `tvmscript convert`."""
    parser.add_argument(
        "paths",
        nargs="+",
        metavar="PATH",
        help=f"a file, a folder, - for standard input, or a model ({', '.join(MODEL_SUFFIXES)})",
    )
    parser.add_argument("--to", choices=sorted(_MODULES), help="version of TVM, for scripts")
    where = parser.add_mutually_exclusive_group()
    where.add_argument("-o", "--output", metavar="FILE", help="write to a file, instead of standard output")
    where.add_argument("-i", "--in-place", action="store_true", help="write to the files themselves")
    parser.add_argument("--json", action="store_true", help="print the new texts as JSON")


def main(options: argparse.Namespace) -> int:
    """Convert the files; return 1 if a definition cannot be converted."""
    report = Report(options)
    models = [Path(path) for path in options.paths if path.endswith(MODEL_SUFFIXES)]
    if models:
        return _convert_model(models[0], options, report)
    if options.to is None:
        raise InvalidOption(option="--to", reason="a version of TVM is needed", hint="one of 0.17, 0.27")
    scripts: list[Script] = []
    for item in read_all(options.paths, report.error, allow_repeated=True):
        for error in item.errors:
            report.error(error, item.file.name)
        if not item.errors:
            scripts.append(item)
    if len(scripts) > 1 and not options.in_place and not options.json:
        raise InvalidOption(option="convert", reason="several files can only be converted in place", hint="use -i")
    files: list[dict[str, object]] = []
    for script in scripts:
        around = partial(convert_imports, to=options.to, is_python=script.is_python)
        rewritten = rewrite(script, around=around, decorators=True, dialect=options.to)
        for left in rewritten.left:
            report.error(left)
        files.append({"file": script.file.name, "changed": rewritten.text != script.file.text, "text": rewritten.text})
        try:
            if options.output is not None:
                write(Path(options.output), rewritten.text, script.file.encoding)
            elif not options.in_place:
                report.output(rewritten.text)
            elif rewritten.text != script.file.text:
                script.file.write(rewritten.text)
        except FileFailed as error:
            report.error(error)
    report.facts = {"to": options.to, "files": files}
    return report.finish()


def _convert_model(path: Path, options: argparse.Namespace, report: Report) -> int:
    """Write a model as a script with its weights in a file beside it."""
    if len(options.paths) != 1 or options.output is None or options.to is not None or options.in_place:
        raise InvalidOption(option="convert", reason="a model is converted alone, to a script", hint="-o model.py")
    from tvmscript.cli.model_files import convert_model  # scripts need neither graphs nor NumPy

    module = convert_model(path, Path(options.output))
    report.facts = {"model": str(path), "output": options.output, "functions": len(module.functions)}
    return report.finish()


def convert_imports(text: str, to: str, is_python: bool = False) -> str:
    """Convert imports from tvm.script to those of TVM `to`, keeping the imported names.

    In 0.27, a Python file also gets the imports that sizes in parameters need: they are declared in the body, so Python
    must not evaluate annotations.
    """
    theirs, ours = _MODULES[to]

    def rename(match: re.Match[str]) -> str:
        names = re.sub(rf"\b{theirs}\b(?=[ \t]+as\b)", ours, match["names"])
        return match["start"] + re.sub(rf"(?<!as )\b{theirs}\b", f"{ours} as {theirs}", names)

    converted = _IMPORT.sub(rename, text)
    return _import_sizes(_PACKAGE.sub(_import_tirx, converted)) if to == "0.27" and is_python else converted


def _import_tirx(match: re.Match[str]) -> str:
    """Return `from tvmscript import T`, whose T is that of 0.17, as an import of the T of 0.27."""
    names = [name.strip() for name in match["names"].split(",")]
    others = [name for name in names if name.split()[0] != "T"]
    if len(others) == len(names):
        return match[0]
    lines = [f"from tvmscript import {', '.join(others)}"] if others else []
    lines += [f"from tvmscript.script import tirx as {name.split()[-1]}" for name in names if name not in others]
    return "\n".join(match["indent"] + line for line in lines)


def _import_sizes(text: str) -> str:
    """Add the imports that sizes in parameters need to a Python file."""
    tree = ast.parse(text)
    imported = {alias.name for node in tree.body if isinstance(node, ast.ImportFrom) for alias in node.names}
    has_variables = _SIZES.search(text) is not None
    lines: list[str] = []
    if (has_variables or _has_quoted_size(tree)) and "annotations" not in imported:
        lines += ["from __future__ import annotations", ""]
    if has_variables and "TypeVar" not in imported:
        lines += ["from typing import TypeVar", ""]
    first = tree.body[0]
    is_docstring = isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant)
    place = (first.end_lineno or first.lineno) if is_docstring else first.lineno - 1
    before = lines_of(text)
    newline = "\r\n" if "\r\n" in text else "\n"
    return "".join([*before[:place], *(line + newline for line in lines), *before[place:]])


def _has_quoted_size(tree: ast.Module) -> bool:
    """Whether a parameter introduces a size: `A: T.Buffer(("n",), "float32")`."""
    arguments = (arg for node in ast.walk(tree) if isinstance(node, ast.FunctionDef) for arg in node.args.args)
    sizes = (size for arg in arguments for part in ast.walk(arg) if isinstance(part, ast.Tuple) for size in part.elts)
    return any(isinstance(size, ast.Constant) and isinstance(size.value, str) for size in sizes)
