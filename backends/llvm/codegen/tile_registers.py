"""Tile registers of AMX: functions that use them configure them first, and restore the configuration of their caller.

All 8 registers have 16 rows of 64 bytes. Their contents do not survive calls of other functions. Linux lets a process
use them when it has asked; the first function of a module that uses them asks.

Intel 64 and IA-32 Architectures Software Developer's Manual, volume 1, chapter 18 (Programming with Intel AMX).
"""

from __future__ import annotations

from typing import Final

from tvmscript.backends.llvm.assembly import FunctionText
from tvmscript.backends.llvm.codegen.codegen import Codegen
from tvmscript.backends.llvm.context import Program
from tvmscript.backends.llvm.errors import TileRegistersRefused, kind_of
from tvmscript.backends.llvm.llvm_intrinsics import TILES

#: the configuration: palette 1, the bytes of rows of each register as 16-bit integers, their rows
_PALETTE, _ROWS, _ROW_BYTES = 1, 16, 64
_CONFIGURATION: Final = bytes(
    [_PALETTE, *[0] * 15, *[_ROW_BYTES, 0] * TILES, *[0] * 16, *[_ROWS] * TILES, *[0] * (16 - TILES)]
)
#: the system call arch_prctl(ARCH_REQ_XCOMP_PERM, XFEATURE_XTILEDATA) of Linux
_ASK: Final = "i64 158, i64 4131, i64 18"


def configure_tiles(cg: Codegen) -> None:
    """Let a function configure the tile registers when it begins, and restore their configuration when it ends."""
    if cg.text.prologue:
        return
    configure = cg.program.share("configure_tiles", "i32 {}(ptr)", lambda: _define_configure(cg.program))
    saved = cg.text.slot(f"[{len(_CONFIGURATION)} x i8], align 64")
    cg.text.prologue = (
        f"  %tiles.status = call i32 {configure}(ptr {saved})",
        "  %tiles.ready = icmp eq i32 %tiles.status, 0",
        "  br i1 %tiles.ready, label %entry, label %tiles.refused",
        "tiles.refused:",
        "  ret i32 -1",
    )
    load = cg.program.text.declare("llvm.x86.ldtilecfg", "void {}(ptr)")
    cg.text.epilogue = (f"  call void {load}(ptr {saved})",)


def _define_configure(program: Program) -> str:
    """Write the function that keeps the configuration of its caller in memory and loads another."""
    module, text = program.text, FunctionText(program.text)
    store, load = (module.declare(f"llvm.x86.{name}tilecfg", "void {}(ptr)") for name in ("st", "ld"))
    if "linux" in program.target.triple:
        is_allowed = module.variable("tiles.allowed", "i8 0, align 1")
        fail = module.declare("TVMFFIErrorSetRaisedFromCStr", "void {}(ptr, ptr)")
        kind, message = module.string(kind_of(TileRegistersRefused)), module.string(TileRegistersRefused.message)
        flag = text.value(f"load atomic i8, ptr {is_allowed} monotonic, align 1")
        text.branch_likely(text.value(f"icmp ne i8 {flag}, 0"), "configure", "ask")
        text.place("ask")
        status = text.value(f"call i64 (i64, ...) {module.declare('syscall', 'i64 {}(i64, ...)')}({_ASK})")
        text.branch_likely(text.value(f"icmp eq i64 {status}, 0"), "allowed", "refused")
        text.place("refused")
        text.do(f"call void {fail}(ptr {kind}, ptr {message})")
        text.do("ret i32 -1")
        text.place("allowed")
        text.do(f"store atomic i8 1, ptr {is_allowed} monotonic, align 1")
        text.jump("configure")
        text.place("configure")
    text.do(f"call void {store}(ptr %saved)")
    text.do(f"call void {load}(ptr {module.data(_CONFIGURATION, 64)})")
    text.do("ret i32 0")
    symbol = module.fresh("configure_tiles")
    text.define(f"{program.linkage} i32 {symbol}(ptr %saved) noinline nounwind")
    return symbol
