"""Source text of decorated functions and classes: from a file, or from `linecache` (notebooks).

For `exec`, `python -c` and the interactive prompt, Python keeps no source. Candidates are strings in the variables of
the calling frames, the command line, and the history of the prompt. A candidate is accepted only if compiling it
yields the decorated code object.
"""

from __future__ import annotations

import importlib
import inspect
import linecache
import re
import sys
from collections.abc import Iterator
from contextlib import suppress
from itertools import chain, count, islice
from types import CodeType, FrameType
from typing import Any, Final

from tvmscript.ir.core.span import Source, Span, lines_of
from tvmscript.parser.diagnostics.errors import InvalidSyntax, NoSource
from tvmscript.parser.source.tree import MAX_CHARACTERS, SourceTree

#: frames whose variables are searched
_MAX_FRAMES: Final = 64
#: lines of the prompt's history that are searched
_MAX_HISTORY: Final = 4000
_FUTURE_FLAGS: Final = 0x1FF_0000
#: ends of a definition that are tried: headings and strings over several lines have some before
_MAX_ENDS: Final = 16
_HEADING: Final = re.compile(r"\s*(async\s|def\b|class\b)")
#: a blank line or a comment
_NO_CODE: Final = re.compile(r"\s*(#|$)")
#: numbers of registered texts
_numbers = count(1)


def register_source(text: str, name: str | None = None) -> str:
    """Register the source of generated code, and return the file name to compile it with.

    After `exec(compile(text, register_source(text), "exec"), namespace)`, decorators, tracebacks and debuggers find
    the source.
    """
    name = name if name is not None else f"<generated {next(_numbers)}>"
    # an entry without a modification time is kept
    linecache.cache[name] = (len(text), None, lines_of(text), name)
    return name


def source_of(item: Any, frame: FrameType | None = None, text: str | None = None) -> SourceTree:
    """Return the source of a decorated function or class. Raises `NoSource`.

    `frame` decorates it; `text` is its source, if the user gives one.
    """
    code = _code_of(item)
    name = code.co_filename if code is not None else "<unknown>"
    try:
        if text is not None:
            lines: list[str] | None = lines_of(text)
            start = _definition_in(lines or [], item.__name__)
        else:
            lines = _known_lines(item, code)
            if lines is None and code is not None:
                lines = _search_lines(code, item.__name__, frame)
            start = None if lines is None else _start_of(item, code, lines, frame)
        if lines is None or start is None:
            raise NoSource(name=item.__name__, span=Span(Source("", name), 1, 1, 1, 2))
        for end in _possible_ends(lines, start):
            with suppress(InvalidSyntax):
                return _tree_of(lines[start:end], name, start)
        return _tree_of(inspect.getblock(lines[start:]), name, start)
    except (IndexError, SyntaxError):
        raise NoSource(name=item.__name__, span=Span(Source("", name), 1, 1, 1, 2)) from None


def _tree_of(block: list[str], name: str, start: int) -> SourceTree:
    """Parse the lines of a definition. Raises `InvalidSyntax`."""
    if block[0][:1].isspace():
        # an indented definition becomes the body of `if True:`, so that no line moves
        return SourceTree(Source("if True:\n" + "".join(block), name, start))
    return SourceTree(Source("".join(block), name, start + 1))


def _possible_ends(lines: list[str], start: int) -> Iterator[int]:
    """Yield a few lines where a definition may end: the next lines that are indented no deeper.

    The first end at which the lines parse is the right one: a line that goes on with a bracket or a string leaves it
    open above. `inspect.getblock` says the same from all tokens, in many times the time.
    """
    indent = lines[start][: len(lines[start]) - len(lines[start].lstrip())]
    inside = re.compile(rf"{indent}[ \t]")
    heading = next((index for index in range(start, len(lines)) if _HEADING.match(lines[index])), len(lines))
    ends = (
        index
        for index in range(heading + 1, len(lines))
        if not inside.match(lines[index]) and not _NO_CODE.match(lines[index])
    )
    for end in islice(chain(ends, (len(lines),)), _MAX_ENDS):
        while _NO_CODE.match(lines[end - 1]) and not inside.match(lines[end - 1]):
            end -= 1
        yield end


def is_in_module_class(func: Any, frame: FrameType | None) -> bool:
    """Whether a function is defined in a class under `@I.ir_module` or `@R.rewriter`, or in a class whose source is
    unknown.
    """
    outer = func.__qualname__.rpartition(".")[0]
    if not outer or outer.endswith("<locals>"):
        return False
    if frame is None or frame.f_code.co_name != outer.rpartition(".")[2]:
        return False
    lines = _known_lines(func, func.__code__) or _search_lines(func.__code__, func.__name__, frame)
    if lines is None:
        return True
    # the code of a class begins at its first decorator
    for line in lines[frame.f_code.co_firstlineno - 1 :]:
        if re.match(r"\s*class\b", line):
            return False
        if "ir_module" in line or "rewriter" in line:
            return True
    return False


