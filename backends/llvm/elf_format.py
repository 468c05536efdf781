"""The parts of ELF that objects of x86-64 have: from the ELF specification and that of the processor."""

from __future__ import annotations

import struct
from collections.abc import Iterator
from typing import Final, NamedTuple

#: types of sections
PROGBITS, SYMTAB, STRTAB, RELA, NOBITS = 1, 2, 3, 4, 8
UNWIND: Final = 0x70000001  # tables for unwinding, which nothing here asks for
#: flags of sections
WRITE, ALLOC, EXECUTE, INFO_LINK, THREAD_LOCAL = 1, 2, 4, 0x40, 0x400
#: indices of sections that symbols have: of no section, the first that is no index
UNDEFINED, FIRST_RESERVED = 0, 0xFF00
#: binding of symbols
LOCAL: Final = 0
#: types of relocations
ABS64, PC32, PLT32, PC64 = 1, 2, 4, 24
THROUGH_TABLE: Final = frozenset({9, 41, 42})  # GOTPCREL, GOTPCRELX, REX_GOTPCRELX
HEADER: Final = struct.Struct("<16sHHIQQQIHHHHHH")
SECTION: Final = struct.Struct("<IIQQQQIIQQ")
SYMBOL: Final = struct.Struct("<IBBHQQ")
RELOCATION: Final = struct.Struct("<QQq")
MAGIC: Final = b"\x7fELF\x02"


class FileHeader(NamedTuple):
    """The fields of `HEADER`."""

    identification: bytes
    kind: int
    machine: int
    version: int
    entry: int
    program_headers: int
    section_headers: int
    flags: int
    size: int
    program_header_size: int
    program_header_count: int
    section_header_size: int
    section_count: int
    #: number of the section with the names of sections
    name_section: int

    @staticmethod
    def of(content: bytes) -> FileHeader:
        """Read the header of an object file."""
        return FileHeader(*HEADER.unpack_from(content))


class SectionHeader(NamedTuple):
    """The fields of `SECTION`."""

    #: place in the table of names
    name: int
    kind: int
    flags: int
    address: int
    offset: int
    size: int
    link: int
    info: int
    alignment: int
    entry_size: int


class Symbol(NamedTuple):
    """The fields of `SYMBOL`."""

    #: place in the table of names
    name: int
    info: int
    visibility: int
    section: int
    value: int
    size: int

    @property
    def is_local(self) -> bool:
        """Whether other object files do not see it."""
        return self.info >> 4 == LOCAL


def section_headers(content: bytes) -> Iterator[SectionHeader]:
    """Yield the header of each section of an object file."""
    header = FileHeader.of(content)
    for number in range(header.section_count):
        place = header.section_headers + number * header.section_header_size
        yield SectionHeader(*SECTION.unpack_from(content, place))


def text_at(content: bytes, begin: int) -> str:
    """Return a text of a table of strings, which ends with a zero byte."""
    return content[begin : content.index(b"\0", begin)].decode()
