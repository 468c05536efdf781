"""The external diff driver of git: `git config diff.tvmscript.command "tvmscript diff --git"`."""

from __future__ import annotations

import difflib
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from tvmscript.cli.errors import FileFailed, NoPrograms
from tvmscript.cli.files import read_file
from tvmscript.cli.named_programs import compare, programs_of
from tvmscript.cli.read_files import Script, read
from tvmscript.cli.report import FINE
from tvmscript.ir.core import TVMScriptError
from tvmscript.ir.core.visible import visible
from tvmscript.parser.diagnostics.errors import NothingDefined
from tvmscript.parser.programs import Program

#: first letter of a line of a difference -> colour
_COLORS: Final = {"-": "31", "+": "32", "@": "36"}
#: argument of git for a missing side
_NOTHING: Final = "/dev/null"


def external_diff(arguments: Sequence[str], color: bool, context: int) -> int:
    """Print the difference of two versions of a file. The exit code is always 0, as git takes others for a crash."""
    if len(arguments) == 1:
        print(f"* Unmerged path {arguments[0]}")
        return FINE
    path, old, _, old_mode, new, _, new_mode = arguments[:7]
    renamed = arguments[7] if len(arguments) > 7 else path
    sys.stdout.write(_heading(path, renamed, (old, old_mode), (new, new_mode)))
    try:
        left, right = _programs(old), _programs(new)
    except FileFailed as error:
        print(f"! {visible(error.text)}")
        return FINE
    except TVMScriptError as error:
        if not isinstance(error, (NoPrograms, NothingDefined)):
            print(f"! compared line by line: {visible(error.text)}")
        sys.stdout.writelines(_lines(old, new, (f"a/{path}", f"b/{renamed}"), context))
        return FINE
    names = (_name("a", path, old), _name("b", renamed, new))
    if left and right:
        outside = _lines_outside(old, new, context)
        for difference in compare(left, right, names):
            if difference.changes:
                print(difference.text(color, context))
            elif not outside:
                print("! the programs are equal, the texts differ")
        if outside:
            print(f"! outside of the programs\n--- {names[0]}\n+++ {names[1]}")
            for line in map(visible, outside):
                code = _COLORS.get(line[:1]) if color else None
                print(f"\x1b[{code}m{line}\x1b[0m" if code else line)
        return FINE
    if _is_python(old) or _is_python(new):
        # of a file that is added or deleted, other code is shown too
        sys.stdout.writelines(_lines(old, new, (f"a/{path}", f"b/{renamed}"), context))
        return FINE
    kind, programs = ("+", right) if right else ("-", left)
    print(f"--- {names[0]}\n+++ {names[1]}")
    code = "\x1b[32m{}\x1b[0m" if kind == "+" else "\x1b[31m{}\x1b[0m"
    for program in programs.values():
        for line in program.script().split("\n"):
            text = f"{kind}{line}".rstrip()
            print(code.format(text) if color else text)
    return FINE


def _programs(file: str) -> dict[str, Program]:
    return {} if file == _NOTHING else programs_of(file)


def _is_python(file: str) -> bool:
    script = None if file == _NOTHING else _script(file)
    return script is not None and script.is_python


def _script(path: str) -> Script:
    file = read_file(Path(path))
    if isinstance(file, FileFailed):
        raise file
    return read(file)


def _lines_outside(old: str, new: str, context: int) -> list[str]:
    """Return hunks of the lines outside of programs that differ, with the line numbers of the files."""
    left, right = _code_outside(_script(old)), _code_outside(_script(new))
    matcher = difflib.SequenceMatcher(None, [text for _, text in left], [text for _, text in right], autojunk=False)
    hunks: list[str] = []
    for group in matcher.get_grouped_opcodes(context):
        begin, other = group[0][1], group[0][3]
        hunks.append(f"@@ -{_number(left, begin)} +{_number(right, other)} @@")
        for kind, i, j, k, m in group:
            if kind == "equal":
                hunks += [f" {text}".rstrip() for _, text in left[i:j]]
            else:
                hunks += [f"-{text}".rstrip() for _, text in left[i:j]] + [
                    f"+{text}".rstrip() for _, text in right[k:m]
                ]
    return hunks


def _number(lines: list[tuple[int, str]], index: int) -> int:
    return lines[index][0] if index < len(lines) else lines[-1][0] if lines else 0


def _code_outside(script: Script) -> list[tuple[int, str]]:
    """Return the lines of a file with their numbers, and one line for each definition."""
    lines = script.file.text.splitlines(keepends=True)
    numbered = [(number, line.rstrip("\r\n")) for number, line in enumerate(lines, 1)]
    for definition in reversed(script.definitions):
        first, last = definition.first_line, definition.last_line(lines)
        numbered[first - 1 : last] = [(first, f"... {definition.name} ...")]
    return numbered


def _name(side: str, path: str, file: str) -> str:
    return _NOTHING if file == _NOTHING else f"{side}/{path}"


def _heading(path: str, renamed: str, old: tuple[str, str], new: tuple[str, str]) -> str:
    """Return the lines that git itself writes above a difference."""
    lines = [f"diff --tvmscript a/{path} b/{renamed}"]
    if old[0] == _NOTHING:
        lines.append(f"new file mode {new[1]}")
    elif new[0] == _NOTHING:
        lines.append(f"deleted file mode {old[1]}")
    elif old[1] != new[1]:
        lines += [f"old mode {old[1]}", f"new mode {new[1]}"]
    if renamed != path:
        lines += [f"rename from {path}", f"rename to {renamed}"]
    return "".join(f"{line}\n" for line in lines)


def _lines(old: str, new: str, names: tuple[str, str], context: int) -> list[str]:
    """Return the difference of two texts that are no programs."""
    left, right = [[] if name == _NOTHING else read_file(Path(name)).text.splitlines() for name in (old, new)]
    hunks = difflib.unified_diff(left, right, *names, n=context, lineterm="")
    return [f"{visible(line)}\n" for line in hunks]
