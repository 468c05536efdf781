"""Build a lowered module: its C text, and its functions."""

from __future__ import annotations

from pathlib import Path

from tvmscript.backends.c import expressions, intrinsics, statements
from tvmscript.backends.c.callable import CFunction
from tvmscript.backends.c.compiler import Library, compile_library
from tvmscript.backends.c.function import Function, callees, signatures
from tvmscript.backends.c.program import Program
from tvmscript.backends.runtime.errors import NoSource
from tvmscript.backends.runtime.module import Module
from tvmscript.ir.core import IRModule
from tvmscript.ir.core.python_settings import deep_recursion

#: Importing these modules registers their rules.
RULE_MODULES = (expressions, intrinsics, statements)


class CModule(Module):
    """Functions of a C text; the first call of one compiles the text."""

    is_dso_exportable = True

    def __init__(self, functions: dict[str, CFunction], text: str, library: Library) -> None:
        super().__init__(functions, {"c": text}, target="c")
        self._library = library

    def save(self, file_name: str, fmt: str = "") -> None:
        """Write the C text to a file. Raises `NoSource` for another format than "c"."""
        path = Path(file_name)
        path.write_text(self.get_source(fmt or path.suffix.lstrip(".")))

    def export_library(self, file_name: str, *args: object, **options: object) -> None:
        """Compile the text to a shared library that any language can load. Raises `NoCCompiler`."""
        compile_library(self.get_source(), Path(file_name), "the module")

    def get_source(self, kind: str = "") -> str:
        """Return the C text. Raises `NoSource` for another kind."""
        if kind == "cc":
            raise NoSource(kind=repr(kind), hint="the text is C: get_source()")
        return super().get_source(kind)


@deep_recursion
def build(mod: IRModule) -> CModule:
    """Write a lowered module as C. Raises `NotSupportedByC`.

    Functions with a `global_symbol` are public under it (`main` as `main_1`, since C's own takes no arrays), the others
    `static`.
    """
    program = Program()
    program.functions = signatures(mod, program)
    functions = {name: Function(program, signature) for name, signature in program.functions.items()}
    called = {name for function in functions.values() for name in callees(function.signature.func)}
    prototypes = [f"{function.head};" for name, function in functions.items() if name in called]
    text = program.text([function.text for function in functions.values()], prototypes)
    public = {name: each for name, each in functions.items() if "global_symbol" in each.signature.func.attrs}
    library = Library("\n".join([text, *(function.call_entry for function in public.values())]))
    by_symbol = {
        str(each.signature.func.attrs["global_symbol"]): CFunction(
            str(each.signature.func.attrs["global_symbol"]), each, library, program.out_of_memory
        )
        for each in public.values()
    }
    return CModule(by_symbol, text, library)
