"""Generators of the type stubs (`tvmscript/language/*.pyi`) and of the generated pages of `grammar_docs/`.

`python -m tools.reference` writes the files; `--check` lists those that are out of date.
"""
