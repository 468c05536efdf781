"""Case files of passes: a program before and after, in the language itself.

    # pass: tir.VectorizeLoop(max_lanes=8)          which pass, with literal arguments and fields
    # differs from TVM: reason                      optional: the oracle is not asked
    # values: not compared: reason                  optional: the programs cannot be run, or need not compute the same
    # not well formed: reason                       optional: the program is read without the check
    # raises: BlockInLoops                          optional: the class of the error; its text stands behind `# after`
    # starts from: mlp/vectorized.py                optional: the program is the result of another case, and not written
    <program>
    # after
    <program>

Other lines of the header say what the case shows. `UPDATE_GOLDEN=1 pytest` writes what comes out into the files; look
at the difference before committing it.
"""

from __future__ import annotations

import ast
import dataclasses
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import tvmscript
from tvmscript.ir.transform.base import Pass
from tvmscript.ir.transform.options import OPTIONS
from tvmscript.ir.transform.registry import get_pass, pass_class

CASES = Path(__file__).parents[2] / "cases" / "transform"
GRAPH_CASES = CASES.parent / "relax_transform"
_SEPARATOR = "\n# after\n"


@dataclass(frozen=True)
class Case:
    """One file."""

    path: Path
    header: tuple[str, ...]
    before: str
    after: str

    def _said(self, key: str) -> str | None:
        """What the header says behind a key."""
        found = [line for line in self.header if line.startswith(f"# {key}:")]
        return found[0].removeprefix(f"# {key}:").strip() if found else None

    @property
    def call(self) -> ast.Call:
        """The pass as it is written in the header."""
        text = self._said("pass")
        assert text is not None, f"{self.path} names no pass"
        parsed = ast.parse(text if "(" in text else f"{text}()", mode="eval").body
        assert isinstance(parsed, ast.Call)
        return parsed

    @property
    def pass_name(self) -> str:
        return ast.unparse(self.call.func)

    @property
    def pass_class(self) -> type[Pass]:
        return pass_class(self.pass_name)

    @property
    def arguments(self) -> list[Any]:
        return [ast.literal_eval(word) for word in self.call.args]

    @property
    def options(self) -> dict[str, Any]:
        return {str(word.arg): ast.literal_eval(word.value) for word in self.call.keywords}

    @property
    def config(self) -> dict[str, Any]:
        """TVM's pass context: those fields that are options there."""
        made: dict[str, Any] = {}
        keys = {each.name: each.metadata.get("option") for each in dataclasses.fields(self.pass_class)}
        group = OPTIONS[self.pass_name].fields if self.pass_name in OPTIONS else {}
        for name, value in self.options.items():
            if name in group:
                made.setdefault(self.pass_name, {})[name] = value
            elif keys.get(name):
                made[str(keys[name])] = value
        return made

    @property
    def tvm_pass(self) -> str:
        """TVM's pass with the arguments that are none of its options."""
        config = self.config
        in_config = {*config.get(self.pass_name, {})}
        in_config |= {
            each.name for each in dataclasses.fields(self.pass_class) if each.metadata.get("option") in config
        }
        words = [repr(value) for value in self.arguments]
        words += [f"{name}={value!r}" for name, value in self.options.items() if name not in in_config]
        return f"{self.pass_name}({', '.join(words)})" if words and self.target is None else self.pass_name

    @property
    def target(self) -> Any:
        """The target that TVM's `BindTarget` is made with."""
        return self.arguments[0] if self.pass_name == "tir.BindTarget" else None

    @property
    def tvm_differs(self) -> str | None:
        """Why TVM's result is another one."""
        return self._said("differs from TVM")

    @property
    def no_values(self) -> str | None:
        """Why values are not compared."""
        said = self._said("values")
        assert said is None or said.startswith("not compared: "), self.path
        return said

    @property
    def start(self) -> Path | None:
        """The case whose result the pass starts from."""
        said = self._said("starts from")
        return None if said is None else self.path.parents[1] / said

    @property
    def error(self) -> str | None:
        """The class of the error that the pass raises."""
        return self._said("raises")

    def make_pass(self) -> Pass:
        return get_pass(self.pass_name, *self.arguments, **self.options)

    def program(self) -> Any:
        return tvmscript.from_source(self.before, check_well_formed=self._said("not well formed") is None)

    def update(self, after: str) -> None:
        program = "" if self.start else self.before.strip() + "\n"
        text = "\n".join(self.header) + "\n" + program + _SEPARATOR + after.strip() + "\n"
        self.path.write_text(text)


def load(path: Path) -> Case:
    """Read a case file."""
    before, _, after = path.read_text().partition(_SEPARATOR)
    lines = before.splitlines()
    program = (index for index, line in enumerate(lines) if not line.startswith("# ") or line.startswith("# from"))
    count = next(program, len(lines))
    case = Case(path, tuple(lines[:count]), "\n".join(lines[count:]), after)
    start = case.start
    return case if start is None else dataclasses.replace(case, before=load(start).after)


def cases(folder: Path = CASES) -> list[Path]:
    """All case files, by folder and name."""
    return sorted(folder.glob("*/*.py"))
