"""Laws of the printer's additions to a text: comments, underlines, notes, line numbers.

check_comments(text)              # every comment of the text is printed
check_marks(program, node)        # underlined nodes exist; without the marks the text is unchanged
"""

from __future__ import annotations

import ast
import random
import re
from itertools import pairwise
from typing import Any

from tvmscript.ir.core import BaseFunc, IRModule, Node, TVMScriptError, nodes
from tvmscript.ir.core.equality.equal import first_difference
from tvmscript.ir.core.span import lines_of
from tvmscript.ir.tir import Expr, SeqStmt, Stmt
from tvmscript.parser.entry import from_source


class MarksWrong(TVMScriptError, code="TS8058"):
    """A printer option that only adds to a text changed the text, or added at the wrong place."""

    message = "{what}:\n{text}"


def _require(holds: bool, what: str, text: str) -> None:
    if not holds:
        raise MarksWrong(what=what, text=text)


# Comments

_OWN = re.compile(r"# (from tvm|with |tvmscript:|Metadata)")


def commented(text: str, r: random.Random) -> str:
    """Add comments to a text: above and behind statements."""
    lines = [line.rstrip("\r\n") for line in lines_of(text)]
    commented_lines: list[str] = []
    starts = _starts(text)
    count = 0
    for number, line in enumerate(lines, 1):
        indent = line[: len(line) - len(line.lstrip())]
        if number in starts and r.random() < 0.25:
            commented_lines.append(f"{indent}# remark {count}")
            count += 1
        if starts.get(number) == number and "#" not in line and r.random() < 0.2:
            line += f"  # remark {count}"
            count += 1
        commented_lines.append(line)
    return "\n".join(commented_lines) + "\n"


def _starts(text: str) -> dict[int, int]:
    """Map the first line of each statement in a function to its last line; 0 for compound statements."""
    columns: dict[int, int] = {}
    for function in ast.walk(ast.parse(text)):
        if not isinstance(function, ast.FunctionDef):
            continue
        for node in ast.walk(function):
            if isinstance(node, ast.stmt) and node is not function:
                is_simple = not hasattr(node, "body")
                columns[node.lineno] = (node.end_lineno or 0) if is_simple else 0
    return columns


def _remarks(text: str) -> list[str]:
    """The comments in any order: declarations at the top of a function may move."""
    return sorted(re.findall(r"# (remark \d+)", text))


def check_comments(text: str) -> None:
    """Check that comments survive printing and a second round trip. Raises `MarksWrong`."""
    program = from_source(text)
    printed = program.script()
    _require(_remarks(printed) == _remarks(text), f"the comments are not those of\n{text}", printed)
    again = from_source(printed).script()
    _require(_remarks(again) == _remarks(text), f"the comments are not those of\n{printed}", again)
    plain = program.script(comments=False)
    _require(not _remarks(plain), "there are comments that are not asked for", plain)
    # a loop with a comment is no part of T.grid
    _require(_without_remarks(again) == _without_remarks(printed), f"comments change the text\n{printed}", again)


def _without_remarks(text: str) -> str:
    text = re.sub(r"^ *# remark \d+\n", "", text, flags=re.MULTILINE)
    return re.sub(r" *# remark \d+", "", text)


# Underlines, notes, numbers

_UNDERLINE = re.compile(r"^ *\^[ ^]*$")


def check_marks(program: Node, r: random.Random) -> None:
    """Check that underlines, notes and line numbers change nothing else of a text. Raises `MarksWrong`."""
    plain = program.script(comments=False)
    parts = [node for node in nodes(program) if isinstance(node, (Expr, Stmt)) and not node.is_name]
    if not parts:
        return
    node = r.choice(parts)
    marked = program.script(obj_to_underline=[node], comments=False)
    lines = marked.split("\n")
    kept = [line for line in lines if not _UNDERLINE.match(line)]
    _require("\n".join(kept) == plain, f"underlining changes the text\n{plain}", marked)
    if isinstance(node, Expr):
        _check_underlined(lines, marked)
    numbered = program.script(print_line_numbers=True, comments=False).split("\n")
    width = len(numbered[0]) - len(plain.split("\n")[0])
    stripped = "\n".join(line[width:] for line in numbered)
    texts = [line[:width].strip() for line in numbered]
    _require(stripped.rstrip() == plain.rstrip(), "numbers of lines change the text", "\n".join(numbered))
    _require(
        texts == [str(number) for number in range(1, len(numbered) + 1)], "lines are numbered otherwise", str(texts)
    )
    statements = [part for part in parts if isinstance(part, Stmt) and not isinstance(part, SeqStmt)]
    if statements and isinstance(program, (BaseFunc, IRModule)):
        noted = program.script(obj_to_annotate={r.choice(statements): "remark 0"}, comments=False)
        again = from_source(noted, check_well_formed=False)
        found_difference = first_difference(program, again, map_free_vars=True)
        _require(found_difference is None, f"a note changes the program\n{plain}", noted)
        _require(len(_remarks(noted)) == 1, f"there is not one note\n{plain}", noted)


def _check_underlined(lines: list[str], marked: str) -> None:
    """Check that an underline covers an expression."""
    for above, line in pairwise(lines):
        if not _UNDERLINE.match(line) or _UNDERLINE.match(above):
            continue
        for run in re.finditer(r"\^+", line):
            told: Any = above[run.start() : run.end()]
            is_cut = any(above[at - 1 : at].isalnum() and above[at : at + 1].isalnum() for at in run.span())
            _require(told == told.strip() and not is_cut, f"{told!r} is underlined", marked)
            try:
                ast.parse(told.strip(), mode="eval")
            except SyntaxError:
                _require(_is_statement(told), f"{told!r} is underlined", marked)


def _is_statement(text: str) -> bool:
    """Test whether a text is a statement, or the head of a compound statement."""
    for candidate in (text.strip(), f"{text.strip()} pass", f"if True: pass\n{text.strip()} pass", f"x[{text}]"):
        try:
            ast.parse(candidate)
        except SyntaxError:
            continue
        return True
    return False
