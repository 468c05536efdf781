"""Rewrite the definitions of a file in normal form, and keep everything around them byte for byte."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Container, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from tvmscript.cli.errors import NotRewritten
from tvmscript.cli.line_breaks import broken, unbroken
from tvmscript.cli.read_files import Script, read
from tvmscript.ir.core import structural_equal
from tvmscript.parser.python_file import Definition, language_names, read_definition
from tvmscript.testing.errors import RoundTripError
from tvmscript.testing.round_trip import check_round_trip

#: lines with the line ends of Python; a form feed ends no line
_LINE = re.compile(r".*?(?:\r\n|\r|\n|\Z)", re.DOTALL)
#: declaration of a size before a function, the form of int64 sizes in TVM 0.27
_SIZE = re.compile(r"\w+ = TypeVar\(")
#: name of the language -> its module in tvm.script
_SCRIPT: Final = {"T": "tir", "I": "ir"}
#: decorator options that the printer writes where needed
_PRINTED_OPTIONS = {"private", "s_tir"}


@dataclass
class Rewritten:
    """The new text of a file, and the definitions that could not be rewritten."""

    text: str
    left: list[NotRewritten]


def rewrite(
    script: Script,
    *,
    around: Callable[[str], str] = str,
    decorators: bool = False,
    line_length: int | None = None,
    **options: object,
) -> Rewritten:
    """Return the text of a file with its definitions as printed with these options.

    `around` rewrites the code around definitions; `decorators` also replaces decorators. Definitions that differ from
    their printed text only in line breaks inside of brackets are kept; lines longer than `line_length` are broken. The
    new text is verified to read back to the same programs. A definition that cannot be rewritten is kept. The file must
    have no errors.
    """
    assert script.tree is not None
    names = language_names(script.tree)
    writer = _Writer(script, {"tir_prefix": names.get("T", "T"), "ir_prefix": names.get("I", "I"), **options})
    writer.decorators = decorators
    writer.line_length = line_length
    if script.is_python:
        writer.imported = set(names.values())
    left = {entry: reason for entry in script.definitions if (reason := writer.obstacle(entry)) is not None}
    text, reason = around(writer.text(left)), None
    if left and decorators:
        reason = f"{next(iter(left)).name} is not rewritten, and a file has one dialect"
    elif text != script.file.text and not _same_programs(script, text):
        reason = "the new text of the file reads back as something else"
    if reason is not None:
        text = script.file.text
        left = {entry: left.get(entry, reason) for entry in script.definitions}
    return Rewritten(
        text,
        [
            NotRewritten(name=entry.name, reason=reason, span=script.tree.heading(entry.node))
            for entry, reason in left.items()
        ],
    )


class _Writer:
    def __init__(self, script: Script, options: Mapping[str, Any]) -> None:
        self.script = script
        self.decorators = False
        self.line_length: int | None = None
        self.options = options
        #: imported names of the language; None where the file needs no imports
        self.imported: set[str] | None = None
        self.lines = _LINE.findall(script.file.text)
        self.printed: dict[Definition, list[str]] = {}
        #: lines that declare sizes, once in front of all definitions
        self.sizes: dict[Definition, list[str]] = {}
        #: names of the language that a text needs and the file does not import
        self.missing: dict[Definition, list[str]] = {}

    def obstacle(self, definition: Definition) -> str | None:
        """Return why a definition cannot be replaced by its printed text, None if it can."""
        if names := (*definition.needs, *definition.captures):
            return f"it captures {', '.join(names)}"
        if self.decorators and (len(definition.node.decorator_list) > 1 or _lost_options(definition)):
            return "its decorators have options that the program does not hold"
        assert self.script.tree is not None
        # a definition of a text file is read alone, without the text around it
        alone = self.script.programs[definition] if self.script.reads_each_alone else None
        program = alone or read_definition(self.script.tree, definition, keep_names=self.script.keeps_names)
        options = {
            "name": definition.name,
            "annotated": not self.decorators and _is_annotated(definition),
            **self.options,
        }
        try:
            check_round_trip(program, "the program", **options)
        except RoundTripError as error:
            return error.text.partition("\n")[0]
        above, _ = _split(program.script(**{**options, "comments": False}))
        above = [line for line in above if line and not line.startswith("#")]
        if not all(_SIZE.match(line) and (self.decorators or line in self.script.file.text) for line in above):
            return "its text needs definitions in front of it"
        # comments above the definition stay in the file
        _, printed = _split(program.script(**options))
        self.printed[definition] = printed
        self.sizes[definition] = above
        if self.imported is not None:
            tree = ast.parse("\n".join(printed))
            used = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
            language = {self.options["tir_prefix"], self.options["ir_prefix"], "Annotated"}
            missing = sorted((language & used) - self.imported)
            self.missing[definition] = missing
            if missing and self._place_of_import(missing) is None:
                return f"its text needs {', '.join(missing)}, which the file does not import"
        return None

    def text(self, left: Container[Definition]) -> str:
        """Return the text of the file with all definitions replaced except `left`."""
        lines = list(self.lines)
        for definition in reversed(self.script.definitions):
            if definition not in left:
                first, last, new = self._replacement(definition)
                lines[first - 1 : last] = new
        sizes = {line: None for entry, lines in self.sizes.items() if entry not in left for line in lines}
        missing = [line for line in sizes if line not in self.script.file.text]
        if missing:
            newline = "\r\n" if "\r\n" in self.script.file.text else "\n"
            place = self._behind_imports()
            lines[place:place] = [line + newline for line in (*missing, "")]
        names = sorted({name for entry, missing in self.missing.items() if entry not in left for name in missing})
        if names:
            self._import(names, lines)
        return "".join(lines)

    def _place_of_import(self, names: Sequence[str]) -> ast.ImportFrom | None:
        """Return the first import of the language, behind which others can be added, None if a name is in use."""
        assert self.script.tree is not None
        tree = self.script.tree.tree
        if not _SCRIPT.keys() >= set(names) or any(getattr(node, "id", None) in names for node in ast.walk(tree)):
            return None
        imports = [node for node in tree.body if isinstance(node, ast.ImportFrom)]
        return next((node for node in imports if node.module in ("tvmscript", "tvmscript.script", "tvm.script")), None)

    def _import(self, names: Sequence[str], lines: list[str]) -> None:
        """Add an import of names of the language, in the form of the first one."""
        first = self._place_of_import(names)
        assert first is not None
        imports = names if first.module == "tvmscript" else [f"{_SCRIPT[name]} as {name}" for name in names]
        place = first.end_lineno or first.lineno
        newline = "\r\n" if "\r\n" in self.script.file.text else "\n"
        lines.insert(place, f"from {first.module} import {', '.join(imports)}{newline}")

    def _behind_imports(self) -> int:
        """Return the number of lines before the first statement that is no import and no docstring."""
        assert self.script.tree is not None
        for node in self.script.tree.tree.body:
            if not isinstance(node, (ast.Import, ast.ImportFrom, ast.Expr)):
                decorators: list[ast.expr] = getattr(node, "decorator_list", [])
                return min([node.lineno, *[item.lineno for item in decorators]]) - 1
        return len(self.lines)

    def _replacement(self, definition: Definition) -> tuple[int, int, list[str]]:
        """Return the first and last line of a definition in the file, from 1, and the new lines."""
        printed = self.printed[definition]
        first, last = definition.first_line, definition.last_line(self.lines)
        if not self.decorators:
            # one decorator line is printed for a function and for a class
            first, printed = definition.node.lineno, printed[1:]
        heading = self.lines[definition.node.lineno - 1]
        indent = heading[: len(heading) - len(heading.lstrip(" \t\f"))]
        end = re.search(r"[\r\n]*\Z", heading)
        newline = end.group() if end is not None and end.group() else "\n"
        new = [f"{indent}{line}" if line.strip() else "" for line in printed]
        present = unbroken(self.lines[first - 1 : last])
        if present is not None and present == unbroken(new):
            return first, last, self.lines[first - 1 : last]
        if self.line_length is not None:
            new = [part for line in new for part in broken(line, self.line_length)]
        new = [line + newline for line in new]
        if not self.lines[last - 1].endswith(("\n", "\r")):
            new[-1] = new[-1].removesuffix(newline)
        return first, last, new


def _split(text: str) -> tuple[list[str], list[str]]:
    """Split a printed definition into the lines above the decorator and the others."""
    lines = text.split("\n")
    start = next(number for number, line in enumerate(lines) if line.startswith("@"))
    return lines[:start], lines[start:]


def _is_annotated(definition: Definition) -> bool:
    """Whether annotations are those for type checkers: `A: Annotated[T.Buffer, (4,), "float32"]`."""
    functions = [node for node in ast.walk(definition.node) if isinstance(node, ast.FunctionDef)]
    annotations = [arg.annotation for node in functions for arg in node.args.args]
    returns_none = any(isinstance(node.returns, ast.Constant) for node in functions)
    return (returns_none or any(isinstance(item, ast.Subscript) for item in annotations)) and not any(
        isinstance(item, ast.Call) for item in annotations
    )


def _lost_options(definition: Definition) -> bool:
    """Whether decorators of the definition or of inner functions have options that the printed text lacks."""
    return any(
        word.arg not in _PRINTED_OPTIONS
        for node in ast.walk(definition.node)
        if isinstance(node, (ast.FunctionDef, ast.ClassDef))
        for item in node.decorator_list
        if isinstance(item, ast.Call)
        for word in item.keywords
    )


def _same_programs(script: Script, text: str) -> bool:
    """Whether a new text of the file reads back to the same programs under the same names."""
    new = read(replace(script.file, text=text, is_named=True), allow_repeated=True)
    return [entry.name for entry in script.definitions] == [entry.name for entry in new.definitions] and all(
        after in new.programs and structural_equal(script.programs[before], new.programs[after])
        for before, after in zip(script.definitions, new.definitions, strict=True)
        if before in script.programs
    )
