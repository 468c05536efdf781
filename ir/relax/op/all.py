"""Every family of operators: once this is imported, the registry holds all of them."""

from __future__ import annotations

from tvmscript.ir.relax.op import binary as binary
from tvmscript.ir.relax.op import create as create
from tvmscript.ir.relax.op import datatype as datatype
from tvmscript.ir.relax.op import index as index
from tvmscript.ir.relax.op import linear_algebra as linear_algebra
from tvmscript.ir.relax.op import manipulate as manipulate
from tvmscript.ir.relax.op import reshape as reshape
from tvmscript.ir.relax.op import sampling as sampling
from tvmscript.ir.relax.op import search as search
from tvmscript.ir.relax.op import set as set
from tvmscript.ir.relax.op import sort as sort
from tvmscript.ir.relax.op import statistical as statistical
from tvmscript.ir.relax.op import ternary as ternary
from tvmscript.ir.relax.op import unary as unary
