"""The parts of ELF that objects of x86-64 have: from the ELF specification and that of its processor."""

from __future__ import annotations

import struct
from collections.abc import Iterator
from typing import Final

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


def section_headers(content: bytes) -> Iterator[tuple[int, ...]]:
    """Yield the fields of each section of an object file."""
    header = HEADER.unpack_from(content)
    begin, size, count = header[6], header[11], header[12]
    for number in range(count):
        yield SECTION.unpack_from(content, begin + number * size)


def text_at(content: bytes, begin: int) -> str:
    """Return a text of a table of strings, which ends with a zero byte."""
    return content[begin : content.index(b"\0", begin)].decode()
