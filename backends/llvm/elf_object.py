"""Load an ELF object file of x86-64 into this process.

LLVM's loader does this too, for all machines, but importing and starting LLVM takes longer than everything else that a
program from the cache needs. Objects are position-independent code of the small code model: all their sections are in
one mapping, with a table of addresses for symbols outside of it.
"""

from __future__ import annotations

import ctypes
import mmap
import os
import struct
import sys
import weakref
from collections.abc import Callable, Iterable
from typing import Final

from tvmscript.backends.llvm import elf_format as elf
from tvmscript.backends.runtime.errors import UnknownSymbol

#: whether object files of this machine can be loaded here
IS_SUPPORTED: Final = sys.platform == "linux" and os.uname().machine == "x86_64"

#: symbol -> address, None where there is none
Resolve = Callable[[str], int | None]

_READ_EXECUTE, _READ, _READ_WRITE = 5, 1, 3
_C: Final = ctypes.CDLL(None, use_errno=True)
_FAILED: Final = ctypes.c_void_p(-1).value
#: jmp *offset(%rip), padded by a nop
_JUMP: Final = struct.Struct("<2si2s")
_JUMP_BYTES: Final = 8


if IS_SUPPORTED:
    _size, _number, _pointer = ctypes.c_size_t, ctypes.c_int, ctypes.c_void_p
    _C.mmap.argtypes, _C.mmap.restype = (_pointer, _size, _number, _number, _number, ctypes.c_long), _pointer
    _C.munmap.argtypes = _pointer, _size
    _C.mprotect.argtypes = _pointer, _size, _number


class UnsupportedObject(Exception):
    """The object file has something that this loader does not know."""


class _Section:
    __slots__ = "alignment", "flags", "info", "kind", "link", "offset", "place", "size"

    def __init__(self, header: elf.SectionHeader) -> None:
        self.kind, self.flags, self.offset, self.size = header.kind, header.flags, header.offset, header.size
        self.link, self.info, self.alignment = header.link, header.info, max(header.alignment, 1)
        #: place in the mapping, None: not loaded
        self.place: int | None = None

    @property
    def protection(self) -> int:
        if self.flags & elf.EXECUTE:
            return _READ_EXECUTE
        return _READ_WRITE if self.flags & elf.WRITE else _READ


