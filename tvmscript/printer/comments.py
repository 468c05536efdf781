"""Comments of the text that a program was read from, at the statements they belong to.

They stay in the source (`span.source`) and are looked for when a program is printed. A comment on a line of its own
belongs to the statement below it, or, if it is indented deeper than that, to the end of the body it stands in; one
behind code belongs to that statement. Where a statement is gone, its comments go to the next one. Lines that the
printer writes itself (imports, the root block, `# tvmscript: ...`) are no comments.
"""

from __future__ import annotations

import io
import re
import token
import tokenize
from bisect import bisect_right
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any
from weakref import WeakKeyDictionary

from tvmscript.ir.core.module import BaseFunc, IRModule
from tvmscript.ir.core.node import Node
from tvmscript.ir.core.span import Source
from tvmscript.ir.tir.base import Stmt
from tvmscript.ir.tir.stmt import Block, BlockRealize, SeqStmt
from tvmscript.printer.notes import Notes, line_names

#: comments that the printer writes itself, behind the #
_OWN = "|".join(
    (
        r" from tvm\.script import \w+ as \w+$",
        r" from typing import (Annotated|TypeVar)$",
        r" from tvm\.tirx\.layout import Axis$",
        r' with \w+\.s?block\("root"\):$',
        r" tvmscript: ",
        r" Metadata omitted\. ",
    )
)
#: whether a text may have comments of a person
_FOREIGN = re.compile(f"#(?!{_OWN})", re.MULTILINE)
_SKIPPED = frozenset([token.NL, token.INDENT, token.DEDENT, token.ENDMARKER])


@dataclass(slots=True)
class Line:
    """A logical line of code: its lines in the file, its indentation, its text."""

    start: int
    end: int
    column: int
    text: str

    @property
    def is_continuation(self) -> bool:
        """Whether it goes on with the statement that begins above it."""
        return re.match(r"(else|elif)\b", self.text) is not None

    @property
    def is_definition(self) -> bool:
        return self.text.startswith(("def ", "class ", "@"))


@dataclass(slots=True)
class Comment:
    """A comment, or a statement that is only a string."""

    line: int
    column: int
    text: str
    is_behind_code: bool


def _dedented(line: str, column: int) -> str:
    """A line without its first `column` columns of white space, as far as it has them; blank lines are empty."""
    return line[min(column, len(line) - len(line.lstrip())) :] if line.strip() else ""


class Commented:
    """The comments of a source and the code around them; a decorator and its definition are one line of code."""

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
        for item in tokenize.generate_tokens(io.StringIO(self.source.text).readline):
            if item.type == token.COMMENT:
                if not re.match(_OWN, item.string[1:]):
                    behind = first is not None or lines[item.start[0] - 1][: item.start[1]].strip() != ""
                    self.comments.append(Comment(item.start[0] + offset, item.start[1], item.string, behind))
            elif item.type == token.NEWLINE:
                assert first is not None
                start, column = first.start
                if is_string:
                    text = "\n".join(_dedented(line, column) for line in lines[start - 1 : item.start[0]])
                    while self.comments and self.comments[-1].line >= start + offset:
                        self.comments.pop()  # it stands behind the string, and is part of the text
                    self.comments.append(Comment(start + offset, column, text, False))
                else:
                    line = Line(start + offset, item.start[0] + offset, column, lines[start - 1][column:])
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
            elif item.type not in _SKIPPED:
                first = first or item
                is_string = is_string and item.type == token.STRING

    def code_at(self, line: int) -> int | None:
        """The number of the line of code that holds a line of the file."""
        index = bisect_right(self.starts, line) - 1
        return index if index >= 0 and line <= self.code[index].end else None

    def code_before(self, line: int) -> int:
        """The number of the last line of code that begins before a line of the file; -1 for none."""
        return bisect_right(self.starts, line) - 1

    def around(self, index: int) -> int | None:
        """The line of code whose body a line of code stands in."""
        column = self.code[index].column
        return next((i for i in range(index - 1, -1, -1) if self.code[i].column < column), None)

    def end(self, index: int) -> int:
        """The number of the line of code that follows a line and its body."""
        column = self.code[index].column
        code = self.code
        after = range(index + 1, len(code))
        return next((i for i in after if code[i].column <= column and not code[i].is_continuation), len(code))


_known: WeakKeyDictionary[Source, Commented | None] = WeakKeyDictionary()


def comments_of(source: Source) -> Commented | None:
    """The comments of a source; None where it has none. A source is looked at once."""
    try:
        return _known[source]
    except KeyError:
        found = _known[source] = _scanned(source)
        return found


def _scanned(source: Source) -> Commented | None:
    if not (_FOREIGN.search(source.text) or '"""' in source.text or "'''" in source.text):
        return None
    try:
        found = Commented(source)
    except (tokenize.TokenError, SyntaxError):
        return None  # no program is read from such a text
    return found if found.comments else None


