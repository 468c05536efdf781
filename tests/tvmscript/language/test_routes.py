"""Where the text of decorated Python comes from: one test for each way that code gets into a process."""

from __future__ import annotations

import doctest
import linecache
import os
import pty
import subprocess
import sys
import textwrap
from pathlib import Path
from typing import Any

import pytest

import tvmscript
from tvmscript import I, T
from tvmscript.parser.diagnostics.errors import NoSource
from tvmscript.parser.names.namespace import NotDecoratable
from tvmscript.script import register_source

ROOT = Path(__file__).parents[3]

KERNEL = """from tvmscript import I, T

@T.prim_func
def kernel(A: T.Buffer((4,), "float32")):
    A[0] = 1.0  # one
"""
MODULE = """from tvmscript import I, T

@I.ir_module
class Module:
    @T.prim_func
    def kernel(A: T.Buffer((4,), "float32")):
        A[0] = 1.0
"""


def is_kernel(made: Any) -> bool:
    if isinstance(made, tvmscript.IRModule):
        made = made["kernel"]
    return isinstance(made, tvmscript.PrimFunc) and "A[0] = T.float32(1)" in made.script()


@pytest.mark.parametrize(("text", "name"), [(KERNEL, "kernel"), (MODULE, "Module")])
def test_exec_of_a_variable(text: str, name: str) -> None:
    space: dict[str, Any] = {}
    exec(text, space)
    assert is_kernel(space[name])
    assert space[name].span.source.name == "<string>"


def test_lines_are_those_of_the_text() -> None:
    space: dict[str, Any] = {}
    exec(KERNEL, space)
    assert space["kernel"].span.line == 4


def test_exec_of_a_literal_with_local_names() -> None:
    names: dict[str, Any] = {"T": T, "n": 4}
    exec("@T.prim_func\ndef kernel(A: T.Buffer((n,), 'float32')):\n    A[0] = 1.0\n", {}, names)
    assert is_kernel(names["kernel"])


def test_exec_of_compiled_text() -> None:
    text = KERNEL
    code = compile(text, "<made up>", "exec")
    space: dict[str, Any] = {}
    exec(code, space)
    assert is_kernel(space["kernel"])


def test_another_text_does_not_count() -> None:
    """A text that defines the same name in another way is not the one that runs."""
    similar = KERNEL.replace("A[0]", "A[1]")
    assert "kernel" in similar
    space: dict[str, Any] = {}
    with pytest.raises(NoSource) as caught:
        exec("# more\n" + KERNEL, space)
    assert "register_source" in str(caught.value)
    assert "source=text" in str(caught.value)


def test_registered_source() -> None:
    code = compile(textwrap.dedent(KERNEL), register_source(KERNEL), "exec")
    linecache.checkcache()
    space: dict[str, Any] = {}
    exec(code, space)
    assert is_kernel(space["kernel"])


def test_form_feeds_end_no_lines() -> None:
    """As in Python, where pages of a text are separated by them."""
    text = "names = 'a\u2028b'\n\f\n" + KERNEL
    space: dict[str, Any] = {}
    exec(compile(text, register_source(text), "exec"), space)
    assert is_kernel(space["kernel"])
    space = {}
    exec(compile(text, "<made up>", "exec"), space)
    assert is_kernel(space["kernel"])


def test_registered_names_differ() -> None:
    assert register_source("a") != register_source("b")
    assert register_source("a", "<mine>") == "<mine>"


def test_source_as_an_option() -> None:
    def without_text(A: Any) -> None: ...

    made = T.prim_func(source="@T.prim_func\ndef without_text(A: T.Buffer((4,), 'float32')):\n    A[0] = 1.0\n")(
        without_text
    )
    assert is_kernel(made)


@pytest.mark.parametrize("text", ["def other(): pass\n", "def f(): pass\ndef f(): pass\n", ""])
def test_source_without_the_definition(text: str) -> None:
    def f() -> None: ...

    with pytest.raises(NoSource):
        T.prim_func(source=text)(f)


def test_cells_of_notebooks() -> None:
    """IPython puts each cell into linecache."""
    name = "<ipython-input-1-abc>"
    lines: list[str] = [*MODULE.splitlines(keepends=True)]
    linecache.cache[name] = (len(MODULE), None, lines, name)
    space: dict[str, Any] = {}
    exec(compile("".join([*MODULE]), name, "exec"), space)
    assert is_kernel(space["Module"])
    linecache.cache.pop(name)


def test_doctests() -> None:
    lines = KERNEL.splitlines()[2:]
    text = ">>> from tvmscript import T\n>>> " + "\n... ".join(lines) + "\n>>> type(kernel).__name__\n'PrimFunc'\n"
    test = doctest.DocTestParser().get_doctest(text, {}, "cells", None, 0)
    assert doctest.DocTestRunner(verbose=False).run(test).failed == 0


