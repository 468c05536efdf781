"""Write files of definitions as scripts, one a family.

Such files are those of operators and of tensor expressions in `tests/cases`; `tvmscript.fuzz.records.operators` runs
them. Needs Python 3.12.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Final

from tools.records.choosing import cover, executed
from tvmscript.fuzz.records.operators import definitions, observe_definition
from tvmscript.fuzz.records.scripts import outcome_of_call

#: a family of more definitions has those that execute most
_MOST: Final = 24
_SCRIPT: Final = """\
from tvmscript.fuzz.records.operators import check_definitions

TEXT = {0!r}

check_definitions(TEXT, {1!r})
"""


def definition_scripts(folder: Path, area: str) -> Iterator[str]:
    """Write the definitions of the files below a folder; of large families, those that execute most of an area."""
    for file in sorted(folder.rglob("*.py")):
        for family in _families(file.read_text("utf-8")):
            try:
                names = _chosen(family, area)
            except Exception as error:  # noqa: BLE001  # a file may need what records do not have
                print(f"{file}: {type(error).__name__}: {error}", file=sys.stderr)
                continue
            if names:
                yield _SCRIPT.format(family, names)


def _families(text: str) -> Iterator[str]:
    """Write each generator of a file that has a public name with what it uses."""
    statements = [each for each in ast.parse(text).body if not _is_docstring(each)]
    places = {name: place for place, each in enumerate(statements) for name in _defined(each)}
    for place, statement in enumerate(statements):
        if not isinstance(statement, ast.FunctionDef) or statement.name.startswith("_"):
            continue
        if not any(isinstance(node, ast.Yield) for node in ast.walk(statement)):
            continue
        used, queue = {place}, [place]
        while queue:
            more = {places[name] for name in _names(statements[queue.pop()]) & places.keys()} - used
            used |= more
            queue += more
        yield "\n".join(ast.get_source_segment(text, statements[each]) or "" for each in sorted(used)) + "\n"


def _names(statement: ast.stmt) -> set[str]:
    """Return the names that a statement reads, and does not define."""
    names = [node for node in ast.walk(statement) if isinstance(node, ast.Name)]
    own = {node.id for node in names if isinstance(node.ctx, ast.Store)}
    return {node.id for node in names} - (own if isinstance(statement, ast.FunctionDef) else set())


def _is_docstring(statement: ast.stmt) -> bool:
    return isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)


def _defined(statement: ast.stmt) -> Iterator[str]:
    match statement:
        case ast.FunctionDef(name=name) | ast.ClassDef(name=name) | ast.AnnAssign(target=ast.Name(id=name)):
            yield name
        case ast.Import(names=names) | ast.ImportFrom(names=names):
            yield from (each.asname or each.name.partition(".")[0] for each in names)
        case ast.Assign(targets=targets):
            yield from (node.id for target in targets for node in ast.walk(target) if isinstance(node, ast.Name))
        case _:
            pass


def _chosen(family: str, area: str) -> list[str]:
    """Choose all definitions of a family; of many, those that together execute each line and branch twice."""
    reached: dict[str, frozenset[int]] = {}
    with executed(area) as take:
        take()
        for name, parts in definitions(family):
            outcome_of_call(partial(observe_definition, parts))
            reached[name] = take()
    return [*reached] if len(reached) <= _MOST else cover(reached)