def sources_of(root: Node) -> list[Source]:
    """The texts that a program was read from, without those of macros."""
    roots: Iterable[Node] = (root,)
    if isinstance(root, IRModule):
        roots = (root, *root.functions.values())
    elif isinstance(root, SeqStmt):
        roots = root.seq
    found: list[Source] = []
    for item in roots:
        span = item.span
        if span is not None and span.source not in found:
            found.append(span.source)
    return found


def collect_comments(root: Node, notes: Notes) -> None:
    """Note the comments of the text that a program was read from at its statements."""
    sources = sources_of(root)
    commented = {source: found for source in sources if (found := comments_of(source)) is not None}
    if not commented:
        return
    anchors: dict[Source, dict[int, Node]] = {source: {} for source in commented}
    for node in _statements(root):
        span = node.span
        if span is not None and span.source in anchors and not isinstance(node, SeqStmt):
            index = commented[span.source].code_at(span.line)
            if index is not None:
                anchors[span.source].setdefault(index, node)
    for source, found in commented.items():
        if anchors[source]:
            _Placing(found, anchors[source], isinstance(root, Stmt)).place(notes)


def _statements(root: Node) -> Iterator[Node]:
    """Functions and statements in the order of the program, outer ones first."""
    stack: list[Any] = [root]
    while stack:
        item = stack.pop()
        if isinstance(item, Stmt | BaseFunc | IRModule) or (isinstance(item, Node) and item.has_lines):
            yield item
            stack += [getattr(item, name) for name in reversed(item.schema.walked)]
        elif isinstance(item, tuple):
            stack += reversed(item)
        elif isinstance(item, dict):
            stack += reversed(item.values())


class _Placing:
    """Finds the statement of each comment of a source. Places are numbers of lines of code."""

    def __init__(self, found: Commented, anchors: dict[int, Node], is_fragment: bool) -> None:
        self.found = found
        self.anchors = anchors
        self.first = first = min(anchors)
        #: the end of the program's own lines
        self.stop = max(map(found.end, anchors))
        code = found.code
        #: what stands around the first definition of a text belongs to it
        self.owns_preamble = not is_fragment and not any(line.is_definition for line in code[:first])

    def place(self, notes: Notes) -> None:
        for comment in self.found.comments:
            self._place(comment, notes)

    def _place(self, comment: Comment, notes: Notes) -> None:
        found, code = self.found, self.found.code
        inside = found.code_at(comment.line)
        if inside is not None:
            self._at(inside, comment, notes)
            return
        before = found.code_before(comment.line)
        after = before + 1
        if after < len(code) and code[after].column >= comment.column:
            is_docstring = not comment.text.startswith("#")
            owner = self.anchors.get(before)
            if is_docstring and isinstance(owner, BaseFunc | IRModule) and code[before].column < comment.column:
                notes.at(owner).head.append(comment.text)
            else:
                self._at(after, comment, notes)
        else:
            self._below(before, comment, notes)

    def _at(self, place: int, comment: Comment, notes: Notes) -> None:
        """A comment at a line of code."""
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
        """A comment at a line such as `T.reads(...)`, which belongs to the block or function around it."""
        around = self.found.around(place)
        owner = self.anchors.get(around) if around is not None else None
        names = line_names(self.found.code[place].text)
        if not names or not isinstance(owner, Block | BlockRealize | BaseFunc):
            return False
        notes.at(owner).heading.append((names, comment.text, comment.is_behind_code))
        return True

    def _elsewhere(self, place: int, comment: Comment, notes: Notes) -> None:
        """The next statement has the comments of one that is gone (`return`, in the graph level, always is).

        At the end of a body it is the one before; in a body without any, the next one, or what stands around it.
        """
        found, code = self.found, self.found.code
        following = [index for index in self.anchors if index > place]
        if following and code[min(following)].column >= code[place].column:
            notes.at(self.anchors[min(following)]).above.append(comment.text)
            return
        around = found.around(place)
        siblings = [index for index in self.anchors if index < place and found.around(index) == around]
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
        """A comment at the end of a body: below the last statement that is indented as it is, or less."""
        code = self.found.code
        place = before
        while place > 0 and code[place].column > comment.column:
            place -= 1
        if place not in self.anchors and code[place].is_continuation:
            around = self.found.around(place)
            column = code[place].column
            siblings = [
                index
                for index in self.anchors
                if index < place and code[index].column == column and self.found.around(index) == around
            ]
            place = max(siblings, default=place)
        if not self.first <= place < self.stop:
            return
        node = self.anchors.get(place)
        if node is not None:
            notes.at(node).below.append(comment.text)
        else:
            self._elsewhere(place, comment, notes)
