"""The lines of a definition are those that `inspect.getsource` finds."""

from __future__ import annotations

import inspect
from typing import Any

import pytest

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
