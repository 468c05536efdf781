"""A line of the package that is written wrong."""

from __future__ import annotations

from dataclasses import dataclass
from importlib.util import cache_from_source
from pathlib import Path

ROOT = Path(__file__).parents[2]


class PatchError(Exception):
    """A patch that does not say where it is applied, or after which the package cannot be imported."""


def write_planted(file: Path, text: str) -> None:
    """Replace a file of a copy, and drop the bytecode of the former one."""
    file.unlink()  # the copy may share the file with the original
    file.write_text(text, "utf-8")
    for bytecode in Path(cache_from_source(str(file))).parent.glob(f"{file.stem}.*.pyc"):
        bytecode.unlink()


@dataclass(frozen=True)
class Patch:
    """In a file of the package, `old` stands once; `new` is the bug, in place of it."""

    name: str
    #: from the root of the repository
    file: str
    old: str
    new: str
    #: the mistake, in words
    what: str
    #: passes that use the file, where it is not that of a pass
    subjects: tuple[str, ...] = ()
    #: arguments of pytest, where tests look for it and no fuzzer does
    tests: tuple[str, ...] = ()

    def applied(self, text: str) -> str:
        """Return the text of the file with the bug. Raises `PatchError`."""
        count = text.count(self.old)
        if count != 1:
            raise PatchError(f"{self.name}: in {self.file} {self.old!r} is there {count} times")
        return text.replace(self.old, self.new)

    def plant(self, root: Path) -> None:
        """Write the bug into a copy of the package."""
        file = root / self.file
        write_planted(file, self.applied(file.read_text("utf-8")))
