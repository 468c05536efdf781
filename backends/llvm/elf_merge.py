"""Merge ELF object files of x86-64 into one: what `ld -r` does, with the sections side by side."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from tvmscript.backends.llvm import elf_format as elf


@dataclass
class _Table:
    """A table of strings in the making."""

    content: bytearray = field(default_factory=lambda: bytearray(b"\0"))
    _places: dict[str, int] = field(default_factory=lambda: {"": 0})

    def place(self, text: str) -> int:
        """Return where the text begins, which is added once."""
        if text not in self._places:
            self._places[text] = len(self.content)
            self.content += text.encode() + b"\0"
        return self._places[text]


@dataclass
class _Section:
    """A section of the merged file."""

    name: str
    kind: int
    flags: int
    size: int
    content: bytes
    link: int
    info: int
    alignment: int
    entry_size: int


@dataclass
class _Object:
    """An object file to merge."""

    content: bytes
    headers: list[tuple[int, ...]]
    #: number of a section -> that of the merged file, of those that are loaded
    sections: dict[int, int] = field(default_factory=dict)
    #: number of a symbol -> that of the merged file
    symbols: dict[int, int] = field(default_factory=dict)

    def name(self, header: tuple[int, ...]) -> str:
        """Return the name of a section."""
        names = self.headers[elf.HEADER.unpack_from(self.content)[13]]
        return elf.text_at(self.content, names[4] + header[0])

    def bytes_of(self, header: tuple[int, ...]) -> bytes:
        """Return what a section has in the file."""
        return b"" if header[1] == elf.NOBITS else self.content[header[4] : header[4] + header[5]]


def merge_objects(contents: Sequence[bytes]) -> bytes:
    """Return an object file that has the loaded sections, the symbols and the relocations of several.

    Symbols that one of them defines are those that others refer to.
    """
    objects = [_Object(content, list(elf.section_headers(content))) for content in contents]
    sections = [_Section("", 0, 0, 0, b"", 0, 0, 0, 0)]
    for each in objects:
        for number, header in enumerate(each.headers):
            if header[2] & elf.ALLOC:
                each.sections[number] = len(sections)
                name, content = each.name(header), each.bytes_of(header)
                sections.append(_Section(name, header[1], header[2], header[5], content, 0, 0, header[8], header[9]))
    relocated = [(each, header) for each in objects for header in each.headers if _is_relocation(each, header)]
    table = len(sections) + len(relocated)
    strings = _Table()
    symbols, first_global = _merge_symbols(objects, strings)
    for each, header in relocated:
        content = b"".join(
            elf.RELOCATION.pack(offset, each.symbols[info >> 32] << 32 | info & 0xFFFFFFFF, addend)
            for offset, info, addend in elf.RELOCATION.iter_unpack(each.bytes_of(header))
        )
        place, size = each.sections[header[7]], elf.RELOCATION.size
        sections.append(
            _Section(each.name(header), elf.RELA, elf.INFO_LINK, len(content), content, table, place, 8, size)
        )
    content = b"".join(symbols)
    sections += [
        _Section(".symtab", elf.SYMTAB, 0, len(content), content, table + 1, first_global, 8, elf.SYMBOL.size),
        _Section(".strtab", elf.STRTAB, 0, len(strings.content), bytes(strings.content), 0, 0, 1, 0),
    ]
    return _write(sections, elf.HEADER.unpack_from(contents[0]))


def _is_relocation(each: _Object, header: tuple[int, ...]) -> bool:
    return header[1] == elf.RELA and header[7] in each.sections


def _merge_symbols(objects: Sequence[_Object], strings: _Table) -> tuple[list[bytes], int]:
    """Return the symbols, local ones first, and how many of these there are."""
    local_symbols = [bytes(elf.SYMBOL.size)]
    global_symbols: dict[str, bytes] = {}
    references: list[tuple[_Object, int, str]] = []
    for each in objects:
        header = next(header for header in each.headers if header[1] == elf.SYMTAB)
        names = each.headers[header[6]][4]
        each.symbols[0] = 0
        for number, entry in enumerate(elf.SYMBOL.iter_unpack(each.bytes_of(header))):
            name, info, visibility, section, value, size = entry
            text = elf.text_at(each.content, names + name)
            is_kept = section in (elf.UNDEFINED, *each.sections) or section >= elf.FIRST_RESERVED
            if number == 0 or not is_kept:
                continue
            place = each.sections.get(section, section)
            symbol = elf.SYMBOL.pack(strings.place(text), info, visibility, place, value, size)
            if info >> 4 == elf.LOCAL:
                each.symbols[number] = len(local_symbols)
                local_symbols.append(symbol)
                continue
            references.append((each, number, text))
            if section != elf.UNDEFINED or text not in global_symbols:
                global_symbols[text] = symbol
    numbers = {text: len(local_symbols) + index for index, text in enumerate(global_symbols)}
    for each, number, text in references:
        each.symbols[number] = numbers[text]
    return [*local_symbols, *global_symbols.values()], len(local_symbols)


def _write(sections: list[_Section], header: tuple[int, ...]) -> bytes:
    """Return the file of the sections, with a header like another one."""
    names = _Table()
    for section in (*sections, _Section(".shstrtab", elf.STRTAB, 0, 0, b"", 0, 0, 1, 0)):
        names.place(section.name)
    table = bytes(names.content)
    sections = [*sections, _Section(".shstrtab", elf.STRTAB, 0, len(table), table, 0, 0, 1, 0)]
    content = bytearray(elf.HEADER.size)
    entries = bytearray()
    for section in sections:
        content += bytes(-len(content) % max(section.alignment, 1))
        entries += elf.SECTION.pack(
            names.place(section.name), section.kind, section.flags, 0, len(content) if section.kind else 0,
            section.size, section.link, section.info, section.alignment, section.entry_size,
        )  # fmt: skip
        content += section.content
    content += bytes(-len(content) % 8)
    elf.HEADER.pack_into(content, 0, *header[:6], len(content), *header[7:12], len(sections), len(sections) - 1)
    return bytes(content + entries)
