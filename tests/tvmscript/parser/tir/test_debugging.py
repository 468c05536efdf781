"""`print` in a function: a format with a field for each expression; Python values are a part of it."""

from __future__ import annotations

import numpy as np
import pytest

import tvmscript
from tvmscript.ir.core.errors import TVMScriptError

FUNCTION = """
@T.prim_func
def main(A: T.Buffer((2,), "int32"), n: T.int32):
    print({})
"""
#: arguments of print, and what it prints where n is 7 and A is [3, 4]
PRINTED = {
    "n": "7",
    "'n is', n": "n is 7",
    "n, A[1], sep=', '": "7, 4",
    "f'{n}'": "7",
    "f'n is {n} and {A[0]:>4}|'": "n is 7 and    3|",
    "f'{n=}'": "n=7",
    "f'{{{n}}}'": "{7}",
    "'{}', n": "{} 7",
    "'{x}', f'{n}', sep='{}'": "{x}{}7",
    "f'{1 + 1} {2.5:.2f} {True}'": "2 2.50 True",
    'f\'{"a"!r} {"a"}\'': "'a' a",
    "n, f'{n + 1}', A[0] + n": "7 8 10",
}


@pytest.mark.parametrize("arguments", PRINTED)
def test_printed(arguments: str, capsys: pytest.CaptureFixture[str]) -> None:
    func = tvmscript.from_source(FUNCTION.format(arguments))
    tvmscript.build(func, target="interp")["main"](np.array([3, 4], "int32"), 7)
    assert capsys.readouterr().out == f"<text>:4: {PRINTED[arguments]}\n"


REFUSED = {
    "n, end=''": "end=... is not supported, only sep, a string",
    "n, sep=1": "sep=... is not supported, only sep, a string",
    "n, **{'sep': ''}": "** is not supported, only sep, a string",
    "*[n]": "list the values",
}


@pytest.mark.parametrize("arguments", REFUSED)
def test_refused(arguments: str) -> None:
    with pytest.raises(TVMScriptError) as caught:
        tvmscript.from_source(FUNCTION.format(arguments))
    assert REFUSED[arguments] in str(caught.value)