class LoadedObject:
    """Code and data of an object file in memory, as long as this object lives; at exit nothing is freed."""

    def __init__(self, content: bytes, resolve: Resolve) -> None:
        """Load an object file. Raises `UnsupportedObject`."""
        self._content, self._resolve = content, resolve
        self._sections = list(_sections(content))
        table = next((section for section in self._sections if section.kind == elf.SYMTAB), None)
        if table is None:
            raise UnsupportedObject("no symbols")
        self._names = self._sections[table.link].offset
        self._symbols = list(elf.SYMBOL.iter_unpack(content[table.offset : table.offset + table.size]))
        relocations = [
            (section, elf.RELOCATION.iter_unpack(content[section.offset : section.offset + section.size]))
            for section in self._sections
            if section.kind == elf.RELA and self._sections[section.info].flags & elf.ALLOC
        ]
        #: symbol outside -> its number in the table of addresses
        self._entries: dict[int, int] = {}
        self._map()
        for section, entries in relocations:
            target = self._sections[section.info].place
            if target is not None:
                self._relocate(target, entries)
        self._protect()
        self._addresses = {
            self._name(name): self._address + self._value(index)
            for index, (name, info, _, section, _, _) in enumerate(self._symbols)
            if info >> 4 != elf.LOCAL and section != elf.UNDEFINED
        }

    def address(self, name: str) -> int:
        """Return the address of a global symbol."""
        return self._addresses[name]

    def _map(self) -> None:
        """Copy the sections into a new mapping, those of each protection in pages of their own."""
        place, content = 0, self._content
        self._ranges: list[tuple[int, int, int]] = []
        for protection in (_READ_EXECUTE, _READ, _READ_WRITE):
            begin = place = _aligned(place, mmap.PAGESIZE)
            for section in self._sections:
                is_loaded = section.flags & elf.ALLOC and section.kind in (elf.PROGBITS, elf.NOBITS)
                if is_loaded and section.protection == protection:
                    if section.flags & elf.THREAD_LOCAL:
                        raise UnsupportedObject("thread-local data")
                    section.place = place = _aligned(place, section.alignment)
                    place += section.size
            if protection == _READ_EXECUTE:
                self._jumps = place = _aligned(place, _JUMP_BYTES)
                place += len(self._symbols) * _JUMP_BYTES
            elif protection == _READ:
                self._table = place = _aligned(place, 8)
                place += len(self._symbols) * 8
            self._ranges.append((begin, place, protection))
        size, flags = max(place, 1), mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS
        address = _C.mmap(None, size, _READ_WRITE, flags, -1, 0)
        if address == _FAILED:
            raise UnsupportedObject(f"mmap: error {ctypes.get_errno()}")
        weakref.finalize(self, _C.munmap, address, size).atexit = False
        self._address: int = address
        self._memory = memoryview((ctypes.c_char * size).from_address(address)).cast("B")
        for section in self._sections:
            if section.place is not None and section.kind == elf.PROGBITS:
                end = section.offset + section.size
                self._memory[section.place : section.place + section.size] = content[section.offset : end]

    def _protect(self) -> None:
        for begin, end, protection in self._ranges:
            if end > begin and _C.mprotect(self._address + begin, end - begin, protection):
                raise UnsupportedObject(f"mprotect: error {ctypes.get_errno()}")

    def _name(self, offset: int) -> str:
        return elf.text_at(self._content, self._names + offset)

    def _value(self, symbol: int) -> int:
        """Return where a symbol is, relative to the mapping. Raises `UnsupportedObject`, `UnknownSymbol`."""
        name, _, _, section, value, _ = self._symbols[symbol]
        if section == elf.UNDEFINED:
            text = self._name(name)
            address = self._resolve(text)
            if address is None:
                raise UnknownSymbol(
                    name=text, hint="the processor lacks an instruction, and the system its replacement"
                )
            return address - self._address
        place = self._sections[section].place if section < elf.FIRST_RESERVED else None
        if place is None:
            raise UnsupportedObject(f"a symbol in section {section}")
        relative: int = place + value
        return relative

    def _entry(self, symbol: int) -> int:
        """Return the place in the table of addresses that has the address of a symbol, and write it."""
        number = self._entries.get(symbol)
        if number is None:
            number = self._entries[symbol] = len(self._entries)
            entry = self._table + 8 * number
            struct.pack_into("<Q", self._memory, entry, self._address + self._value(symbol))
            jump = self._jumps + _JUMP_BYTES * number
            _JUMP.pack_into(self._memory, jump, b"\xff\x25", entry - jump - 6, b"\x66\x90")
        return self._table + 8 * number

    def _relocate(self, target: int, relocations: Iterable[tuple[int, int, int]]) -> None:
        """Write the addresses that a section at `target` refers to."""
        for offset, info, addend in relocations:
            kind, symbol, place = info & 0xFFFFFFFF, info >> 32, target + offset
            if kind in elf.THROUGH_TABLE:
                form, value = "<i", self._entry(symbol) + addend - place
            elif kind in (elf.PC32, elf.PLT32):
                if self._symbols[symbol][3] == elf.UNDEFINED:
                    self._entry(symbol)
                    value = self._jumps + _JUMP_BYTES * self._entries[symbol] + addend - place
                else:
                    value = self._value(symbol) + addend - place
                form = "<i"
            elif kind == elf.PC64:
                form, value = "<q", self._value(symbol) + addend - place
            elif kind == elf.ABS64:
                form, value = "<Q", self._address + self._value(symbol) + addend
            else:
                raise UnsupportedObject(f"relocation {kind}")
            struct.pack_into(form, self._memory, place, value)


def _sections(content: bytes) -> Iterable[_Section]:
    if content[: len(elf.MAGIC)] != elf.MAGIC:
        raise UnsupportedObject("no 64-bit ELF file")
    for header in elf.section_headers(content):
        section = _Section(header)
        if section.flags & elf.ALLOC and section.kind not in (elf.PROGBITS, elf.NOBITS, elf.UNWIND):
            raise UnsupportedObject(f"a section of type {section.kind}")
        yield section


def _aligned(place: int, alignment: int) -> int:
    return -(-place // alignment) * alignment
