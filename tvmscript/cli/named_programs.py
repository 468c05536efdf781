"""Programs of files by `FILE:NAME`, and differences between the programs of two files."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final

from tvmscript.cli.errors import FileFailed, InvalidOption, NoPrograms, UnknownProgram
from tvmscript.cli.files import File, find, read_file
from tvmscript.cli.load_file import load
from tvmscript.cli.read_files import read
from tvmscript.differ import Diff, diff
from tvmscript.ir.core import BaseFunc, IRModule
from tvmscript.parser.programs import Program

#: stands for a file that one side of a comparison does not have, as in git
ABSENT: Final = "/dev/null"


def programs_of(path: str, run: bool = False) -> dict[str, Program]:
    """Return the programs of a file by name, or the one that `FILE:NAME` names.

    Raises `FileFailed`, `NoPrograms`, `UnknownProgram`, and the errors of the file.
    """
    file_name, name = _split(path)
    file = read_file(Path(file_name))
    if isinstance(file, FileFailed):
        raise file
    script = read(file)
    definitions = [entry for entry in script.definitions if name is None or entry.name == name]
    programs: dict[str, Program] = {
        entry.name: script.programs[entry] for entry in definitions if entry in script.programs
    }
    missing = [note for note in script.notes if name is None or note.facts.get("name") == name]
    if missing and run and file.path is not None:
        programs = {key: program for key, program in load(file.path).programs.items() if name in (None, key)}
    elif missing:
        raise missing[0]
    for error in script.errors:
        if name is None or name not in programs:
            raise error
    if not programs and name is not None:
        raise UnknownProgram(
            file=file.name, name=name, hint=f"it has {', '.join(entry.name for entry in script.definitions)}"
        )
    if not programs:
        raise NoPrograms(file=file.name)
    return programs


def add_program(parser: argparse.ArgumentParser) -> None:
    """Add the argument that names one program."""
    parser.add_argument(
        "path", metavar="FILE", help="a file, or - for standard input; FILE:NAME is one of its programs"
    )


def one_program(path: str) -> Program:
    """Return the only program of a file, or the one that `FILE:NAME` names. Raises `InvalidOption` for several."""
    programs = programs_of(path)
    if len(programs) > 1:
        reason = f"{path} has several programs: {', '.join(programs)}"
        raise InvalidOption(option="FILE", reason=reason, hint="write FILE:NAME for one of them")
    (program,) = programs.values()
    return program


def _split(path: str) -> tuple[str, str | None]:
    """Split `FILE:NAME` into the file and the name, None without one."""
    file, colon, name = path.rpartition(":")
    if not colon or Path(path).exists() or not name.isidentifier():
        return path, None
    return file, name


def compare(left: Mapping[str, Program], right: Mapping[str, Program], names: tuple[str, str]) -> list[Diff]:
    """Return the differences of two files: of all functions together, and of modules by name."""
    if len(left) == len(right) == 1:
        return [diff(*left.values(), *right.values(), names=names)]
    diffs: list[Diff] = []
    functions, others = [_functions(side) for side in (left, right)], [_modules(side) for side in (left, right)]
    if functions[0] or functions[1]:
        diffs.append(diff(IRModule(functions[0]), IRModule(functions[1]), names=names))
    if len(others[0]) == len(others[1]) == 1:
        return [*diffs, diff(*others[0].values(), *others[1].values(), names=names)]
    for name in dict.fromkeys([*others[0], *others[1]]):
        pair = [side.get(name, IRModule()) for side in others]
        diffs.append(diff(*pair, names=(f"{names[0]}:{name}", f"{names[1]}:{name}")))
    return diffs


def pairs_of_files(old: Path, new: Path) -> list[tuple[str, str]]:
    """Return the files with programs below two folders, paired by their paths; equal texts are left out.

    A file that only one folder has is paired with `ABSENT`.
    """
    sides = [{Path(file.name).relative_to(folder): file for file in _files(folder)} for folder in (old, new)]
    pairs = [[side.get(path) for side in sides] for path in sorted({*sides[0], *sides[1]})]
    return [
        (ABSENT if left is None else left.name, ABSENT if right is None else right.name)
        for left, right in pairs
        if left is None or right is None or left.text != right.text
    ]


def _files(folder: Path) -> Iterator[File]:
    """Yield the files below a folder that have programs. Raises `FileFailed`."""
    for file in find([str(folder)]):
        if isinstance(file, FileFailed):
            raise file
        script = read(file)
        if script.definitions or script.errors:
            yield file


def _functions(programs: Mapping[str, Program]) -> dict[str, BaseFunc]:
    return {name: program for name, program in programs.items() if isinstance(program, BaseFunc)}


def _modules(programs: Mapping[str, Program]) -> dict[str, IRModule]:
    return {name: program for name, program in programs.items() if isinstance(program, IRModule)}
