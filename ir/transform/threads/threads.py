"""What passes on thread axes have in common."""

from __future__ import annotations

from tvmscript.ir.arith.analyzer import Analyzer
from tvmscript.ir.tir.expr import Range
from tvmscript.ir.tir.stmt import For
from tvmscript.ir.transform.errors import ThreadsDiffer


def check_same_threads(analyzer: Analyzer, first: For | Range, other: For | Range, tag: str) -> None:
    """Both run over the same threads. Raises `ThreadsDiffer` where that is not known."""
    is_same = analyzer.can_prove_equal(first.min, other.min) and analyzer.can_prove_equal(first.extent, other.extent)
    if not is_same:
        raise ThreadsDiffer(tag=tag, first=_shown(first), other=_shown(other), span=other.span)


def _shown(domain: For | Range) -> str:
    return f"[{domain.min}, {domain.min} + {domain.extent})"
