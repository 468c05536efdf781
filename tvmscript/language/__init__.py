"""What programs are written with: `from tvmscript import I, T`."""

from __future__ import annotations

from tvmscript.language.decorators import ir_module as ir_module
from tvmscript.language.decorators import prim_func as prim_func
from tvmscript.language.module import I as I
from tvmscript.language.tir import T as T
