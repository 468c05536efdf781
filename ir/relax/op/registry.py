"""Imports every family of operators, which registers all operators in `Op.registry`."""

from __future__ import annotations

from tvmscript.ir.core.op import load_relax_operators
from tvmscript.ir.relax.op import binary as binary
from tvmscript.ir.relax.op import builtin as builtin
from tvmscript.ir.relax.op import call_packed as call_packed
from tvmscript.ir.relax.op import call_tir as call_tir
from tvmscript.ir.relax.op import ccl as ccl
from tvmscript.ir.relax.op import create as create
from tvmscript.ir.relax.op import datatype as datatype
from tvmscript.ir.relax.op import debug as debug
from tvmscript.ir.relax.op import dist as dist
from tvmscript.ir.relax.op import grad as grad
from tvmscript.ir.relax.op import image as image
from tvmscript.ir.relax.op import index as index
from tvmscript.ir.relax.op import inspect as inspect
from tvmscript.ir.relax.op import linear_algebra as linear_algebra
from tvmscript.ir.relax.op import manipulate as manipulate
from tvmscript.ir.relax.op import memory as memory
from tvmscript.ir.relax.op import python_operators as python_operators
from tvmscript.ir.relax.op import qdq as qdq
from tvmscript.ir.relax.op import reshape as reshape
from tvmscript.ir.relax.op import sampling as sampling
from tvmscript.ir.relax.op import scatter as scatter
from tvmscript.ir.relax.op import search as search
from tvmscript.ir.relax.op import set as set
from tvmscript.ir.relax.op import sort as sort
from tvmscript.ir.relax.op import statistical as statistical
from tvmscript.ir.relax.op import ternary as ternary
from tvmscript.ir.relax.op import unary as unary
from tvmscript.ir.relax.op import value as value
from tvmscript.ir.relax.op import vision as vision
from tvmscript.ir.relax.op import vm as vm
from tvmscript.ir.relax.op.nn import activation as activation
from tvmscript.ir.relax.op.nn import attention as attention
from tvmscript.ir.relax.op.nn import conv as conv
from tvmscript.ir.relax.op.nn import loss as loss
from tvmscript.ir.relax.op.nn import norm as norm
from tvmscript.ir.relax.op.nn import pad as pad
from tvmscript.ir.relax.op.nn import pool as pool
from tvmscript.ir.relax.op.nn import shuffle as shuffle

load_relax_operators.fill(lambda: None)
