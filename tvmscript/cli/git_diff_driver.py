"""The external diff driver of git: `git config diff.tvmscript.command "tvmscript diff --git"`."""

from __future__ import annotations

import difflib
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from tvmscript.cli.errors import FileFailed
from tvmscript.cli.files import read_file
from tvmscript.cli.named_programs import compare, programs_of
from tvmscript.cli.report import FINE
from tvmscript.ir.core.errors import TVMScriptError
from tvmscript.parser.programs import Program

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
        print(f"! {error.text}")
        return FINE
    except TVMScriptError as error:
        print(f"! compared line by line: {error.text}")
        sys.stdout.writelines(_lines(old, new, (f"a/{path}", f"b/{renamed}"), context))
        return FINE
    names = (_name("a", path, old), _name("b", renamed, new))
    if left and right:
        for difference in compare(left, right, names):
            if difference.changes:
                print(difference.text(color, context))
            else:
                print("! the programs are equal, the texts differ")
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
    return [f"{line}\n" for line in difflib.unified_diff(left, right, *names, n=context, lineterm="")]
