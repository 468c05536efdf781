"""Random texts of programs: valid, nearly valid, equivalent, faulty, and with comments.

from hypothesis import given
from tvmscript.fuzz.parser import near_valid_texts

@given(near_valid_texts())
def test_reads_or_says_where(text): ...

drawn       texts of valid programs            changes    mutations of texts
spellings   equivalent spellings of a text     snippets/  equivalent and faulty snippets
faults      texts with one fault               python     functions of Python's standard library
marks       comments, underlines, notes        names      identifiers in printed texts
"""

from __future__ import annotations

from tvmscript.fuzz.parser.changes import CHANGES, near_valid_texts
from tvmscript.fuzz.parser.drawn import texts
from tvmscript.fuzz.parser.python import functions_of, library, python_texts

__all__ = ["CHANGES", "functions_of", "library", "near_valid_texts", "python_texts", "texts"]
