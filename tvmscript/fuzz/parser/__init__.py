"""Texts of programs: right ones, nearly right ones, the same in other words, with faults, with comments.

    from hypothesis import given
    from tvmscript.fuzz.parser import near_valid_texts

    @given(near_valid_texts())
    def test_reads_or_says_where(text): ...

`drawn`: any program as text. `changes`: what makes a text nearly right. `python`: functions of Python's library.
`spellings`: a text in other words. `snippets`: pieces in two spellings, and pieces with a fault at a known place.
`faults`: a text with one fault. `marks`: comments, underlines and notes, which the printer adds. `names`: what names of
printed texts are.
"""

from __future__ import annotations

from tvmscript.fuzz.parser.changes import CHANGES, near_valid_texts
from tvmscript.fuzz.parser.drawn import texts
from tvmscript.fuzz.parser.python import functions_of, library, python_texts

__all__ = ["CHANGES", "functions_of", "library", "near_valid_texts", "python_texts", "texts"]
