"""Read the tables of snippets: one paragraph each."""

from __future__ import annotations


def pieces(text: str) -> tuple[str, ...]:
    """Split a text into paragraphs, without headings (`##`)."""
    return tuple(each for each in text.strip().split("\n\n") if not each.startswith("##"))


def pairs(text: str) -> tuple[tuple[str, str], ...]:
    """Split each paragraph at its line `# is`."""
    pairs: list[tuple[str, str]] = []
    for each in pieces(text):
        first, second = each.split("\n# is\n")
        pairs.append((first, second))
    return tuple(pairs)
