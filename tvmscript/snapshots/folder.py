"""`Snapshots`: a pass instrument that writes the program after every pass."""

from __future__ import annotations

from pathlib import Path

from tvmscript.ir.core import IRModule
from tvmscript.ir.transform.context import PassInfo
from tvmscript.ir.transform.pass_record import PassRecord, PassRun
from tvmscript.snapshots.index import render_index


class Snapshots(PassRecord):
    """Writes a numbered file for every pass without nested passes, and `index.html` on exit from the context.

    Creates the folder, and removes numbered files and the index of an earlier run from it. Each program is written when
    its pass ends, so the files before a failure exist, and the index shows the error.
    """

    def __init__(self, folder: Path | str) -> None:
        super().__init__()
        self.folder = Path(folder)
        #: id of a finished pass -> its file
        self.files: dict[int, str] = {}
        self._is_fresh = True

    def enter_pass_ctx(self) -> None:
        self.clear()
        self.files = {}
        self._is_fresh = True

    def run_before_pass(self, mod: IRModule, info: PassInfo) -> None:
        if self._is_fresh:
            self._is_fresh = False
            self.folder.mkdir(parents=True, exist_ok=True)
            for path in [*self.folder.glob("[0-9][0-9][0-9]_*.py"), *self.folder.glob("index.html")]:
                path.unlink()
            self._write(0, "input", "# the input program\n", mod)
        super().run_before_pass(mod, info)

    def run_after_pass(self, mod: IRModule, info: PassInfo) -> None:
        ran = self._open[-1]
        super().run_after_pass(mod, info)
        if not ran.inside:
            self.files[id(ran)] = self._write(len(self.files) + 1, info.name, _heading(ran), mod)

    def exit_pass_ctx(self) -> None:
        if self.passes:
            (self.folder / "index.html").write_text(render_index(self, self.files), encoding="utf-8")

    def _write(self, number: int, name: str, heading: str, mod: IRModule) -> str:
        plain = "".join(letter if letter.isalnum() or letter in "._-" else "_" for letter in name)
        file = f"{number:03}_{plain}.py"
        (self.folder / file).write_text(f"{heading}{mod.script()}\n", encoding="utf-8")
        return file


def _heading(ran: PassRun) -> str:
    """Return the comment lines that begin a file."""
    changed = "" if ran.changed else ", which changed nothing"
    lines = [f"after {ran.info.text or ran.info.name}{changed}", ran.info.summary]
    return "".join(f"# {line}\n" for line in lines if line)
