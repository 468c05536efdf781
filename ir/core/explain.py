"""Who tells how two programs differ: filled by the package's front door, as equality itself knows no diff."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

Explainer = Callable[[Any, Any, Sequence[Any]], str]


def _nothing(left: object, right: object, mismatches: Sequence[Any]) -> str:
    return ""


#: (left, right, mismatches) -> what stands below the first line of the message; empty: only the two parts
explain_hook: Explainer = _nothing


def set_explainer(explain: Explainer) -> None:
    """Install the function that writes the details of a failed `assert_structural_equal`."""
    global explain_hook
    explain_hook = explain
