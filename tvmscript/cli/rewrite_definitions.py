"""Files with their definitions in normal form; everything around the definitions stays as it is, byte for byte."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Container, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from tvmscript.cli.errors import NotRewritten
from tvmscript.cli.read_files import Script, read
from tvmscript.ir.core.equal import structural_equal
from tvmscript.parser.python_file import Definition, language_names, read_definition
from tvmscript.testing.errors import RoundTripError
from tvmscript.testing.round_trip import check_round_trip

#: the line ends of Python; others, such as form feeds, end no line
_LINE = re.compile(r".*?(?:\r\n|\r|\n|\Z)", re.DOTALL)
#: a size in front of a function, as TVM 0.27 has those that are no int32
_SIZE = re.compile(r"\w+ = TypeVar\(")
#: name of the language -> its module in the script
_SCRIPT: Final = {"T": "tir", "I": "ir"}
#: options of decorators that the printer writes where they are needed
_PRINTED_OPTIONS = {"private", "s_tir"}


@dataclass
class Rewritten:
    """The new text of a file, and what could not be rewritten."""

    text: str
    left: list[NotRewritten]


def rewrite(
    script: Script, *, around: Callable[[str], str] = str, decorators: bool = False, **options: Any
) -> Rewritten:
    """The text of a file with its definitions as the printer writes them with these options.

    `around` changes what stands around definitions; `decorators` says that those are replaced too. The new text has
    been read back: it holds the same programs. A definition that cannot be written so is left alone. Files with errors
    are not for this.
    """
    assert script.tree is not None
    names = language_names(script.tree)
    writer = _Writer(script, {"tir_prefix": names.get("T", "T"), "ir_prefix": names.get("I", "I"), **options})
    writer.decorators = decorators
    if script.is_python:
        writer.known = set(names.values())
    left = {each: reason for each in script.definitions if (reason := writer.obstacle(each)) is not None}
    text, reason = around(writer.text(left)), None
    if left and decorators:
        reason = f"{next(iter(left)).name} stays as it is, and a file has one spelling"
    elif text != script.file.text and not _same_programs(script, text):
        reason = "the new text of the file reads back as something else"
    if reason is not None:
        text = script.file.text
        left = {each: left.get(each, reason) for each in script.definitions}
    return Rewritten(
        text,
        [
            NotRewritten(name=each.name, reason=reason, span=script.tree.heading(each.node))
            for each, reason in left.items()
        ],
    )


class _Writer:
    def __init__(self, script: Script, options: Mapping[str, Any]) -> None:
        self.script = script
        self.decorators = False
        self.options = options
        #: names of the language that the file has imported; None where it needs no imports
        self.known: set[str] | None = None
        self.lines = _LINE.findall(script.file.text)
        self.printed: dict[Definition, list[str]] = {}
        #: lines that declare sizes, which a file has once in front of its definitions
        self.sizes: dict[Definition, list[str]] = {}
        #: names of the language that a text needs and the file does not import yet
        self.missing: dict[Definition, list[str]] = {}

    def obstacle(self, definition: Definition) -> str | None:
        """Why a definition cannot be replaced by its printed text, if so."""
        if names := (*definition.needs, *definition.captures):
            return f"it uses {', '.join(names)} of the file around it"
        if self.decorators and (len(definition.node.decorator_list) > 1 or _lost_options(definition)):
            return "its decorators say more than its program"
        assert self.script.tree is not None
        # alone, as those of Python files are read already: what a text says around it is no part of it
        known = self.script.programs[definition] if self.script.is_python else None
        program = known or read_definition(self.script.tree, definition)
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
        # comments above it are those that the file has there
        _, printed = _split(program.script(**options))
        self.printed[definition] = printed
        self.sizes[definition] = above
        if self.known is not None:
            tree = ast.parse("\n".join(printed))
            used = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
            language = {self.options["tir_prefix"], self.options["ir_prefix"], "Annotated"}
            missing = sorted((language & used) - self.known)
            self.missing[definition] = missing
            if missing and self._place_of_import(missing) is None:
                return f"its text needs {', '.join(missing)}, which the file does not import"
        return None

    def text(self, left: Container[Definition]) -> str:
        """The text of the file with all definitions replaced but these."""
        lines = list(self.lines)
        for definition in reversed(self.script.definitions):
            if definition not in left:
                first, last, new = self._replacement(definition)
                lines[first - 1 : last] = new
        sizes = {line: None for each, found in self.sizes.items() if each not in left for line in found}
        missing = [line for line in sizes if line not in self.script.file.text]
        if missing:
            newline = "\r\n" if "\r\n" in self.script.file.text else "\n"
            place = self._behind_imports()
            lines[place:place] = [line + newline for line in (*missing, "")]
        names = sorted({name for each, found in self.missing.items() if each not in left for name in found})
        if names:
            self._import(names, lines)
        return "".join(lines)

    def _place_of_import(self, names: Sequence[str]) -> ast.ImportFrom | None:
        """The first import of the language, behind which others may stand; None where a name is something else."""
        assert self.script.tree is not None
        tree = self.script.tree.tree
        if not _SCRIPT.keys() >= set(names) or any(getattr(node, "id", None) in names for node in ast.walk(tree)):
            return None
        imports = [node for node in tree.body if isinstance(node, ast.ImportFrom)]
        return next((node for node in imports if node.module in ("tvmscript", "tvmscript.script", "tvm.script")), None)

    def _import(self, names: Sequence[str], lines: list[str]) -> None:
        """Add an import of names of the language, which the first one shows the spelling of."""
        first = self._place_of_import(names)
        assert first is not None
        said = names if first.module == "tvmscript" else [f"{_SCRIPT[name]} as {name}" for name in names]
        place = first.end_lineno or first.lineno
        newline = "\r\n" if "\r\n" in self.script.file.text else "\n"
        lines.insert(place, f"from {first.module} import {', '.join(said)}{newline}")

    def _behind_imports(self) -> int:
        """How many lines of the file stand before its first statement that is no import and no docstring."""
        assert self.script.tree is not None
        for node in self.script.tree.tree.body:
            if not isinstance(node, ast.Import | ast.ImportFrom | ast.Expr):
                decorators: list[ast.expr] = getattr(node, "decorator_list", [])
                return min([node.lineno, *[item.lineno for item in decorators]]) - 1
        return len(self.lines)

    def _replacement(self, definition: Definition) -> tuple[int, int, list[str]]:
        """The lines of the file, from 1, that a definition replaces, and with what."""
        printed = self.printed[definition]
        first, last = definition.first_line, definition.last_line(self.lines)
        if not self.decorators:
            # one decorator line is printed for a function and for a class
            first, printed = definition.node.lineno, printed[1:]
        heading = self.lines[definition.node.lineno - 1]
        indent = heading[: len(heading) - len(heading.lstrip(" \t\f"))]
        end = re.search(r"[\r\n]*\Z", heading)
        newline = end.group() if end is not None and end.group() else "\n"
        new = [f"{indent}{line}{newline}" if line.strip() else newline for line in printed]
        if not self.lines[last - 1].endswith(("\n", "\r")):
            new[-1] = new[-1].removesuffix(newline)
        return first, last, new


def _split(text: str) -> tuple[list[str], list[str]]:
    """The lines above the decorator of a printed definition, and the others."""
    lines = text.split("\n")
    start = next(number for number, line in enumerate(lines) if line.startswith("@"))
    return lines[:start], lines[start:]


def _is_annotated(definition: Definition) -> bool:
    """Whether parameters are written as type checkers accept them: `A: Annotated[T.Buffer, (4,), "float32"]`."""
    functions = [node for node in ast.walk(definition.node) if isinstance(node, ast.FunctionDef)]
    annotations = [arg.annotation for node in functions for arg in node.args.args]
    returns_none = any(isinstance(node.returns, ast.Constant) for node in functions)
    return (returns_none or any(isinstance(each, ast.Subscript) for each in annotations)) and not any(
        isinstance(each, ast.Call) for each in annotations
    )


def _lost_options(definition: Definition) -> bool:
    """Whether its decorators, or those of functions in it, have options that its printed text does not have."""
    return any(
        word.arg not in _PRINTED_OPTIONS
        for node in ast.walk(definition.node)
        if isinstance(node, ast.FunctionDef | ast.ClassDef)
        for item in node.decorator_list
        if isinstance(item, ast.Call)
        for word in item.keywords
    )


def _same_programs(script: Script, text: str) -> bool:
    """Whether a new text of the file reads back to the same programs under the same names."""
    again = read(replace(script.file, text=text, is_named=True))
    return [each.name for each in script.definitions] == [each.name for each in again.definitions] and all(
        after in again.programs and structural_equal(script.programs[before], again.programs[after])
        for before, after in zip(script.definitions, again.definitions, strict=True)
        if before in script.programs
    )
