"""`I`, modules of the script."""

from __future__ import annotations

from tvmscript.language.decorators import ir_module
from tvmscript.parser.builtins.module import IR
from tvmscript.parser.builtins.table import LayeredTable
from tvmscript.parser.names.namespace import Namespace

I: object = Namespace("I", LayeredTable({"ir_module": ir_module}, IR))  # noqa: E741  # it is called so
