"""Text to programs."""

from __future__ import annotations

from tvmscript.parser.module import from_source as from_source
from tvmscript.parser.module import parse_program as parse_program
