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
    content: bytes
    #: of the section in memory, which may have no content
    size: int
    alignment: int = 1
    flags: int = 0
    link: int = 0
    info: int = 0
    entry_size: int = 0


@dataclass
class _Object:
    """An object file to merge."""

    content: bytes
    headers: list[elf.SectionHeader]
    #: number of a section -> that of the merged file, of those that are loaded
    sections: dict[int, int] = field(default_factory=dict)
    #: number of a symbol -> that of the merged file
    symbols: dict[int, int] = field(default_factory=dict)

    def name(self, header: elf.SectionHeader) -> str:
        """Return the name of a section."""
        names = self.headers[elf.FileHeader.of(self.content).name_section]
        return elf.text_at(self.content, names.offset + header.name)

    def bytes_of(self, header: elf.SectionHeader) -> bytes:
        """Return what a section has in the file."""
        return b"" if header.kind == elf.NOBITS else self.content[header.offset : header.offset + header.size]

    def relocations(self) -> list[elf.SectionHeader]:
        """Return the sections with relocations of those that are loaded."""
        return [header for header in self.headers if header.kind == elf.RELA and header.info in self.sections]


def merge_objects(contents: Sequence[bytes]) -> bytes:
    """Return an object file that has the loaded sections, the symbols and the relocations of several.

    Symbols that one of them defines are those that others refer to.
    """
    objects = [_Object(content, list(elf.section_headers(content))) for content in contents]
    sections = [_Section("", 0, b"", 0, 0)]
    for part in objects:
        for number, header in enumerate(part.headers):
            if header.flags & elf.ALLOC:
                part.sections[number] = len(sections)
                sections.append(
                    _Section(
                        part.name(header), header.kind, part.bytes_of(header), header.size, header.alignment,
                        header.flags, entry_size=header.entry_size,
                    )
                )  # fmt: skip
    relocated = [(part, header) for part in objects for header in part.relocations()]
    table = len(sections) + len(relocated)
    strings = _Table()
    symbols, first_global = _merge_symbols(objects, strings)
    for part, header in relocated:
        content = b"".join(
            elf.RELOCATION.pack(offset, part.symbols[info >> 32] << 32 | info & 0xFFFFFFFF, addend)
            for offset, info, addend in elf.RELOCATION.iter_unpack(part.bytes_of(header))
        )
        sections.append(
            _Section(
                part.name(header), elf.RELA, content, len(content), 8, elf.INFO_LINK, table,
                part.sections[header.info], elf.RELOCATION.size,
            )
        )  # fmt: skip
    content = b"".join(symbols)
    sections += [
        _Section(".symtab", elf.SYMTAB, content, len(content), 8, 0, table + 1, first_global, elf.SYMBOL.size),
        _Section(".strtab", elf.STRTAB, bytes(strings.content), len(strings.content)),
    ]
    return _write(sections, elf.FileHeader.of(contents[0]))


def _merge_symbols(objects: Sequence[_Object], strings: _Table) -> tuple[list[bytes], int]:
    """Return the symbols, local ones first, and how many of these there are."""
    local_symbols = [bytes(elf.SYMBOL.size)]
    global_symbols: dict[str, bytes] = {}
    references: list[tuple[_Object, int, str]] = []
    for part in objects:
        header = next(header for header in part.headers if header.kind == elf.SYMTAB)
        names = part.headers[header.link].offset
        part.symbols[0] = 0
        for number, fields in enumerate(elf.SYMBOL.iter_unpack(part.bytes_of(header))):
            symbol = elf.Symbol(*fields)
            text = elf.text_at(part.content, names + symbol.name)
            is_defined = symbol.section != elf.UNDEFINED
            is_kept = not is_defined or symbol.section in part.sections or symbol.section >= elf.FIRST_RESERVED
            if number == 0 or not is_kept:
                continue
            section = part.sections.get(symbol.section, symbol.section)
            entry = elf.SYMBOL.pack(*symbol._replace(name=strings.place(text), section=section))
            if symbol.is_local:
                part.symbols[number] = len(local_symbols)
                local_symbols.append(entry)
                continue
            references.append((part, number, text))
            if is_defined or text not in global_symbols:
                global_symbols[text] = entry
    numbers = {text: len(local_symbols) + index for index, text in enumerate(global_symbols)}
    for part, number, text in references:
        part.symbols[number] = numbers[text]
    return [*local_symbols, *global_symbols.values()], len(local_symbols)


def _write(sections: Sequence[_Section], header: elf.FileHeader) -> bytes:
    """Return the file of the sections, with a header like another one."""
    names = _Table()
    for name in [*[section.name for section in sections], ".shstrtab"]:
        names.place(name)
    sections = [*sections, _Section(".shstrtab", elf.STRTAB, bytes(names.content), len(names.content))]
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
    new_header = header._replace(
        section_headers=len(content), section_count=len(sections), name_section=len(sections) - 1
    )
    elf.HEADER.pack_into(content, 0, *new_header)
    return bytes(content + entries)
