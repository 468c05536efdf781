"""Text to programs.

`entry` takes a text or a decorated object, `programs` reads what stands around functions, `functions` (0.27:
`tirx_functions`) one function, `bodies` and `control` its statements, `evaluate` and `arithmetic` its expressions.
`roots` are the names that a text may use: `constructs` has a file for each family of names of `T` and `I`. `report`,
`recovery`, `advice` and `errors` are for texts that are wrong.
"""

from __future__ import annotations

from tvmscript.parser.entry import from_source as from_source
from tvmscript.parser.entry import parse_program as parse_program
