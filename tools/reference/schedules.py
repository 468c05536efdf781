"""schedule.md: how schedules are used, and every primitive with the program before and after it.

The examples are the case files of the tests, which run them, compare them with TVM, and run their programs.
"""

from __future__ import annotations

import inspect
import re
from pathlib import Path
from typing import Any

from tvmscript.ir.schedule.instruction import InstructionKind
from tvmscript.ir.schedule.schedule import Schedule

#: the examples: a program, what is done to it, and the program afterwards
EXAMPLES = Path(__file__).parents[2] / "tests" / "cases" / "schedule"

#: the order of the headings; others follow
_ORDER = (
    "Blocks and loops", "Loops", "Loop kinds", "Block placement", "Reductions and padding", "Buffer copies",
    "Memory and layout", "Blockization and tensorization", "Annotations", "Sampling",
)  # fmt: skip
#: methods that are no primitives
_METHODS = ("get", "get_sref", "copy", "remove_rv", "enter_postproc", "show")


def families() -> dict[str, list[str]]:
    """Heading -> methods of a schedule. The heading of a primitive is the docstring of its base of `Schedule`."""
    headings: dict[str, list[str]] = {heading: [] for heading in _ORDER}
    for base in Schedule.__bases__:
        heading = (base.__doc__ or "").removesuffix(".")
        own = [cls for cls in base.__mro__ if cls.__module__ == base.__module__]
        names = dict.fromkeys(name for cls in own for name in vars(cls) if not name.startswith("_"))
        headings.setdefault(heading, []).extend(names)
    return {**headings, "Methods": list(_METHODS)}


#: what stands above it is written by hand
_MARK = "<!-- From here on written by `python -m tools.reference`, out of docstrings and tests/cases/schedule. -->"
_PAGE = Path(__file__).parents[2] / "grammar_docs" / "schedule.md"

#: lines above an example that are about its tests
_NOTE = re.compile("(differs from TVM|values differ):")


def schedules() -> str:
    """The page."""
    by_hand, mark, _ = _PAGE.read_text(encoding="utf-8").partition(_MARK)
    assert mark, f"{_PAGE} has a line {_MARK}"
    parts = [by_hand.strip(), _MARK, "# Primitives", _contents()]
    for heading, names in families().items():
        parts.append(f"## {heading}")
        for name in names:
            parts += _method(name)
    return "\n\n".join(parts) + "\n"


def _contents() -> str:
    return "\n".join(
        f"- {heading}: {', '.join(f'[{name}](#{name})' for name in names)}" for heading, names in families().items()
    )


def _method(name: str) -> list[str]:
    """A method: its signature, what it does, and its examples."""
    method: Any = getattr(Schedule, name)
    signature = inspect.signature(method)
    parameters = [item for item in signature.parameters.values() if item.name != "self"]
    shown = str(signature.replace(parameters=parameters)).replace("'", "")
    parts = [f"### {name}", f"`sch.{name}{shown}`", inspect.cleandoc(method.__doc__ or "")]
    parts += _promises(name)
    for path in [EXAMPLES / f"{name}.py", *sorted(EXAMPLES.glob(f"{name}-*.py"))]:
        if path.exists():
            parts += _example(path.read_text(encoding="utf-8"))
    return parts


def _promises(name: str) -> list[str]:
    """What a primitive promises, in a line; nothing of what changes no program."""
    kind = next((each for each in InstructionKind.registry.values() if each.method == name), None)
    if kind is None or kind.is_pure:
        return []
    promises = kind.promises
    words = ["the values are kept" if promises.keeps_values else "TVM's step, which this is, may change values"]
    if promises.keeps_values:
        words.append("bit by bit" if promises.is_exact else "but for rounding")
    words += ["a second time changes nothing"] if promises.is_idempotent else []
    words += [f"`{promises.undone_by}` undoes it"] if promises.undone_by else []
    words += [f"commutes with {', '.join(promises.commutes_with)}"] if promises.commutes_with else []
    return [f"Promises: {', '.join(words)}."]


def _example(text: str) -> list[str]:
    """A case file: what it shows, the program before, what is done, the program after."""
    before, _, rest = text.partition("\n# schedule\n")
    script, _, after = rest.partition("\n# after\n")
    lines = before.splitlines()
    start = next(place for place, line in enumerate(lines) if not line.startswith("# ") or line.startswith("# from"))
    header = [line.removeprefix("# ") for line in lines[:start]]
    said = " ".join(line for line in header if not _NOTE.match(line))
    differs = [
        f"Differs from TVM: {line.partition(': ')[2]}." for line in header if line.startswith("differs from TVM")
    ]
    before, after = "\n".join(lines[start:]), after.removeprefix("# from tvm.script import tir as T\n")
    return [
        " ".join([said, *differs]),
        f"```python no-run\n{before.strip()}\n```",
        f"```py\n{script.strip()}\n```",
        f"```python no-run\n{after.strip()}\n```",
    ]
