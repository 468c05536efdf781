"""Pass instruments with TVM's names: print modules, measure times, dump texts.

`tvmscript.testing.verify` has instruments that check the module after every pass; `tvmscript.snapshots` writes a folder
of texts, differences and an index.
"""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path
from typing import Any

from tvmscript.ir.core import IRModule, WrongType
from tvmscript.ir.transform.context import PassInfo, PassInstrument
from tvmscript.ir.transform.pass_record import PassRecord


def pass_instrument(pi_cls: type[Any] | None = None) -> Any:
    """Turn a class with some hooks of `PassInstrument` into an instrument class.

    @pass_instrument
    class Count:
        def __init__(self): self.count = 0
        def run_after_pass(self, mod, info): self.count += 1
    """

    def make(cls: type[Any]) -> type[PassInstrument]:
        if not isinstance(cls, type):
            raise WrongType(where="pass_instrument", expected="a class", got=repr(cls))
        if issubclass(cls, PassInstrument):
            return cls
        members = {"__doc__": cls.__doc__, "__module__": cls.__module__, "__qualname__": cls.__qualname__}
        return type(cls.__name__, (cls, PassInstrument), members)

    return make if pi_cls is None else make(pi_cls)


class PrintBeforeAll(PassInstrument):
    """Print the module before every pass."""

    def run_before_pass(self, mod: IRModule, info: PassInfo) -> None:
        print("Before Running Pass:", info)
        print(mod.script())


class PrintAfterAll(PassInstrument):
    """Print the module after every pass."""

    def run_after_pass(self, mod: IRModule, info: PassInfo) -> None:
        print("After Running Pass:", info)
        print(mod.script())


class PassPrintingInstrument(PassInstrument):
    """Print the module before and after passes of these names."""

    def __init__(
        self, print_before_pass_names: Collection[str] = (), print_after_pass_names: Collection[str] = ()
    ) -> None:
        self.print_before_pass_names = print_before_pass_names
        self.print_after_pass_names = print_after_pass_names

    def run_before_pass(self, mod: IRModule, info: PassInfo) -> None:
        if info.name in self.print_before_pass_names:
            print(f"Print IR before: {info.name}\n{mod.script()}\n\n")

    def run_after_pass(self, mod: IRModule, info: PassInfo) -> None:
        if info.name in self.print_after_pass_names:
            print(f"Print IR after: {info.name}\n{mod.script()}\n\n")


class PassTimingInstrument(PassRecord):
    """Measure passes and nested passes. The record is cleared when the context is left."""

    def exit_pass_ctx(self) -> None:
        self.clear()

    def render(self) -> str:
        """Return a line for each pass: time, own time, share of the total and of the enclosing pass."""
        lines: list[str] = []
        above = [self.seconds]
        for depth, run in self:
            del above[depth + 1 :]
            of_total, parent = (100 * run.seconds / (whole or 1.0) for whole in (above[0], above[depth]))
            time, own = (f"{seconds * 1e6:.0f}us" for seconds in (run.seconds, run.own_seconds))
            lines.append("\t" * depth + f"{run.info.name}: {time} [{own}] ({of_total:.2f}%; {parent:.2f}%)\n")
            above.append(run.seconds)
        return "".join(lines)


class DumpIR(PassInstrument):
    """Write the module after every pass to a numbered file of a folder.

    With `refresh`, existing numbered files are deleted first; other files are kept.
    """

    def __init__(self, dump_dir: Path | str, refresh: bool = False) -> None:
        self.dump_dir = Path(dump_dir)
        self.counter = 0
        for path in self.dump_dir.glob("[0-9][0-9][0-9]_*.py") if refresh else ():
            path.unlink()

    def run_after_pass(self, mod: IRModule, info: PassInfo) -> None:
        self.dump_dir.mkdir(parents=True, exist_ok=True)
        name = "".join(letter if letter.isalnum() or letter in "._-" else "_" for letter in info.name)
        (self.dump_dir / f"{self.counter:03}_{name}.py").write_text(mod.script() + "\n", encoding="utf-8")
        self.counter += 1
