"""The lines of a definition are those that `inspect.getsource` finds."""

from __future__ import annotations

import inspect
import sys
from typing import Any

import pytest

from tvmscript import I, T
from tvmscript.ir.core import IRModule
from tvmscript.ir.tir import PrimFunc
from tvmscript.parser.diagnostics.errors import NoSource
from tvmscript.parser.source.lookup import register_source, source_of

DEFINITIONS = {
    "plain": "def f():\n    return 1\n\n\nx = 1\n",
    "last": "def f():\n    return 1",
    "one line": "def f(): return 1\nx = 1\n",
    "decorated": "@keep\n@(\nkeep\n)\ndef f():\n    return 1\nx = 1\n",
    "heading over lines": "def f(\n    a=1,\n):\n    return a\nx = 1\n",
    "heading in column 0": "def f(\na=1,\nb=(\n2),\n):\n    return a\nx = 1\n",
    "string in column 0": 'def f():\n    a = """\none\ndef g(): pass\n"""\n    return a\nx = 1\n',
    "brackets in column 0": "def f():\n    a = [\n1,\n2,\n]\n    return a\nx = 1\n",
    "many lines in column 0": "def f():\n    a = [\n" + "1,\n" * 40 + "]\n    return a\nx = 1\n",
    "backslash": "def f():\n    a = 1 + \\\n2\n    return a\nx = 1\n",
    "comment in column 0": "def f():\n    a = 1\n# here\n    return a\n# there\nx = 1\n",
    "comment last": "def f():\n    return 1\n    # here\n\n# there\nx = 1\n",
    "indented": "if True:\n    def f():\n        return 1\n    x = 1\n",
    "tabs": "if True:\n\tdef f():\n\t\treturn 1\n\tx = 1\n",
    "async": "async def f():\n    return 1\nx = 1\n",
    "statement without code at the end": "def f():\n    return 1\n    'a'\n    (\n1)\nx = 1\n",
    "nested": "def f():\n    def g():\n        return 1\n    return g\nx = 1\n",
}


@pytest.mark.parametrize("text", DEFINITIONS.values(), ids=DEFINITIONS)
def test_source_of_function(text: str) -> None:
    namespace: dict[str, Any] = {"keep": lambda item: item, "__name__": __name__}
    exec(compile(text, register_source(text), "exec"), namespace)
    function = namespace["f"]
    source = source_of(function).source.text
    assert source.removeprefix("if True:\n") == inspect.getsource(function)


def test_source_of_class_without_functions() -> None:
    class Empty:
        size = 1

    assert source_of(Empty).source.text == "if True:\n    class Empty:\n        size = 1\n"


CLASSES = {
    "plain": ("class C:\n", False),
    "of a base": ("class C(object):\n", False),
    "decorated": ("@keep\nclass C:\n", False),
    "module": ("@I.ir_module\nclass C:\n", True),
    "module with options": ("@I.ir_module(\n    check_well_formed=False,\n)\nclass C:\n", True),
    "module and another decorator": ("@keep\n@I.ir_module\nclass C:\n", True),
    "behind a module": (
        "@I.ir_module\nclass B:\n  @T.prim_func\n  def f(n: T.int32):\n    T.evaluate(n)\n\n@keep\nclass C:\n",
        False,
    ),
    "in a class": ("class B:\n  class C:\n", False),
}


@pytest.mark.parametrize("name", CLASSES)
def test_classes_of_functions(name: str) -> None:
    """Functions of a module are read with it, others where they are defined."""
    heading, is_module = CLASSES[name]
    indent = "    " if "  class" in heading else "  "
    text = heading + f"{indent}@T.prim_func\n{indent}def f(n: T.int32):\n{indent}  T.evaluate(n)\n"
    namespace: dict[str, Any] = {"keep": lambda item: item, "I": I, "T": T, "__name__": __name__}
    exec(compile(text, register_source(text), "exec"), namespace)
    owner = namespace["B"].C if "  class" in heading else namespace["C"]
    assert isinstance(owner, IRModule) == is_module
    assert isinstance(owner["f"] if is_module else owner.f, PrimFunc)


class _History:
    """The history of a prompt."""

    def __init__(self, lines: list[str]) -> None:
        self.lines = lines

    def get_current_history_length(self) -> int:
        return len(self.lines)

    def get_history_item(self, number: int) -> str | None:
        return self.lines[number - 1]


def test_source_at_the_prompt(monkeypatch: pytest.MonkeyPatch) -> None:
    """The newest lines that compile to the function are its source."""
    lines = ["x = 1", "def f():", "    return 2", "def f():", "    y = 1", "    return y"]
    namespace: dict[str, Any] = {"__name__": __name__}
    for first, last in ((1, 3), (3, 6)):
        monkeypatch.setitem(sys.modules, "readline", _History(lines[:last]))
        text = "\n".join([*lines[first:last], ""])
        exec(compile(text, "<stdin>", "single"), namespace)
        assert source_of(namespace["f"]).source.text.rstrip() == text.rstrip()
    monkeypatch.delitem(sys.modules, "readline")
    with pytest.raises(NoSource):
        source_of(namespace["f"])


def test_source_of_an_argument(monkeypatch: pytest.MonkeyPatch) -> None:
    """`python -c` has the text in its arguments."""
    text = "def f():\n    return 3\n\nx = f()\n"
    monkeypatch.setattr(sys, "orig_argv", ["python", "-c", text, "f"])
    namespace: dict[str, Any] = {"__name__": __name__}
    exec(compile(text, "<string>", "exec"), namespace)
    assert source_of(namespace["f"]).source.text.rstrip() == "def f():\n    return 3"
