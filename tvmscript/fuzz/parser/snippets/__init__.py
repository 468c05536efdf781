"""Program snippets: pairs of equivalent spellings, and snippets with a fault at a known place.

    pair = same_texts(random.Random(0))       # two texts of one program
    fault = wrong_text(random.Random(0))      # a text that is refused, with the place of the error
    faults = several_wrong_texts(random.Random(0))  # a text with faults, and each fault without the others

`same`, `wrong_kernels`, `wrong_graphs` and `wrong_tiles` hold the tables; `drawn` inserts snippets into programs.
"""

from __future__ import annotations

from tvmscript.fuzz.parser.snippets.drawn import (
    Pair,
    Several,
    Wrong,
    all_wrong_texts,
    same_texts,
    several_wrong_texts,
    wrong_text,
)

__all__ = ["Pair", "Several", "Wrong", "all_wrong_texts", "same_texts", "several_wrong_texts", "wrong_text"]