def _code_of(item: object) -> CodeType | None:
    """Return the code object of a function, or of the first function of a class."""
    if isinstance(item, type):
        members = (getattr(member, "__func__", member) for member in vars(item).values())
        item = next((member for member in members if inspect.isfunction(member)), None)
    return getattr(item, "__code__", None)


def _known_lines(item: Any, code: CodeType | None) -> list[str] | None:
    """Return the lines of the file, or None if Python has no source.

    `inspect.findsource` resolves the paths of all loaded modules first: 8 ms for 200 modules.
    """
    namespace = vars(sys.modules.get(item.__module__, object))
    file = code.co_filename if code is not None else namespace.get("__file__")
    if file is None:
        return None
    linecache.checkcache(file)
    lines = linecache.getlines(file, namespace)
    if file == "<string>" and code is not None and not _compiles_to("".join(lines), "exec", code):
        # Python 3.13 registers the text of `python -c` under the name that `exec` gives to every text
        return None
    return lines or None


def _start_of(item: object, code: CodeType | None, lines: list[str], frame: FrameType | None) -> int | None:
    """Return the index of the first line of a definition, decorators included."""
    if not isinstance(item, type):
        return code.co_firstlineno - 1 if code is not None else None
    heading = re.compile(rf"\s*class\s+{re.escape(item.__name__)}\b")
    if code is not None:
        # search upwards from its first function, whose line is known
        for index in range(min(code.co_firstlineno, len(lines)) - 1, -1, -1):
            if heading.match(lines[index]):
                return index
    first = frame.f_lineno - 1 if frame is not None else 0
    return next((index for index in range(first, len(lines)) if heading.match(lines[index])), None)


def _definition_in(lines: list[str], name: str) -> int | None:
    """Return the index of the first line of the only definition of a name, decorators included."""
    heading = re.compile(rf"\s*(def|class)\s+{re.escape(name)}\b")
    indices = [index for index, line in enumerate(lines) if heading.match(line)]
    if len(indices) != 1:
        return None
    start = indices[0]
    while start and lines[start - 1].lstrip().startswith("@"):
        start -= 1
    return start


# code without a file


def _search_lines(code: CodeType, name: str, frame: FrameType | None) -> list[str] | None:
    """Return the lines of a candidate that compiles to this code object."""
    for text, mode in _candidates(name, code.co_filename, frame):
        if _compiles_to(text, mode, code):
            return lines_of(text)
    return None


def _candidates(name: str, file: str, frame: FrameType | None) -> Iterator[tuple[str, str]]:
    """Yield texts that may define a name, with their compile mode."""
    seen: set[str] = set()
    while frame is not None and len(seen) < _MAX_FRAMES:
        code = frame.f_code
        used = [frame.f_globals[item] for item in code.co_names if item in frame.f_globals]
        for value in (*frame.f_locals.values(), *used, *code.co_consts):
            if isinstance(value, str) and name in value and value not in seen and len(value) <= MAX_CHARACTERS:
                seen.add(value)
                yield value, "exec"
        frame = frame.f_back
    if file == "<string>":  # python -c
        for word in sys.orig_argv:
            if name in word:
                yield word, "exec"
    if file == "<stdin>":
        yield from _prompt_history(name)


def _prompt_history(name: str) -> Iterator[tuple[str, str]]:
    """Yield the last lines of the interactive prompt's history, growing backwards."""
    if "readline" not in sys.modules:
        return
    history = importlib.import_module("readline")
    length = history.get_current_history_length()
    lines: list[str] = []
    for index in range(length, max(length - _MAX_HISTORY, 0), -1):
        lines.insert(0, history.get_history_item(index) or "")
        if not lines[0][:1].isspace() and any(name in line for line in lines):
            yield "\n".join([*lines, ""]), "single"


def _compiles_to(text: str, mode: str, code: CodeType) -> bool:
    """Whether compiling a text yields this code object."""
    try:
        module = compile(text, code.co_filename, mode, code.co_flags & _FUTURE_FLAGS, True)
    except (SyntaxError, ValueError, OverflowError, RecursionError, MemoryError):
        return False
    return any(item == code for item in islice(_codes(module), 100_000))


def _codes(code: CodeType) -> Iterator[CodeType]:
    stack = [code]
    while stack:
        item = stack.pop()
        yield item
        stack += [const for const in item.co_consts if isinstance(const, CodeType)]