def python(*arguments: str, text: str | None = None) -> str:
    done = subprocess.run(
        [sys.executable, *arguments], capture_output=True, text=True, cwd=ROOT, check=False, input=text
    )  # fmt: skip
    return done.stdout + done.stderr


def test_command_line() -> None:
    assert python("-c", KERNEL + "print(type(kernel).__name__)") == "PrimFunc\n"
    assert python("-c", MODULE + "print(type(Module).__name__)") == "IRModule\n"


def test_exec_in_a_process_that_names_another_text_string() -> None:
    """Python 3.13 registers the text of `python -c` under the name that `exec` gives to every text."""
    assert python("-c", f"text = {KERNEL!r}\nexec(text)\nprint(type(kernel).__name__)") == "PrimFunc\n"
    lines = ["\n", "import sys\n"]
    known = linecache.cache.get("<string>")
    linecache.cache["<string>"] = (12, None, lines, "<string>")
    space: dict[str, Any] = {}
    try:
        exec(KERNEL, space)
        exec(MODULE, space)
    finally:
        linecache.cache.pop("<string>")
        if known is not None:
            linecache.cache["<string>"] = known
    assert is_kernel(space["kernel"])
    assert is_kernel(space["Module"])


def test_piped_text_is_gone() -> None:
    assert "the source of kernel cannot be found" in python("-", text=KERNEL)


@pytest.mark.skipif(sys.version_info >= (3, 13), reason="the prompt of Python 3.13 registers what is typed")
def test_interactive_prompt() -> None:
    """The plain prompt keeps no text, but readline's history has the lines."""
    ours, theirs = pty.openpty()
    environment = {**os.environ, "TERM": "dumb", "PYTHONSTARTUP": "", "PYTHON_HISTORY": os.devnull, "HOME": "/nowhere"}
    process = subprocess.Popen(
        [sys.executable, "-q", "-i"], stdin=theirs, stdout=theirs, stderr=theirs, cwd=ROOT, env=environment
    )
    os.close(theirs)
    typed = KERNEL + "\n" + MODULE.split("\n", 1)[1] + "\nprint(type(kernel).__name__, type(Module).__name__)\nexit()\n"
    os.write(ours, typed.encode())
    shown = b""
    try:
        while True:
            shown += os.read(ours, 4096)
    except OSError:  # the process is gone
        pass
    process.wait()
    os.close(ours)
    assert "PrimFunc IRModule" in shown.decode(), shown.decode()


def test_functions_of_a_plain_class_are_programs() -> None:
    class Kernels:
        size = 4

        @T.prim_func
        def kernel(A: T.Buffer((size,), "float32")):  # type: ignore[no-untyped-def, valid-type]
            A[0] = 1.0

    assert is_kernel(Kernels.kernel)


def remember(members: dict[str, Any]) -> Any:
    def decorate(cls: type) -> type:
        members.update(vars(cls))
        return cls

    return decorate


def test_functions_of_a_module_stay_functions_until_it_is_read() -> None:
    members: dict[str, Any] = {}

    def module(cls: type) -> Any:
        members.update(vars(cls))
        return I.ir_module(cls)

    @module
    class Module:
        @T.prim_func
        def kernel(A: T.Buffer((4,), "float32")):  # type: ignore[no-untyped-def, valid-type]
            A[0] = 1.0

    assert is_kernel(members["kernel"])
    assert is_kernel(Module)

    @I.ir_module
    @remember(members)
    class Again:
        @T.prim_func
        def kernel(A: T.Buffer((4,), "float32")):  # type: ignore[no-untyped-def, valid-type]
            A[0] = 1.0

    assert not isinstance(members["kernel"], tvmscript.PrimFunc)
    assert is_kernel(Again)


def test_annotations_name_variables_of_all_functions_around() -> None:
    """Annotations are strings in this file: they capture nothing."""
    n = 4

    def outer() -> Any:
        dtype = "float32"

        def inner() -> Any:
            @T.prim_func
            def kernel(A: T.Buffer((n,), dtype)):  # type: ignore[no-untyped-def, valid-type]
                A[0] = 1.0

            return kernel

        return inner()

    assert n == 4
    assert is_kernel(outer())


def test_quoted_annotations() -> None:
    program = tvmscript.from_source("@T.prim_func\ndef kernel(A: 'T.Buffer((4,), \"float32\")'):\n    A[0] = 1.0\n")
    assert is_kernel(program)


@pytest.mark.parametrize("decorator", [T.prim_func, T.macro, I.ir_module])
def test_what_cannot_be_decorated(decorator: Any) -> None:
    with pytest.raises(NotDecoratable, match="but got 3"):
        decorator(3)
