"""Debug metadata: the source line of each instruction.

LLVM keeps the lines through its optimizations and writes them into assembly (`.loc`), line tables (for perf, gdb and
VTune) and back traces. Names: https://llvm.org/docs/SourceLevelDebugging.html
"""

from __future__ import annotations

from pathlib import PurePath

from tvmscript.backends.llvm.assembly import FunctionText, ModuleText, string_text
from tvmscript.ir.core import Span

_FLAGS = ('!{i32 2, !"Debug Info Version", i32 3}', '!{i32 7, !"Dwarf Version", i32 4}')


class DebugInfo:
    """The debug metadata of one module."""

    def __init__(self, module: ModuleText) -> None:
        self.module = module
        self._files: dict[str, str] = {}
        self._locations: dict[tuple[str, int, int], str] = {}
        self._units: list[str] = []
        self._type = ""

    def function(self, text: FunctionText, name: str, span: Span | None) -> None:
        """Let a function have lines. Those of instructions that belong to no statement are the function's own."""
        if span is None:
            return
        if not self._units:
            self._begin(span)
        file = self._file(span)
        text.subprogram = self.module.metadata(
            f"distinct !DISubprogram(name: {string_text(name)}, scope: {file}, file: {file}, line: {span.line}, "
            f"type: {self._type}, scopeLine: {span.line}, spFlags: DISPFlagDefinition | DISPFlagOptimized, "
            f"unit: {self._units[0]})"
        )
        self.locate(text, span)

    def locate(self, text: FunctionText, span: Span) -> None:
        """Instructions that are written from here on belong to this place."""
        if not text.subprogram:
            return
        key = text.subprogram, span.line, span.column
        if key not in self._locations:
            self._locations[key] = self.module.metadata(
                f"!DILocation(line: {span.line}, column: {span.column}, scope: {text.subprogram})"
            )
        text.locate(self._locations[key])

    def _begin(self, span: Span) -> None:
        unit = self.module.metadata(
            f'distinct !DICompileUnit(language: DW_LANG_Python, file: {self._file(span)}, producer: "tvmscript", '
            "isOptimized: true, runtimeVersion: 0, emissionKind: LineTablesOnly)"
        )
        self._units.append(unit)
        self._type = self.module.metadata("!DISubroutineType(types: !{null})")
        self.module.named_metadata("llvm.dbg.cu", [unit])
        self.module.named_metadata("llvm.module.flags", [self.module.metadata(flag) for flag in _FLAGS])

    def _file(self, span: Span) -> str:
        name = span.source.name
        if name not in self._files:
            path = PurePath(name)
            self._files[name] = self.module.metadata(
                f"!DIFile(filename: {string_text(path.name)}, directory: {string_text(str(path.parent))})"
            )
        return self._files[name]
