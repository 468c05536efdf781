"""The parts of a C text that its functions share: headers, helpers, declarations, names."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Final

from tvmscript.backends.c.errors import NotSupportedByC
from tvmscript.backends.c.helpers import helper
from tvmscript.ir.core import DType, Op, Span
from tvmscript.ir.tir import PrimFunc
from tvmscript.ir.tir.intrin import Intrinsic

_WORD: Final = re.compile(r"\w+")
#: words of C, and what the headers of a text define as macros or types
_KEYWORDS: Final = frozenset(
    _WORD.findall("""
    auto break case char const continue default do double else enum extern float for goto if inline int long register
    restrict return short signed sizeof static struct switch typedef union unsigned void volatile while bool true false
    asm typeof float16 NULL NAN INFINITY SIZE_MAX size_t malloc free allocate rounded_product isnan isinf isfinite
    """)
)
#: functions of stdlib.h and of hosted programs, whose names a function of the text cannot have
_FUNCTIONS: Final = frozenset(_WORD.findall("main abs labs div ldiv exit abort rand calloc realloc atoi qsort system"))


class Names:
    """Identifiers of a scope of C that are taken."""

    def __init__(self, outer: Names | None = None, reserved: Iterable[str] = ()) -> None:
        self._taken: set[str] = {*(() if outer is None else outer._taken), *reserved}

    def fresh(self, name: str) -> str:
        """Return an identifier for a name: the name itself, or with a number where it is taken."""
        plain = re.sub(r"[^A-Za-z0-9_]", "_", name) or "v"
        if plain[0].isdigit() or plain.startswith("__"):
            plain = f"v{plain}"
        candidate, number = plain, 0
        while candidate in self._taken or is_reserved(candidate):
            number += 1
            candidate = f"{plain}_{number}"
        self._taken.add(candidate)
        return candidate


def is_reserved(name: str) -> bool:
    """Return whether a name is C's own: a keyword, a type, or a function of its library."""
    return name in _KEYWORDS or name in _mathematical() or bool(re.fullmatch(r"_[A-Z_].*|u?int\w*_t|U?INT\d+_.*", name))


@cache
def _mathematical() -> frozenset[str]:
    names = [op.c_name for op in Op.registry.values() if isinstance(op, Intrinsic) and op.c_name is not None]
    return frozenset([*names, *(f"{name}f" for name in names)])


@dataclass
class Signature:
    """What callers of a C function of the module know."""

    symbol: str
    func: PrimFunc
    #: whether it returns an error message or NULL, and a value through its last parameter
    can_fail: bool
    #: dtype of what `T.ret` returns; None: nothing
    returned: DType | None


@dataclass
class Program:
    """A C text under construction."""

    names: Names = field(default_factory=lambda: Names(reserved=_FUNCTIONS))
    #: functions by their names in the module
    functions: dict[str, Signature] = field(default_factory=dict[str, Signature])
    headers: set[str] = field(default_factory=lambda: {"stdint.h"})
    #: name -> text, in the order of their first use
    helpers: dict[str, str] = field(default_factory=dict[str, str])
    #: external function -> declaration
    externals: dict[str, str] = field(default_factory=dict[str, str])
    #: message -> buffer, of functions that may not get memory
    out_of_memory: dict[str, str] = field(default_factory=dict[str, str])

    def helper(self, name: str, dtype: DType, source: DType | None = None) -> str:
        """Return the name of a helper, whose text becomes part of the program."""
        symbol, text = helper(name, dtype, source)
        self.helpers.setdefault(symbol, text)
        return symbol

    def external(self, name: str, result: str, params: list[str], span: Span | None) -> None:
        """Declare a C function that the program calls. Raises `NotSupportedByC` for two declarations of one name."""
        if name in _mathematical():
            return
        if name in _FUNCTIONS or name in ("malloc", "free"):
            self.headers.add("stdlib.h")
            return
        declaration = f"extern {result}{'' if result.endswith('*') else ' '}{name}({', '.join(params) or 'void'});"
        if self.externals.setdefault(name, declaration) != declaration:
            raise NotSupportedByC(what=f"the function {name} with two signatures", span=span)

    def text(self, functions: list[str], prototypes: list[str]) -> str:
        """Return the text: headers, helpers, declarations, functions; `prototypes` are of those that others call."""
        body = "\n".join([*self.helpers.values(), *functions])
        used = set(_WORD.findall(body)) | set(_WORD.findall(" ".join(self.externals.values())))
        headers = set(self.headers)
        headers |= {header for header, words in _WORDS.items() if used & words}
        if used & _mathematical() or used & {"NAN", "INFINITY", "isnan", "isinf", "isfinite"}:
            headers.add("math.h")
        parts = ["".join(f"#include <{header}>\n" for header in sorted(headers))]
        if "float16" in used:
            parts.append("typedef _Float16 float16;\n")
        parts += list(self.helpers.values())
        parts += ["".join(f"{line}\n" for line in group) for group in (self.externals.values(), prototypes) if group]
        return "\n".join([*parts, *functions])


#: header -> words that need it
_WORDS: Final[Mapping[str, set[str]]] = {
    "stdbool.h": {"bool", "true", "false"},
    "stddef.h": {"NULL", "size_t"},
    "stdlib.h": {"malloc", "free"},
}
