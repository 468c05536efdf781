"""passes.md: how passes are run, every pass with a program before and after it, the options of pass contexts.

The examples are case files of the tests, which run them, compare them with TVM, and run their programs.
"""

from __future__ import annotations

import inspect
import re
import textwrap
from collections.abc import Mapping
from pathlib import Path

from tools.reference.markdown import table
from tvmscript.ir.transform.base import Pass
from tvmscript.ir.transform.options import OPTIONS, fields_of
from tvmscript.ir.transform.registry import graph_pass_modules, pass_class, pass_modules

_CASES = Path(__file__).parents[2] / "tests" / "cases"
#: the examples: a program, and what the pass makes of it
EXAMPLES = _CASES / "transform"
GRAPH_EXAMPLES = _CASES / "relax_transform"

#: folder of passes -> heading
FAMILIES: Mapping[str, str] = {
    "blocks": "Blocks",
    "loops": "Loops",
    "expressions": "Expressions and statements",
    "memory": "Memory",
    "dtypes": "Data types",
    "threads": "Threads",
    "tensor_cores": "Tensor cores and copies of GPUs",
    "functions": "Functions",
    "host_device": "Host and device",
    "calling_convention": "Calling conventions",
    "checks": "Checks",
}

#: folder of graph passes -> heading
GRAPH_FAMILIES: Mapping[str, str] = {
    "normal_form": "Graphs: normal form",
    "parameters": "Graphs: parameters and results",
    "operators": "Graphs: operators",
    "fusion": "Graphs: fusion",
    "memory": "Graphs: memory",
    "devices": "Graphs: virtual devices",
    "vm": "Graphs: the virtual machine",
    "distributed": "Graphs: several devices",
}

#: what stands above it is written by hand
_MARK = "<!-- From here on written by `python -m tools.reference`, out of docstrings and tests/cases/transform. -->"
_PAGE = Path(__file__).parents[2] / "grammar_docs" / "passes.md"

#: lines of an example that are about its tests
_NOTE = re.compile("# (pass|differs from TVM|values|not well formed|raises):")
#: notes of cases that are no examples
_NO_EXAMPLE = re.compile("# (raises|starts from):")


def passes() -> str:
    """The page."""
    by_hand, mark, _ = _PAGE.read_text(encoding="utf-8").partition(_MARK)
    assert mark, f"{_PAGE} has a line {_MARK}"
    families: dict[str, list[type[Pass]]] = {heading: [] for heading in (*FAMILIES.values(), *GRAPH_FAMILIES.values())}
    for name, module in pass_modules().items():
        # the default schedules bind loops to threads
        family = module.split(".")[3] if ".transform." in module else "threads"
        families[FAMILIES[family]].append(pass_class(name))
    for name, module in graph_pass_modules().items():
        families[GRAPH_FAMILIES[module.split(".")[4]]].append(pass_class(name))
    families = {heading: classes for heading, classes in families.items() if classes}
    parts = [by_hand.strip(), _MARK, "# Passes"]
    parts.append("\n".join(f"- {heading}: {_links(classes)}" for heading, classes in families.items()))
    for heading, classes in families.items():
        parts.append(f"## {heading}")
        for cls in classes:
            parts += _pass(cls)
    parts += ["# Options of pass contexts", _options()]
    return "\n\n".join(parts) + "\n"


def _links(classes: list[type[Pass]]) -> str:
    return ", ".join(f"[{cls.__name__}](#{_anchor(cls)})" for cls in classes)


def _anchor(cls: type[Pass]) -> str:
    """What a heading is reached by: its letters, small."""
    return cls.name.lower().replace(".", "")


def _pass(cls: type[Pass]) -> list[str]:
    """What a pass does, its options, and an example."""
    parts = [f"### {cls.name}", cls.summary(), *_told(inspect.getdoc(cls) or "")]
    rows = [(f"`{name}`", f"`{default}`", f"`{key}`" if key else "") for name, default, key in fields_of(cls)]
    if rows:
        parts.append(table(("option", "default", "option of the pass context"), rows))
    return [part for part in parts if part] + _example(cls)


def _told(text: str) -> list[str]:
    """The docstring; a block under a line that ends with a colon is a program."""
    parts: list[str] = []
    for paragraph in text.split("\n\n"):
        head, _, rest = paragraph.partition("\n")
        if rest and head.endswith(":") and all(line.startswith("    ") for line in rest.splitlines() if line):
            parts += [head, f"```text\n{textwrap.dedent(rest)}\n```"]
        elif paragraph.startswith("    ") and parts and parts[-1].startswith("```text"):
            parts[-1] = parts[-1].removesuffix("\n```") + f"\n\n{textwrap.dedent(paragraph)}\n```"
        elif paragraph:
            parts.append(paragraph)
    return parts


def _example(cls: type[Pass]) -> list[str]:
    """The shortest of the cases of a pass: the program before, and the one after."""
    modules, examples = (
        (pass_modules(), EXAMPLES) if cls.name in pass_modules() else (graph_pass_modules(), GRAPH_EXAMPLES)
    )
    folder = examples / modules[cls.name].rpartition(".")[2]
    texts = [path.read_text(encoding="utf-8") for path in sorted(folder.glob("*.py"))]
    shown = [text for text in texts if "\n# after\n" in text and not _NO_EXAMPLE.search(text)]
    if not shown:
        return []
    before, _, after = min(shown, key=len).partition("\n# after\n")
    lines = before.splitlines()
    written = lines[0].removeprefix("# pass:").strip()
    program = "\n".join(line for line in lines if not _NOTE.match(line))
    imports = re.compile(r"\A(# from .*\n)+\n?")
    made = imports.sub("", after)
    return [f"`{written}` makes of", f"```py\n{program.strip()}\n```", f"```py\n{made.strip()}\n```"]


def _options() -> str:
    rows: list[tuple[str, ...]] = []
    for key, option in OPTIONS.items():
        fields = ", ".join(f"`{name}={default}`" for name, default in option.fields.items())
        rows.append((f"`{key}`", option.kind.value, option.meaning + (f": {fields}" if fields else "")))
    return table(("option", "takes", "meaning"), rows)
