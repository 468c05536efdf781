"""Lines of texts, as Python counts them."""

from __future__ import annotations

import io

from hypothesis import given
from hypothesis import strategies as st

from tvmscript.ir.core.span import Source, lines_of

#: what ends lines, here or for `str.splitlines`
TEXTS = st.text(st.sampled_from("ab\n\r\f\v\x1c\x1d\x1e\x85\u2028\u2029"))


@given(TEXTS)
def test_lines_are_those_of_python(text: str) -> None:
    """Those of a file with universal newlines, as which Python reads programs."""
    lines = lines_of(text)
    assert "".join(lines) == text
    expected = list(io.StringIO(text, newline=None))
    assert [line.rstrip("\r\n") for line in lines] == [line.rstrip("\n") for line in expected]
    assert Source(text).lines == [line.rstrip("\n") for line in expected]
