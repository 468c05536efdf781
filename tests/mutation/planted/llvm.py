"""Bugs of the code for LLVM: kernels that compute something else, or read and write elsewhere."""

from __future__ import annotations

from typing import Final

from tests.mutation.patch import Patch

PATCHES: Final = (
    Patch(
        "floor-division",
        "backends/llvm/division.py",
        '    return text.value(f"add {kind} {quotient}, {one}")',
        "    return quotient",
        "floordiv rounds towards zero",
    ),
    Patch(
        "floor-remainder",
        "backends/llvm/division.py",
        'moved = text.value(f"add {kind} {remainder}, {b}")',
        'moved = text.value(f"sub {kind} {b}, {remainder}")',
        "remainders of negative numbers are moved the wrong way",
    ),
    Patch(
        "unsigned-division",
        "backends/llvm/division.py",
        'return "s" if dtype.is_signed and not (positive and low >= 0) else "u"',
        'return "s" if dtype.is_signed and not positive else "u"',
        "negative divisors are divided by as unsigned numbers",
    ),
    Patch(
        "division-by-zero",
        "backends/llvm/division.py",
        "    if low <= 0 <= high:\n",
        "    if low < 0 < high:\n",
        "unsigned divisions by zero are not kept from the hardware",
    ),
    Patch(
        "least-value-divided",
        "backends/llvm/division.py",
        "    if dtype.is_signed and low <= -1 <= high and not positive:\n        # x / -1 is -x",
        "    if dtype.is_signed and low < -1 < high and not positive:\n        # x / -1 is -x",
        "the guard of divisions by -1 is missing where it is the least divisor",
    ),
    Patch(
        "unsigned-widening",
        "backends/llvm/convert.py",
        'return self._convert("sext" if source.is_signed else "zext", operand, source, target)',
        'return self._convert("sext", operand, source, target)',
        "unsigned numbers are widened with a sign",
    ),
    Patch(
        "unsigned-floats",
        "backends/llvm/convert.py",
        'op = "sitofp" if source.is_signed else "uitofp"',
        'op = "sitofp"',
        "unsigned numbers become negative floats",
    ),
    Patch(
        "bool-of-integers",
        "backends/llvm/convert.py",
        '            return self.text.value(f"icmp ne {value_type(source)} {operand}, {zero}")\n        if target.bits',
        '            return self._convert("trunc", operand, source, target)\n        if target.bits',
        "conversions to bool look at the last bit",
    ),
    Patch(
        "unsigned-comparison",
        "backends/llvm/expressions.py",
        'tir.LE: ("ole", "sle", "ule"),',
        'tir.LE: ("ole", "sle", "sle"),',
        "unsigned numbers are compared as signed ones",
    ),
    Patch(
        "nan-comparison",
        "backends/llvm/expressions.py",
        'tir.NE: ("une", "ne", "ne"),',
        'tir.NE: ("one", "ne", "ne"),',
        "nan != nan is false",
    ),
    Patch(
        "sign-of-extremes",
        "backends/llvm/expressions.py",
        """return self.overloaded(f"llvm.{'s' if dtype.is_signed else 'u'}{name}", dtype, [a, b])""",
        """return self.overloaded(f"llvm.s{name}", dtype, [a, b])""",
        "minima of unsigned numbers are signed",
    ),
    Patch(
        "ramp-lanes",
        "backends/llvm/expressions.py",
        'for lane in range(dtype.lanes))}>"\n        else:',
        'for lane in range(1, dtype.lanes + 1))}>"\n        else:',
        "ramps begin with their second element",
    ),
    Patch(
        "if-then-else-evaluates-both",
        "backends/llvm/expressions.py",
        "        if evaluates_safely(yes) and evaluates_safely(no):\n",
        "        if evaluates_safely(yes) or evaluates_safely(no):\n",
        "T.if_then_else loads what its condition guards",
    ),
    Patch(
        "row-of-shape",
        "backends/llvm/memory.py",
        "for index, extent in zip(indices[1:], buffer.shape[1:], strict=True):",
        "for index, extent in zip(indices[1:], buffer.shape[:-1], strict=True):",
        "rows are as long as columns",
    ),
    Patch(
        "strided-access",
        "backends/llvm/memory.py",
        "        if buffer.strides:\n            pairs",
        "        if buffer.strides and len(indices) > 2:\n            pairs",
        "strides of matrices are forgotten",
    ),
    Patch(
        "backward-vectors",
        "backends/llvm/memory.py",
        'lowest = self.text.value(f"sub nsw i64 {first}, {last.lanes - 1}")',
        'lowest = self.text.value(f"sub nsw i64 {first}, {last.lanes}")',
        "backward vectors begin one element too early",
    ),
    Patch(
        "last-lane",
        "backends/llvm/memory.py",
        'i32 {dtype.lanes - 1}")\n            self.store(',
        'i32 0")\n            self.store(',
        "of lanes that go to one element the first stays",
    ),
    Patch(
        "end-of-loops",
        "backends/llvm/statements.py",
        "        if not _is_zero(node.min):\n            extent",
        "        if not isinstance(node.min, tir.IntImm):\n            extent",
        "loops that start at a constant other than 0 end too early",
    ),
    Patch(
        "empty-loops",
        "backends/llvm/statements.py",
        "        if not runs:\n",
        "        if runs:\n",
        "loops of unknown extent run at least once",
    ),
    Patch(
        "signed-shift",
        "backends/llvm/intrinsics.py",
        'return self._shift(node, "ashr" if node.dtype.is_signed else "lshr")',
        'return self._shift(node, "lshr")',
        "signed shifts fill in zeros",
    ),
    Patch(
        "range-of-remainders",
        "backends/llvm/ranges.py",
        "return (first, last) if first >= 0 and last < low else (0, high - 1)",
        "return (first, last) if last < low else (0, high - 1)",
        "remainders of negative numbers are taken to be the numbers",
    ),
    Patch(
        "same-or-apart",
        "backends/llvm/loops.py",
        "    if a.buffer.data is not b.buffer.data:\n        return True\n    return a.buffer.dtype",
        "    if a.buffer is not b.buffer:\n        return True\n    return a.buffer.dtype",
        "two views of one memory are taken to be apart",
    ),
)
