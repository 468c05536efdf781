"""What is written down about the language for people and their editors, out of the tables that define it.

`python -m tvmscript.reference` writes the stubs of `T`, `I` and `R` and the generated pages of `grammar_docs/`;
with `--check` it only says what is out of date.
"""

from __future__ import annotations
