"""A line of the package that is written wrong."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[2]


class PatchError(Exception):
    """A patch that does not say where it is applied, or after which the package cannot be imported."""


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

    def applied(self, text: str) -> str:
        """The text of the file with the bug. Raises `PatchError`."""
        count = text.count(self.old)
        if count != 1:
            raise PatchError(f"{self.name}: in {self.file} {self.old!r} is there {count} times")
        return text.replace(self.old, self.new)

    def plant(self, root: Path) -> None:
        """Write the bug into a copy of the package."""
        file = root / self.file
        made = self.applied(file.read_text("utf-8"))
        file.unlink()  # the copy may share the file with the original
        file.write_text(made, "utf-8")
