"""Reduce a failing program (delta debugging).

After A. Zeller, R. Hildebrandt, "Simplifying and Isolating Failure-Inducing Input" (2002), on programs instead of text:
every candidate is well formed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, TypeVar

from tvmscript.ir.core import IRModule, Node, Rewriter, TVMScriptError, nodes, on
from tvmscript.ir.core.python_settings import deep_recursion
from tvmscript.ir.relax.verify import verify as verify_graphs
from tvmscript.ir.tir import IntImm, SeqStmt
from tvmscript.ir.tir.rewrite import flatten_seq
from tvmscript.ir.tir.verify import verify as verify_kernels
from tvmscript.testing.reducer.candidates import replacements, without_parts

P = TypeVar("P", bound=Node)


class NothingFails(TVMScriptError, code="TS8030"):
    """A program is to be reduced that does not fail in the first place: there is nothing to keep while it shrinks."""

    message = "the program does not fail, so that there is nothing to keep while it is made smaller"


@deep_recursion
def reduce(program: P, fails: Callable[[P], bool], *, told: Callable[[P, int], None] | None = None) -> P:
    """A small program for which `fails` is still true: a module or a function, like the given one.

    `fails` gets well-formed programs, one after the other; what it raises ends the reduction. Nothing can be taken away
    from the result: functions, statements, bindings, parts of expressions, attributes, large numbers. `told` is called
    with every smaller program and how many were tried so far.

    Raises `NothingFails`.
    """
    if not fails(program):
        raise NothingFails
    reduced: P = _Reduction(program, fails, told).result()
    return reduced


class _Reduction:
    def __init__(self, program: Any, fails: Callable[[Any], bool], told: Callable[[Any, int], None] | None) -> None:
        self.best = program
        self.fails = fails
        self.told = told
        self.tried = 0
        #: texts that were tried: another way to the same program is not tried again
        self._seen: set[str] = set()

    def result(self) -> Any:
        while self._functions() | self._numbers() | self._nodes():
            pass
        return self.best

    def _take(self, candidate: Any) -> bool:
        """Go on with a candidate if it is well formed, was not seen, and fails."""
        try:
            verify_kernels(candidate)
            verify_graphs(candidate)
            text = candidate.script(comments=False)
        except TVMScriptError:
            return False
        if text in self._seen:
            return False
        self._seen.add(text)
        self.tried += 1
        if not self.fails(candidate):
            return False
        self.best = candidate
        if self.told is not None:
            self.told(candidate, self.tried)
        return True

    def _functions(self) -> bool:
        """Leave functions out."""
        progress = False
        while isinstance(self.best, IRModule) and any(self._take(each) for each in _fewer_functions(self.best)):
            progress = True
        return progress

    def _numbers(self) -> bool:
        """Make a number smaller wherever it stands: extents of buffers and loops belong together."""
        progress = False
        values = {node.value for node in nodes(self.best) if isinstance(node, IntImm) and node.value > 1}
        for value in sorted(values, reverse=True):
            for less in (1, 2, 3, 4, value // 2):
                if less < value and self._change(_Numbers(value, less)):
                    progress = True
                    break
        return progress

    def _nodes(self) -> bool:
        """Replace nodes by smaller ones, the outermost first; after a success what came in place of it is next."""
        progress, place, items = False, 0, list(nodes(self.best))
        while place < len(items):
            node = items[place]
            if any(self._put(node, replacement) for replacement in replacements(node)):
                progress, items = True, list(nodes(self.best))
            else:
                place += 1
        return progress

    def _put(self, node: Node, replacement: Node) -> bool:
        """Go on with another node in the place of one, if that fails as well."""
        return self._take(replacement) if node is self.best else self._change(_Replaced(node, replacement))

    def _change(self, rewriter: Rewriter) -> bool:
        try:
            candidate = rewriter.rewrite(self.best)
        except TVMScriptError:  # a constructor refuses it
            return False
        return candidate is not self.best and self._take(candidate)


def _fewer_functions(module: IRModule) -> Iterator[IRModule]:
    for kept in without_parts(tuple(module.functions.items())):
        if kept:
            yield module.replace(functions=dict(kept))


class _Anywhere(Rewriter):
    """Rewrites what stands anywhere, definitions and their uses included."""

    @on(SeqStmt)
    def sequence(self, node: SeqStmt) -> Any:
        parts = self.value(node.seq)
        return node if parts is node.seq else flatten_seq(parts, node)


class _Replaced(_Anywhere):
    """Puts one node in the place of another."""

    def __init__(self, old: Node, new: Node) -> None:
        super().__init__()
        self.old, self.new = old, new

    def rewrite(self, node: Node) -> Any:
        return self.new if node is self.old else super().rewrite(node)

    def value(self, value: Any) -> Any:
        return self.new if value is self.old else super().value(value)

    def definitions(self, value: Any) -> Any:
        return self.new if value is self.old else super().definitions(value)


class _Numbers(_Anywhere):
    """Puts one integer in the place of another."""

    def __init__(self, old: int, new: int) -> None:
        super().__init__()
        self.old, self.new = old, new

    @on(IntImm)
    def number(self, node: IntImm) -> IntImm:
        return IntImm(node.dtype, self.new, node.span) if node.value == self.old else node
