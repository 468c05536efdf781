"""The programs of two files, and which of one are compared with which of the other."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from tvmscript.cli.errors import FileFailed, InvalidOption, NoPrograms, UnknownProgram
from tvmscript.cli.files import read_file
from tvmscript.cli.load_file import load
from tvmscript.cli.read_files import read
from tvmscript.differ import Diff, diff
from tvmscript.ir.core.module import BaseFunc, IRModule
from tvmscript.parser.programs import Program


def programs_of(path: str, run: bool = False) -> dict[str, Program]:
    """The programs of a file by name, or the one that `FILE:NAME` names.

    Raises `FileFailed`, `NoPrograms`, `UnknownProgram`, and what is wrong in the file.
    """
    file_name, name = _split(path)
    file = read_file(Path(file_name))
    if isinstance(file, FileFailed):
        raise file
    script = read(file)
    wanted = [each for each in script.definitions if name is None or each.name == name]
    found: dict[str, Program] = {each.name: script.programs[each] for each in wanted if each in script.programs}
    missing = [note for note in script.notes if name is None or note.facts.get("name") == name]
    if missing and run and file.path is not None:
        found = {each: program for each, program in load(file.path).programs.items() if name in (None, each)}
    elif missing:
        raise missing[0]
    for error in script.errors:
        if name is None or name not in found:
            raise error
    if not found and name is not None:
        raise UnknownProgram(file=file.name, name=name, hint=f"it has {', '.join(d.name for d in script.definitions)}")
    if not found:
        raise NoPrograms(file=file.name)
    return found


def one_program(path: str) -> Program:
    """The only program of a file, or the one that `FILE:NAME` names. Raises `InvalidOption` where there are several."""
    programs = programs_of(path)
    if len(programs) > 1:
        reason = f"{path} has several programs: {', '.join(programs)}"
        raise InvalidOption(option="FILE", reason=reason, hint="FILE:NAME is one of them")
    (program,) = programs.values()
    return program


def _split(path: str) -> tuple[str, str | None]:
    """The file, and the name of a program in it if one is given."""
    file, colon, name = path.rpartition(":")
    if not colon or Path(path).exists() or not name.isidentifier():
        return path, None
    return file, name


def compare(left: Mapping[str, Program], right: Mapping[str, Program], names: tuple[str, str]) -> list[Diff]:
    """The differences of two files: their functions taken together, and their modules by name."""
    if len(left) == len(right) == 1:
        return [diff(*left.values(), *right.values(), names=names)]
    found: list[Diff] = []
    functions, others = [_functions(side) for side in (left, right)], [_modules(side) for side in (left, right)]
    if functions[0] or functions[1]:
        found.append(diff(IRModule(functions[0]), IRModule(functions[1]), names=names))
    if len(others[0]) == len(others[1]) == 1:
        return [*found, diff(*others[0].values(), *others[1].values(), names=names)]
    for name in dict.fromkeys([*others[0], *others[1]]):
        pair = [side.get(name, IRModule()) for side in others]
        found.append(diff(*pair, names=(f"{names[0]}:{name}", f"{names[1]}:{name}")))
    return found


def _functions(programs: Mapping[str, Program]) -> dict[str, BaseFunc]:
    return {name: program for name, program in programs.items() if isinstance(program, BaseFunc)}


def _modules(programs: Mapping[str, Program]) -> dict[str, IRModule]:
    return {name: program for name, program in programs.items() if isinstance(program, IRModule)}
