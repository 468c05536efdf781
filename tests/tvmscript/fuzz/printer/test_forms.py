"""Forms of texts: each reads back with options, and kernels print as they are written."""

from __future__ import annotations

import pytest

from tvmscript.fuzz.printer.area import Canonical, Newer, Printed, check
from tvmscript.fuzz.printer.forms import GRAPHS, KERNELS, TILES, read_form
from tvmscript.testing.errors import PrintsDifferent


@pytest.mark.parametrize("text", [*KERNELS, *GRAPHS])
def test_forms(text: str) -> None:
    program = read_form(text)
    check(Printed(program, {}))
    check(Printed(program, {"syntax_sugar": False}))
    check(Newer(program))


@pytest.mark.parametrize(
    ("text", "dialect"), [*[(each, "0.17") for each in KERNELS], *[(each, "0.27") for each in TILES]]
)
def test_canonical_forms(text: str, dialect: str) -> None:
    check(Canonical(text, dialect))


def test_a_text_that_prints_otherwise() -> None:
    with pytest.raises(PrintsDifferent):
        check(Canonical(KERNELS[0].replace("T.Range(0, 4)", "T.Range(0, 2 + 2)"), "0.17"))
