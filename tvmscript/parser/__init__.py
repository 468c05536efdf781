"""Parser: from text, or decorated Python, to programs.

`entry` is the entry point. `programs` parses modules and the statements around functions; `tir`, `relax` and `v0_27`
parse functions, `python` evaluates expressions, and `builtins` and the folders of that name define the names of `T`,
`I` and `R`. `reader` is the interface between parsers and constructs. `diagnostics` reports and recovers from errors.
"""

from __future__ import annotations

from tvmscript.parser.entry import from_source as from_source
from tvmscript.parser.entry import parse_program as parse_program
