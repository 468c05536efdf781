"""How many values a display, a call or an f-string may have."""

from __future__ import annotations

import pytest

import tvmscript
from tvmscript.parser.diagnostics.errors import ValueTooLarge
from tvmscript.parser.python import literals


@pytest.mark.parametrize(
    "expression",
    ["len([{}])", "len(({}))", "max({})", "len({{{}}})", "max(*[{}], 0)", "len(f'{}')"],
)
@pytest.mark.parametrize("count", [3, 4, 5])
def test_as_many_values_as_the_limit(expression: str, count: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(literals, "MAX_PARTS", 4)
    parts = [f"{place}" for place in range(count)]
    if expression == "len({{{}}})":
        parts = [f"{part}: 1" for part in parts]
    elif expression.startswith("len(f"):
        parts = [f"{{{part}}}" for part in parts]
    text = expression.format(("" if expression.startswith("len(f") else ", ").join(parts))
    program = f"@T.prim_func\ndef f():\n    T.evaluate({text})\n"
    if count > 4:
        with pytest.raises(ValueTooLarge):
            tvmscript.from_source(program)
    else:
        assert tvmscript.from_source(program).script().endswith(f"T.evaluate({count - 1 if 'max' in text else count})")
