"""The generated pages of `grammar_docs/`, and the tables behind them: they have the forms that the parser has."""

from __future__ import annotations

import ast
import re
from pathlib import Path
from typing import Any

import pytest

import tvmscript
from tools.reference import forms, schedules
from tools.reference.forms import EXPRESSIONS, OUTSIDE, PARTS, REFUSED, STATEMENTS, Form, Refused
from tools.reference.graph_level import all_operators
from tools.reference.pages import PAGES, pages
from tvmscript import R, T
from tvmscript.ir import assert_structural_equal
from tvmscript.ir.schedule.instruction import InstructionKind
from tvmscript.parser import programs
from tvmscript.parser.names.namespace import Builtin
from tvmscript.parser.python import evaluator, operations
from tvmscript.parser.tir import body
from tvmscript.schedule import Schedule

DOCS = Path(tvmscript.__file__).parent.parent / "grammar_docs"


@pytest.mark.parametrize(("name", "text"), list(pages()), ids=PAGES)
def test_up_to_date(name: str, text: str) -> None:
    assert (DOCS / name).read_text(encoding="utf-8") == text, "run python -m tools.reference"


def nodes(table: tuple[Form, ...]) -> set[type]:
    return {form.node for form in table}


def test_grammar_has_the_forms_of_the_parser() -> None:
    assert nodes(OUTSIDE) == set(programs.TOP_LEVEL)
    assert nodes(STATEMENTS) == set(body.STATEMENTS)
    assert nodes(EXPRESSIONS) == set(evaluator.EXPRESSIONS)
    assert set(forms.OPERATORS) == set(operations.BINARY)
    assert set(forms.COMPARISONS) == set(operations.COMPARE)
    assert set(forms.UNARY) == set(operations.UNARY)


@pytest.mark.parametrize("kind", [ast.stmt, ast.expr, ast.operator, ast.cmpop], ids=lambda kind: kind.__name__)
def test_every_form_of_python_is_there_or_refused(kind: type[ast.AST]) -> None:
    python = {cls for cls in kind.__subclasses__() if cls.__module__ == "ast" and cls.__doc__ != "Deprecated"}
    refused = {item.node for item in REFUSED} | {ast.IsNot, ast.NotIn}
    known = {*nodes(STATEMENTS), *nodes(EXPRESSIONS), *PARTS, *forms.OPERATORS, *forms.COMPARISONS, *refused}
    assert {cls.__name__ for cls in python - known} <= {"TypeAlias", "TemplateStr", "Interpolation"}


def cases(table: tuple[Form, ...]) -> list[Any]:
    return [
        pytest.param(example, id=f"{form.rule}-{number}")
        for form in table
        for number, example in enumerate(form.examples)
    ]


def reads_back(text: str) -> None:
    program = tvmscript.from_source(text)
    printed = program.script()
    again = tvmscript.from_source(printed)
    assert_structural_equal(program, again)
    assert again.script() == printed


@pytest.mark.parametrize("example", cases(OUTSIDE))
def test_forms_around_functions(example: str) -> None:
    reads_back(example)


@pytest.mark.parametrize("example", cases(STATEMENTS))
def test_statements(example: str) -> None:
    reads_back(forms.function(example))


@pytest.mark.parametrize("example", cases(EXPRESSIONS))
def test_expressions(example: str) -> None:
    reads_back(forms.function(forms.statement(example)))


@pytest.mark.parametrize("item", REFUSED, ids=lambda item: item.what)
def test_refused_forms(item: Refused) -> None:
    with pytest.raises(tvmscript.DiagnosticError) as caught:
        tvmscript.from_source(forms.function(item.example))
    assert caught.value.code == item.code


def test_grammar_defines_what_it_uses() -> None:
    text = (DOCS / "grammar.md").read_text(encoding="utf-8")
    rules = re.search(r"```ebnf\n(.*?)```", text, re.DOTALL)
    assert rules is not None
    defined = re.findall(r"^(\w+) =", rules[1], re.MULTILINE)
    assert len(defined) == len(set(defined))
    used = set(re.findall(r"\b[a-z]\w*\b", re.sub(r'"[^"]*"', "", rules[1])))
    assert used == set(defined)


def test_every_name_is_on_the_page() -> None:
    text = (DOCS / "names.md").read_text(encoding="utf-8")
    missing = [name for name in dir(T) if not re.search(rf"`T\.{name}\b", text)]
    assert missing == []


def test_every_operator_has_a_row() -> None:
    """The table says what the registry says: signature, purity, precision, meaning; and what is inferred."""
    text = (DOCS / "operators.md").read_text(encoding="utf-8")
    rows = dict(re.findall(r"^\| `(R\.[\w.]+)` \| (.*) \|$", text, re.MULTILINE))
    operators = list(all_operators())
    assert len(operators) > 200
    assert {each.script_name for each in operators} <= set(rows)
    assert all(f"R.{name}" in rows for name in dir(R) if isinstance(getattr(R, name), Builtin))
    assert rows["R.matmul"].startswith("`x1: Expr, x2: Expr, out_dtype: dtype \\| None = None` | yes | always | The")
    assert " | no | " in rows["R.print"]
    assert rows["R.matmul"].endswith("| `float32[n, 4], float32[4, 8]` → `float32[n, 8]`")
    found = {name: [cell.strip() for cell in re.split(r"(?<!\\)\|", row)] for name, row in rows.items()}
    assert not [name for name, cells in found.items() if not cells[3 if len(cells) == 5 else -1]]
    # those without an example take functions, devices or values of one place, or say themselves what they give
    assert sum(len(cells) == 5 and not cells[4] for cells in found.values()) < 40


def test_every_primitive_is_on_the_page() -> None:
    named = [name for names in schedules.families().values() for name in names]
    assert sorted(set(named)) == sorted(named)
    assert {kind.method for kind in InstructionKind.registry.values()} <= set(named)
    page = schedules.schedules()
    for name in named:
        assert not hasattr(Schedule, name) or f"\n### {name}\n" in page
