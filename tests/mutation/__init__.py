"""Whether the toolkit finds bugs: single lines of the package are written wrong, one at a time, and it is asked.

    python -m tests.mutation [--only PART|NAME ...] [--jobs N] [--write]

`patch`: a line that is written wrong. `planted`: the tables of them, a file for each part of the package.
`trial`: one of them in a copy of the package. `look`: what runs there. `score`: the table in README.md.
"""
