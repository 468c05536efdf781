"""Text to programs."""

from __future__ import annotations

from tvmscript.parser.entry import from_source as from_source
from tvmscript.parser.entry import parse_program as parse_program
