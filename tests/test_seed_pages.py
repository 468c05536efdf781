"""The examples have every statement of the pages in ../shared/seeds, in order and as it stands there.

Layout, comments and quotes are free, and imports name `tvmscript` for `tvm`. The text of the pages does not mark
code, and that of one has no indentation: what is neither prose nor output must be a statement of the example.
"""

from __future__ import annotations

import inspect
import io
import re
import tokenize
from collections.abc import Iterator
from pathlib import Path

import pytest

from tvmscript import relay

_PAGES = Path(__file__).parents[2] / "shared" / "seeds"
_EXAMPLES = Path(__file__).parent.parent / "examples"
pytestmark = pytest.mark.skipif(not _PAGES.exists(), reason=f"the pages are not there: {_PAGES}")

_PROSE = re.compile("[\u3000-\u303f\u4e00-\u9fff\uff00-\uffef\u2022]")
_OUTPUT = re.compile(r"Show code cell output|\[I\.GlobalVar|\[\[|URLError|/workspace")
#: words of prose on lines of their own
_WORDS = {"LegalizeOps", "AnnotateTIROpPattern", "FoldConstant", "FuseOps"}
_LAYOUT = {tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT, tokenize.ENDMARKER}
#: what a statement of a page is in an example: `tvm` is another name, torchvision and Pillow have stand-ins
_REPLACED = [
    (r"^import tvm$", "import tvmscript as tvm"),
    (r"^from tvm\b", "from tvmscript"),
    (r"^(import torchvision|from (PIL|torchvision) import .*)$", ""),
]


def _statements(text: str) -> Iterator[str]:
    """Return the statements and heads of statements of a program, each as its tokens."""
    words: list[str] = []
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type not in _LAYOUT:
            words.append(token.string.replace("'", '"'))
        elif token.type == tokenize.NEWLINE:
            yield " ".join(words)
            words.clear()


def _program(page: str, first: str, last: str) -> str:
    """Return the code of a page from one line to another one."""
    lines = iter((_PAGES / page).read_text(encoding="utf-8").splitlines())
    code: list[str] = []
    is_output = False
    for line in (each.strip() for each in lines):
        is_prose = bool(_PROSE.search(line.partition(" #")[0])) and not line.startswith("#")
        is_output = not is_prose and (is_output or bool(_OUTPUT.match(line)))
        is_code = not (is_prose or is_output or line in _WORDS)
        if line == first:
            code = [line]
        elif is_code and code:
            code.append(line)
        if code and line.startswith(last):
            return "\n".join([*code, ""])
    raise AssertionError(f"{page} has no line {last}")


@pytest.mark.parametrize(
    ("page", "first", "last", "example", "count"),
    [
        ("tensor_expression.txt", "import tvm", 'print("Result', "te/vector_add.py", 18),
        ("tensor_expression.txt", "import tvm", 'print("Matrix', "te/parallel_matmul.py", 24),
        ("irmodule_tutorial.txt", "import os", "assert np.allclose", "relax/irmodule_page.py", 88),
        ("end_to_end_flow.txt", "import tvm", 'print("Torch', "relay/resnet18.py", 56),
    ],
)
def test_statements(page: str, first: str, last: str, example: str, count: int) -> None:
    ours = list(_statements((_EXAMPLES / example).read_text(encoding="utf-8")))
    statements = list(_statements(_program(page, first, last)))
    assert len(statements) == count
    place = 0
    for statement in statements:
        expected = statement
        for pattern, replacement in _REPLACED:
            expected = re.sub(pattern, replacement, expected)
        if expected.startswith(("import", "from")):
            assert expected in ours
        elif expected:
            assert expected in ours[place:], f"{example} lacks, or has elsewhere: {statement}"
            place = ours.index(expected, place) + 1


def test_names_of_the_virtual_machine() -> None:
    """Functions and classes have the parameters of the page, of the same names, order and defaults."""
    text = (_PAGES / "relay_vm.txt").read_text(encoding="utf-8")
    owner = ""
    checked: list[str] = []
    for kind, name, parameters in re.findall(r"(class|def) (\w+)\(([^)]*)\)", text):
        owner = name if kind == "class" else owner
        # AutoTVM's records are absent, and a function within a method
        if kind == "class" or name in ("_tophub_context", "_vm_wrapper"):
            continue
        function = getattr(getattr(relay.vm, owner), name) if owner else getattr(relay.vm, name)
        signature = inspect.signature(function)
        ours = [str(each.replace(annotation=inspect.Parameter.empty)) for each in signature.parameters.values()]
        assert ", ".join(ours) == parameters.replace(" = ", "="), f"{owner}.{name}"
        checked.append(name)
    assert checked == [
        *("compile", "__init__", "set_params", "get_params", "lower", "codegen", "optimize", "get_exec"),
        *("__init__", "_make_executor"),
    ]
