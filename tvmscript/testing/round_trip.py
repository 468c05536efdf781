"""Check that a printed program reads back to the same program, with the same variables."""

from __future__ import annotations

from collections import Counter
from typing import Any

from tvmscript.ir.core import BaseFunc, IRModule, Node, TVMScriptError
from tvmscript.ir.core.equality.equal import first_difference
from tvmscript.parser import from_source
from tvmscript.parser.global_names import T_V0_27, I, R, T
from tvmscript.testing.errors import IdentityLost, NotPrinted, NotReadBack, PrintsDifferent, ReadsBackDifferent

#: printer option -> what the name that it gives stands for; in texts of TVM 0.27
_PREFIXES = {"tir_prefix": T, "ir_prefix": I, "relax_prefix": R}
_TIRX_PREFIXES = {"tir_prefix": T_V0_27, "ir_prefix": I, "relax_prefix": R}


def roundtrip(program: Node, **printer_options: Any) -> None:
    """Nothing happens if the text of a program reads back: to an equal program, with the same variables, which prints
    the same text again.

    `program` is a module, a function or a part of one; `printer_options` are those of `script()`.
    Raises a `RoundTripError` (TS8001 to TS8005) that shows the first difference and both texts.
    """
    check_round_trip(program, "the program", **printer_options)


def check_round_trip(program: Node, words: str, **printer_options: Any) -> None:
    """`roundtrip`, with the words that the message has for the program. Parts declare their free names."""
    if not isinstance(program, (IRModule, BaseFunc)):
        printer_options = {"verbose_expr": True, **printer_options}
    text = _printed(program, words, printer_options)
    is_newer = printer_options.get("dialect") == "0.27"
    prefixes = _TIRX_PREFIXES if is_newer else _PREFIXES
    names = {name: prefixes[option] for option, name in printer_options.items() if option in prefixes}
    if is_newer and not isinstance(program, (IRModule, BaseFunc)):
        names.setdefault("T", T_V0_27)  # the header of whole programs says so
    try:
        again: Node = from_source(text, check_well_formed=False, extra_vars=names)
    except TVMScriptError as error:
        raise NotReadBack(program=words, reason=error.render(), text=text) from error
    second = _printed(again, words, printer_options)
    # what nothing defines (in parts, in attributes) is another object in what was read: paired one to one all the same
    difference = first_difference(program, again, map_free_vars=True)
    if difference is not None:
        raise ReadsBackDifferent(
            program=words, path=difference.path, reason=difference.reason, text=text, again=_compared(text, second)
        )
    before, after = _names(program), _names(again)
    for kind in before | after:
        if before[kind] != after[kind]:
            raise IdentityLost(program=words, kind=f"of {kind}", count=before[kind], other=after[kind], text=text)
    if second != text:
        raise PrintsDifferent(program=words, text=text, again=_compared(text, second))


def _printed(program: Node, words: str, options: dict[str, Any]) -> str:
    try:
        return program.script(**options)
    except TVMScriptError as error:
        raise NotPrinted(program=words, reason=error.text) from error


def _compared(text: str, second: str) -> str:
    """The second text under its heading."""
    return "it prints the same text again" if second == text else f"as it is read back:\n{second}"


def _names(program: Node) -> Counter[str]:
    """Count the variables, buffers and functions of a program by class: objects, not names."""
    seen: set[Node] = set()
    counts: Counter[str] = Counter()
    stack: list[Any] = [program]
    while stack:
        item = stack.pop()
        if isinstance(item, Node):
            if item.is_name:
                if item in seen:
                    continue
                seen.add(item)
                counts[type(item).__name__] += 1
            stack += [getattr(item, name) for name in item.schema.walked]
        elif isinstance(item, (tuple, list)):
            stack += item
        elif isinstance(item, dict):
            stack += [*item.keys(), *item.values()]
    return counts
