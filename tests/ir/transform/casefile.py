"""Case files of passes: a program before and after, in the language itself.

    # pass: tir.VectorizeLoop(max_lanes=8)          which pass, with literal options
    # differs from TVM: reason                      optional: the oracle is not asked
    <program>
    # after
    <program>

`UPDATE_GOLDEN=1 pytest` writes what comes out into the files; look at the difference before committing it.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import tvmscript
from tvmscript.ir.transform.base import Pass
from tvmscript.ir.transform.registry import get_pass

CASES = Path(__file__).parents[2] / "cases" / "transform"
_SEPARATOR = "\n# after\n"


@dataclass(frozen=True)
class Case:
    """One file."""

    path: Path
    header: tuple[str, ...]
    before: str
    after: str

    @property
    def call(self) -> ast.Call:
        """The pass as it is written in the header."""
        text = next(line for line in self.header if line.startswith("# pass:")).removeprefix("# pass:").strip()
        parsed = ast.parse(text if "(" in text else f"{text}()", mode="eval").body
        assert isinstance(parsed, ast.Call)
        return parsed

    @property
    def pass_name(self) -> str:
        return ast.unparse(self.call.func)

    @property
    def options(self) -> dict[str, Any]:
        return {str(word.arg): ast.literal_eval(word.value) for word in self.call.keywords}

    @property
    def tvm_differs(self) -> str | None:
        """Why TVM's result is another one."""
        found = [line for line in self.header if line.startswith("# differs from TVM:")]
        return found[0].removeprefix("# differs from TVM:").strip() if found else None

    def make_pass(self) -> Pass:
        return get_pass(self.pass_name, **self.options)

    def program(self) -> Any:
        return tvmscript.from_source(self.before)

    def update(self, after: str) -> None:
        text = "\n".join(self.header) + "\n" + self.before.strip() + "\n" + _SEPARATOR + after.strip() + "\n"
        self.path.write_text(text)


def load(path: Path) -> Case:
    """Read a case file."""
    before, _, after = path.read_text().partition(_SEPARATOR)
    lines = before.splitlines()
    count = next(index for index, line in enumerate(lines) if not line.startswith("# ") or line.startswith("# from"))
    return Case(path, tuple(lines[:count]), "\n".join(lines[count:]), after)


def cases() -> list[Path]:
    """All case files, by folder and name."""
    return sorted(CASES.glob("*/*.py"))
