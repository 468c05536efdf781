"""Comments of the source text, attached to statements.

They are read from the source (`span.source`) when a program is printed. A comment on a line of its own belongs to the
statement below it, or, if it is indented deeper, to the end of the body above. A comment behind code belongs to that
statement. The comments of a removed statement go to the next one. Lines that the printer writes itself (imports, the
root block, `# tvmscript: ...`) are not comments.
"""

from __future__ import annotations

import io
import re
import token
import tokenize
from bisect import bisect_right
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from weakref import WeakKeyDictionary

from tvmscript.ir.core import BaseFunc, IRModule, Node
from tvmscript.ir.core.span import Source
from tvmscript.ir.core.visible import visible
from tvmscript.ir.tir import Block, BlockRealize, SeqStmt, Stmt
from tvmscript.printer.notes import Notes, line_names

#: text after the # of comments that the printer writes itself
_PRINTED = "|".join(
    (
        r" from tvm\.script import \w+ as \w+$",
        r" from typing import (Annotated|TypeVar)$",
        r" from tvm\.tirx\.layout import Axis$",
        r' with \w+\.s?block\("root"\):$',
        r" tvmscript: ",
        r" Metadata omitted\. ",
    )
)
#: other comments
_COMMENT = re.compile(f"#(?!{_PRINTED})", re.MULTILINE)
_SKIPPED = frozenset([token.NL, token.INDENT, token.DEDENT, token.ENDMARKER])


@dataclass(slots=True)
class Line:
    """A logical line of code: first and last line in the file, indentation, text."""

    start: int
    end: int
    column: int
    text: str

    @property
    def is_continuation(self) -> bool:
        """Whether it continues the statement above it."""
        return re.match(r"(else|elif)\b", self.text) is not None

    @property
    def is_definition(self) -> bool:
        return self.text.startswith(("def ", "class ", "@"))


@dataclass(slots=True)
class Comment:
    """A comment, or a string statement."""

    line: int
    column: int
    text: str
    is_behind_code: bool


def _dedent(line: str, column: int) -> str:
    """Return a line without up to `column` columns of leading white space; blank lines become empty."""
    return line[min(column, len(line) - len(line.lstrip())) :] if line.strip() else ""


class SourceComments:
    """The comments and lines of code of a source; a decorator and its definition are one line of code."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self.code: list[Line] = []
        self.comments: list[Comment] = []
        self._scan()
        self.starts = [line.start for line in self.code]

    def _scan(self) -> None:
        offset = self.source.first_line - 1
        lines = self.source.text.split("\n")
        first: tokenize.TokenInfo | None = None
        is_string = True
        decorator: Line | None = None
        for current in tokenize.generate_tokens(io.StringIO(self.source.text).readline):
            if current.type == token.COMMENT:
                if not re.match(_PRINTED, current.string[1:]):
                    is_behind = first is not None or lines[current.start[0] - 1][: current.start[1]].strip() != ""
                    self.comments.append(
                        Comment(current.start[0] + offset, current.start[1], visible(current.string), is_behind)
                    )
            elif current.type == token.NEWLINE:
                assert first is not None
                start, column = first.start
                if is_string:
                    text = "\n".join(_dedent(line, column) for line in lines[start - 1 : current.start[0]])
                    while self.comments and self.comments[-1].line >= start + offset:
                        self.comments.pop()  # a comment behind the string is part of the text
                    self.comments.append(Comment(start + offset, column, visible(text), False))
                else:
                    line = Line(start + offset, current.start[0] + offset, column, lines[start - 1][column:])
                    if decorator is not None:
                        for comment in reversed(self.comments):
                            if comment.line < decorator.start:
                                break
                            comment.is_behind_code &= comment.line >= line.start
                        decorator.end, decorator.text = line.end, line.text
                        line = decorator
                    else:
                        self.code.append(line)
                    decorator = line if line.text.startswith("@") else None
                first, is_string = None, True
            elif current.type not in _SKIPPED:
                first = first or current
                is_string = is_string and current.type == token.STRING

    def code_at(self, line: int) -> int | None:
        """Return the index of the line of code that contains a line of the file, None where no code does."""
        index = bisect_right(self.starts, line) - 1
        return index if index >= 0 and line <= self.code[index].end else None

    def code_before(self, line: int) -> int:
        """Return the index of the last line of code that begins at or before a line of the file, -1 for none."""
        return bisect_right(self.starts, line) - 1

    def around(self, index: int) -> int | None:
        """Return the index of the line of code whose body contains a line of code."""
        column = self.code[index].column
        return next((i for i in range(index - 1, -1, -1) if self.code[i].column < column), None)

    def end(self, index: int) -> int:
        """Return the index of the first line of code behind a line and its body."""
        column = self.code[index].column
        code = self.code
        after = range(index + 1, len(code))
        return next((i for i in after if code[i].column <= column and not code[i].is_continuation), len(code))


_scanned: WeakKeyDictionary[Source, SourceComments | None] = WeakKeyDictionary()


def comments_of(source: Source) -> SourceComments | None:
    """Return the comments of a source, None where it has none. A source is scanned once."""
    try:
        return _scanned[source]
    except KeyError:
        comments = _scanned[source] = _scan(source)
        return comments


def _scan(source: Source) -> SourceComments | None:
    if not (_COMMENT.search(source.text) or '"""' in source.text or "'''" in source.text):
        return None
    try:
        scan = SourceComments(source)
    except (tokenize.TokenError, SyntaxError):
        return None  # no program is read from such a text
    return scan if scan.comments else None


