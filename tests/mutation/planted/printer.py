"""Bugs of the printer: texts that read back as something else, or not at all."""

from __future__ import annotations

from typing import Final

from tests.mutation.patch import Patch

PATCHES: Final = (
    Patch(
        "parentheses-on-the-right",
        "tvmscript/printer/exprs.py",
        "    right = own + 1\n",
        "    right = own\n",
        "a - (b - c) is printed as a - b - c",
    ),
    Patch(
        "negation",
        "tvmscript/printer/exprs.py",
        'text = f"not {p.expr(node.a, NOT)}"',
        'text = f"not {p.expr(node.a, AND)}"',
        "not (a and b) is printed as not a and b",
    ),
    Patch(
        "comparison-of-comparisons",
        "tvmscript/printer/exprs.py",
        'expr_rule(E.EQ)(_infix("==", COMPARE, BIT_OR))',
        'expr_rule(E.EQ)(_infix("==", COMPARE, COMPARE))',
        "(a < b) == c is printed as a chain",
    ),
    Patch(
        "select-swapped",
        "tvmscript/printer/exprs.py",
        "Select({p.expr(node.condition)}, {p.expr(node.true_value)}, {p.expr(node.false_value)})",
        "Select({p.expr(node.condition)}, {p.expr(node.false_value)}, {p.expr(node.true_value)})",
        "the values of T.Select change places",
    ),
    Patch(
        "negative-zero",
        "tvmscript/printer/literals.py",
        '        return "0" if math.copysign(1.0, value) > 0 else "-0.0"',
        '        return "0"',
        "-0.0 is printed as 0",
    ),
    Patch(
        "sixteen-digits",
        "tvmscript/printer/literals.py",
        'return f"{value:.17g}"',
        'return f"{value:.16g}"',
        "the last digit of floats is lost",
    ),
    Patch(
        "backslashes",
        "tvmscript/printer/literals.py",
        """if value.isprintable() and '"' not in value and "\\\\" not in value:""",
        """if value.isprintable() and '"' not in value:""",
        "backslashes in strings are not escaped",
    ),
    Patch(
        "grid-with-annotations",
        "tvmscript/printer/loops.py",
        "and low.value == 0 and not loop.annotations",
        "and low.value == 0",
        "loops with annotations become part of T.grid",
    ),
    Patch(
        "grid-of-dependent-extents",
        "tvmscript/printer/loops.py",
        "while _is_plain(loop) and not (nest and (_uses(loop.extent, nest) or loop.loop_var in p.irregular)):",
        "while _is_plain(loop) and not (nest and loop.loop_var in p.irregular):",
        "T.grid whose extents depend on its own variables",
    ),
    Patch(
        "remap-of-shifted-loops",
        "tvmscript/printer/blocks.py",
        "return same(loop.min, axis.dom.min) and same(loop.extent, axis.dom.extent)",
        "return same(loop.extent, axis.dom.extent)",
        "T.axis.remap for a loop that does not start where the axis does",
    ),
    Patch(
        "taken-names",
        "tvmscript/printer/names.py",
        "    while name in taken or (",
        "    if name in taken or (",
        "the third of several equal names is that of another one",
    ),
    Patch(
        "bool-memory",
        "tvmscript/printer/buffers.py",
        "stored = INT8.with_lanes(dtype.lanes) if dtype.is_bool else dtype",
        "stored = dtype",
        "the memory of bool buffers is taken for bools",
    ),
    Patch(
        "scope-of-parameters",
        "tvmscript/printer/functions.py",
        '        and buffer.scope == "global"\n',
        "",
        "parameters in another memory are printed without it",
    ),
    Patch(
        "allocated-buffer",
        "tvmscript/printer/stmts.py",
        "    return (\n        node.dtype is buffer.dtype\n        and is_true(node.condition)\n",
        "    return (\n        node.dtype is buffer.dtype\n",
        "the condition of an allocation is lost next to its buffer",
    ),
)
