"""Pieces of programs in two spellings that mean the same, and pieces with a fault at a known place.

    pair = same_texts(random.Random(0))       # two texts that are read as one program
    fault = wrong_text(random.Random(0))      # a text that is refused: where the error begins

`same` and `wrong` have the pieces. `drawn` puts them at any place of a program.
"""

from __future__ import annotations

from tvmscript.fuzz.parser.snippets.drawn import Pair, Wrong, same_texts, wrong_text

__all__ = ["Pair", "Wrong", "same_texts", "wrong_text"]
