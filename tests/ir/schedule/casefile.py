"""Case files of schedules: a program, what is done to it, and the program afterwards, in the language itself.

    # One sentence: what this shows. It stands in the language reference above the example.
    # differs from TVM: reason                      optional: the oracle is not asked
    # values differ: reason                         optional: the programs are not run
    <program: a function, or a module>
    # schedule
    def schedule(sch):
        ...
    # after
    <program>

`tests/cases/schedule/<primitive>.py` is the example of a primitive; `<primitive>-<what>.py` are more of them.
`UPDATE_GOLDEN=1 pytest` writes what comes out into the files; look at the difference before committing it.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import tvmscript
from tests.ir.schedule.scripts import load_script
from tvmscript.ir.core.module import IRModule
from tvmscript.ir.schedule.schedule import Schedule
from tvmscript.ir.tir.function import PrimFunc

CASES = Path(__file__).parents[2] / "cases" / "schedule"
_SCHEDULE = "\n# schedule\n"
_AFTER = "\n# after\n"
_DIFFERS = "# differs from TVM:"
_VALUES = "# values differ:"


@dataclass(frozen=True)
class Case:
    """One file."""

    path: Path
    header: tuple[str, ...]
    before: str
    script: str
    after: str

    @property
    def primitive(self) -> str:
        """The primitive that the case is about."""
        return self.path.stem.partition("-")[0]

    @property
    def sentence(self) -> str:
        """What the case shows."""
        lines = [line for line in self.header if not line.startswith((_DIFFERS, _VALUES))]
        return " ".join(line.removeprefix("# ") for line in lines)

    @property
    def tvm_differs(self) -> str | None:
        """Why TVM's result is another one."""
        return self._reason(_DIFFERS)

    @property
    def values_differ(self) -> str | None:
        """Why the program is not run before and after."""
        return self._reason(_VALUES)

    def _reason(self, key: str) -> str | None:
        return next((line.removeprefix(key).strip() for line in self.header if line.startswith(key)), None)

    def program(self) -> IRModule | PrimFunc:
        made = tvmscript.from_source(self.before)
        assert isinstance(made, IRModule | PrimFunc)
        return made

    def scheduled(self) -> Schedule:
        """The schedule after the script."""
        sch = Schedule(self.program())
        load_script(self.script)(sch)
        return sch

    def result(self) -> IRModule | PrimFunc:
        """The program after the script: a function where a function was given."""
        before, after = self.program(), self.scheduled().mod
        if isinstance(before, IRModule):
            return after
        made = after["main"]
        assert isinstance(made, PrimFunc)
        return made

    def update(self, after: str) -> None:
        """Write another text afterwards into the file."""
        before = "\n".join(self.header) + "\n" + self.before.strip() + "\n"
        self.path.write_text(f"{before}{_SCHEDULE}{self.script.strip()}\n{_AFTER}{after.strip()}\n")


def load(path: Path) -> Case:
    """Read a case file."""
    before, _, rest = path.read_text().partition(_SCHEDULE)
    script, _, after = rest.partition(_AFTER)
    lines = before.splitlines()
    count = next(index for index, line in enumerate(lines) if not line.startswith("# ") or line.startswith("# from"))
    return Case(path, tuple(lines[:count]), "\n".join(lines[count:]), script, after)


def cases() -> list[Path]:
    """All case files, by name."""
    return sorted(CASES.glob("*.py"))