def sources_of(root: Node) -> list[Source]:
    """Return the source texts of a program, without those of macros."""
    roots: Iterable[Node] = (root,)
    if isinstance(root, IRModule):
        roots = (root, *root.functions.values())
    elif isinstance(root, SeqStmt):
        roots = root.seq
    sources: list[Source] = []
    for node in roots:
        span = node.span
        if span is not None and span.source not in sources:
            sources.append(span.source)
    return sources


def collect_comments(root: Node, notes: Notes) -> None:
    """Add the comments of the source text to the notes of the statements they belong to."""
    sources = sources_of(root)
    scans = {source: scan for source in sources if (scan := comments_of(source)) is not None}
    if not scans:
        return
    anchors: dict[Source, dict[int, Node]] = {source: {} for source in scans}
    for node in _statements(root):
        span = node.span
        if span is not None and span.source in anchors and not isinstance(node, SeqStmt):
            index = scans[span.source].code_at(span.line)
            if index is not None:
                anchors[span.source].setdefault(index, node)
    for source, scan in scans.items():
        if anchors[source]:
            _CommentPlacer(scan, anchors[source], isinstance(root, Stmt)).place(notes)


def _statements(root: Node) -> Iterator[Node]:
    """Yield functions and statements in program order, outer ones first."""
    stack: list[object] = [root]
    while stack:
        item = stack.pop()
        if isinstance(item, (Stmt, BaseFunc, IRModule)) or (isinstance(item, Node) and item.has_lines):
            yield item
            stack += [getattr(item, name) for name in reversed(item.schema.walked)]
        elif isinstance(item, tuple):
            stack += reversed(item)
        elif isinstance(item, dict):
            stack += reversed(item.values())


class _CommentPlacer:
    """Find the statement of each comment of a source. Places are indices of lines of code."""

    def __init__(self, scan: SourceComments, anchors: dict[int, Node], is_fragment: bool) -> None:
        self.scan = scan
        self.anchors = anchors
        self.first = first = min(anchors)
        #: end of the lines of the program
        self.stop = max(map(scan.end, anchors))
        code = scan.code
        #: the first definition of a text owns the lines around it
        self.owns_preamble = not is_fragment and not any(line.is_definition for line in code[:first])

    def place(self, notes: Notes) -> None:
        for comment in self.scan.comments:
            self._place(comment, notes)

    def _place(self, comment: Comment, notes: Notes) -> None:
        scan, code = self.scan, self.scan.code
        place = scan.code_at(comment.line)
        if place is not None:
            self._at(place, comment, notes)
            return
        before = scan.code_before(comment.line)
        after = before + 1
        if after < len(code) and code[after].column >= comment.column:
            is_docstring = not comment.text.startswith("#")
            owner = self.anchors.get(before)
            if is_docstring and isinstance(owner, (BaseFunc, IRModule)) and code[before].column < comment.column:
                notes.at(owner).head.append(comment.text)
            else:
                self._at(after, comment, notes)
        else:
            self._below(before, comment, notes)

    def _at(self, place: int, comment: Comment, notes: Notes) -> None:
        """Place a comment at a line of code."""
        if self.first <= place < self.stop:
            node = self.anchors.get(place)
            if node is not None:
                note = notes.at(node)
                (note.first_line if comment.is_behind_code else note.above).append(comment.text)
            elif not self._at_heading(place, comment, notes):
                self._elsewhere(place, comment, notes)
        elif place < self.first and self.owns_preamble:
            notes.at(self.anchors[self.first]).above.append(comment.text)

    def _at_heading(self, place: int, comment: Comment, notes: Notes) -> bool:
        """Place a comment at a line such as `T.reads(...)`, which the block or function around it owns."""
        around = self.scan.around(place)
        owner = self.anchors.get(around) if around is not None else None
        names = line_names(self.scan.code[place].text)
        if not names or not isinstance(owner, (Block, BlockRealize, BaseFunc)):
            return False
        notes.at(owner).heading.append((names, comment.text, comment.is_behind_code))
        return True

    def _elsewhere(self, place: int, comment: Comment, notes: Notes) -> None:
        """Place the comment of a line without a statement, such as `return` in Relax, at the next statement.

        At the end of a body it is the statement before; in an empty body the next one, or the one around it.
        """
        scan, code = self.scan, self.scan.code
        following = [index for index in self.anchors if index > place]
        if following and code[min(following)].column >= code[place].column:
            notes.at(self.anchors[min(following)]).above.append(comment.text)
            return
        around = scan.around(place)
        siblings = [index for index in self.anchors if index < place and scan.around(index) == around]
        if siblings:
            notes.at(self.anchors[max(siblings)]).below.append(comment.text)
        elif following:
            notes.at(self.anchors[min(following)]).above.append(comment.text)
        else:
            owners = [index for index in self.anchors if index < place and code[index].column < code[place].column]
            owner = self.anchors[max(owners, default=self.first)]
            note = notes.at(owner)
            (note.head if isinstance(owner, BaseFunc) else note.below).append(comment.text)

    def _below(self, before: int, comment: Comment, notes: Notes) -> None:
        """Place a comment at the end of a body: below the last statement that is indented as the comment, or less."""
        code = self.scan.code
        place = before
        while place > 0 and code[place].column > comment.column:
            place -= 1
        if place not in self.anchors and code[place].is_continuation:
            around = self.scan.around(place)
            column = code[place].column
            siblings = [
                index
                for index in self.anchors
                if index < place and code[index].column == column and self.scan.around(index) == around
            ]
            place = max(siblings, default=place)
        if not self.first <= place < self.stop:
            return
        node = self.anchors.get(place)
        if node is not None:
            notes.at(node).below.append(comment.text)
        else:
            self._elsewhere(place, comment, notes)
