"""Notes about definitions of a name: in a scope that has ended, after its use, or as a later parameter."""

from __future__ import annotations

import pytest

import tvmscript
from tvmscript import T
from tvmscript.ir.core.errors import TVMScriptError

ENDED = "for i in range(4):\n    x = T.float32(1)\n    A[i] = x\nA[0] = x"
LATER = "A[0] = x\nx = T.float32(1)\nA[1] = x"
NOWHERE = "A[0] = x"
AGAIN = "for i in range(4):\n    x = T.float32(1)\nfor j in range(4):\n    x = T.float32(2)\nA[0] = x"


def _function(body: str) -> str:
    lines = [f"    {line}" for line in body.splitlines()]
    return "\n".join(['@T.prim_func\ndef f(A: T.Buffer((16,), "float32"), n: T.int32):', *lines]) + "\n"


def _indented(text: str) -> str:
    return "".join(f"    {line}\n" for line in text.splitlines())


def _notes(text: str) -> list[tuple[str, int]]:
    with pytest.raises(TVMScriptError) as caught:
        tvmscript.from_source(text)
    return [(note, span.line if span is not None else 0) for span, note in caught.value.errors[0].notes]


@pytest.mark.parametrize(
    ("body", "notes"),
    [
        (ENDED, [("x is defined here, in a scope that has ended", 4)]),
        (AGAIN, [("x is defined here, in a scope that has ended", 6)]),
        (LATER, [("x is defined here, after its use", 4)]),
        (NOWHERE, []),
        (f"{ENDED}\n" + "A[0] = 1.0\n" * 10_050, []),
    ],
    ids=["ended", "twice", "later", "nowhere", "long"],
)
def test_definitions_in_a_function(body: str, notes: list[tuple[str, int]]) -> None:
    assert _notes(_function(body)) == notes


def test_functions_of_modules() -> None:
    """Other functions have names of their own."""
    others = [_function("y = T.float32(1)\nA[0] = y").replace("def f", f"def {name}") for name in "gh"]
    module = "@I.ir_module\nclass Module:\n" + _indented(others[0] + _function(ENDED) + others[1])
    assert _notes(module) == [("x is defined here, in a scope that has ended", 2 + 4 + 4)]


def test_functions_of_python_files() -> None:
    """They may be indented."""
    with pytest.raises(TVMScriptError) as caught:

        @T.prim_func
        def f(a: T.handle) -> None:
            A = T.match_buffer(a, (16,), "float32")
            for i in range(4):
                x = T.float32(1)
                A[i] = x
            A[0] = x  # pyright: ignore[reportPossiblyUnboundVariable]  # what is tested

    ((span, note),) = caught.value.errors[0].notes
    assert note == "x is defined here, in a scope that has ended"
    assert span is not None
    assert span.source.line(span.line).strip() == "x = T.float32(1)"


def test_parameters_behind() -> None:
    with pytest.raises(TVMScriptError) as caught:
        tvmscript.from_source('@T.prim_func\ndef f(A: T.Buffer((n,), "float32"), n: T.int32):\n    A[0] = 1.0\n')
    assert caught.value.errors[0].hint == "put the parameter n in front of this one"
