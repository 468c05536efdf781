"""Observe what the arithmetic says of the expressions of a program."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any, Final

from tvmscript.fuzz.observing import observe
from tvmscript.fuzz.records.outcomes import describe
from tvmscript.ir.arith.analyzer import Analyzer
from tvmscript.ir.arith.int_set import eval_set
from tvmscript.ir.arith.intervals.interval_analysis import WrappingIntervalAnalysis
from tvmscript.ir.arith.iter_map.detect import detect_iter_map
from tvmscript.ir.arith.iter_map.simplify import iter_map_simplify, normalize_to_iter_sum
from tvmscript.ir.arith.linear_equation import detect_clip_bound, detect_linear_equation
from tvmscript.ir.arith.python_operators import fold
from tvmscript.ir.arith.shared_subexpressions import find_repeated
from tvmscript.ir.core import IRModule, TVMScriptError, nodes
from tvmscript.ir.tir import Expr, For, PrimFunc, Range, Stmt, Var
from tvmscript.ir.tir.expr import BufferLoad

#: expressions of a function
_MOST: Final = 24
#: extensions of the analyzer: each rule for connectives, alone and with proofs that add up assumptions
_EXTENSIONS: Final = (0, 3, 4, 7)


def observe_arithmetic(module: IRModule) -> None:
    """Observe what becomes of the expressions of functions, with loops and without."""
    for func in module.values():
        if isinstance(func, PrimFunc):
            loops = {
                node.loop_var: Range.from_min_extent(node.min, node.extent)
                for node in nodes(func.body)
                if isinstance(node, For)
            }
            for expr in [*dict.fromkeys(_expressions(func.body))][:_MOST]:
                _observe(expr, loops)
                if loops:
                    _observe(expr, {})


def _expressions(root: Stmt) -> Iterator[Expr]:
    """Enumerate the expressions directly in statements and indices."""
    for node in nodes(root):
        if isinstance(node, Stmt | BufferLoad):
            for name in node.schema.arguments:
                value = getattr(node, name)
                yield from (
                    each for each in (value if isinstance(value, tuple) else (value,)) if isinstance(each, Expr)
                )


def _observe(expr: Expr, loops: dict[Var, Range]) -> None:
    facts = _facts(loops)
    questions: dict[str, Callable[[], Any]] = {
        "simplified": partial(facts.simplify, expr), "rewritten": partial(facts.rewrite_simplify, expr),
        "canonical": partial(facts.canonical_simplify, expr), "folded": partial(fold, expr),
        "repeated": lambda: find_repeated([expr]),
    }  # fmt: skip
    variables = [*loops] or [node for node in nodes(expr) if isinstance(node, Var)]
    if expr.dtype.is_bool and expr.dtype.lanes == 1:
        questions["proved"] = partial(facts.can_prove, expr)
        questions["clipped"] = partial(detect_clip_bound, expr, variables)
        for extensions in _EXTENSIONS:
            questions[f"extensions {extensions}"] = partial(_simplified, expr, loops, extensions)
        questions["detected"] = lambda: detect_iter_map([*loops], loops, expr)
    elif expr.dtype.is_integer and expr.dtype.lanes == 1:
        questions |= {
            "bounds": partial(facts.const_bounds, expr), "modular": partial(facts.modular, expr),
            "values": partial(eval_set, expr, loops), "index": partial(facts.simplify_index, expr),
            "of machine integers": partial(_of_machine, expr, loops),
            "linear": partial(detect_linear_equation, expr, variables),
            "detected": lambda: detect_iter_map([expr], loops),
            "digits": lambda: normalize_to_iter_sum(expr, loops),
            "of digits": lambda: iter_map_simplify([expr], loops),
        }  # fmt: skip
    observe("answers", lambda: "\n".join(f"{word}: {_answer(question)}" for word, question in questions.items()))


def _answer(question: Callable[[], Any]) -> str:
    try:
        return describe(question())
    except TVMScriptError as error:
        return describe(error)


def _simplified(expr: Expr, loops: dict[Var, Range], extensions: int) -> Expr:
    facts = _facts(loops)
    facts.enabled_extensions = extensions
    return facts.simplify(expr)


def _facts(loops: dict[Var, Range]) -> Analyzer:
    facts = Analyzer()
    for var, domain in loops.items():
        facts.bind(var, domain)
    return facts


def _of_machine(expr: Expr, loops: dict[Var, Range]) -> object:
    """Return the range of an expression of machine integers, and whether its sums stay in their dtypes."""
    analysis = WrappingIntervalAnalysis()
    for var, domain in loops.items():
        analysis.bind(var, domain)
    return analysis.range_of(expr), analysis.is_never_negative(expr), analysis.is_exact(expr)
