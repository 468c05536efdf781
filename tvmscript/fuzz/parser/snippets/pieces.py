"""Read the tables of snippets: one paragraph each."""

from __future__ import annotations


def pieces(text: str) -> tuple[str, ...]:
    """The paragraphs of a text, but for headings, which begin with `##`."""
    return tuple(each for each in text.strip().split("\n\n") if not each.startswith("##"))


def pairs(text: str) -> tuple[tuple[str, str], ...]:
    """The two parts of each paragraph, which a line `# is` keeps apart."""
    pairs: list[tuple[str, str]] = []
    for each in pieces(text):
        first, second = each.split("\n# is\n")
        pairs.append((first, second))
    return tuple(pairs)
