"""Import every family: the table then holds the recipes of all operators."""

from __future__ import annotations

from tvmscript.testing.operator_calls import binary as binary
from tvmscript.testing.operator_calls import builtin as builtin
from tvmscript.testing.operator_calls import ccl as ccl
from tvmscript.testing.operator_calls import create as create
from tvmscript.testing.operator_calls import datatype as datatype
from tvmscript.testing.operator_calls import dist as dist
from tvmscript.testing.operator_calls import grad as grad
from tvmscript.testing.operator_calls import image as image
from tvmscript.testing.operator_calls import index as index
from tvmscript.testing.operator_calls import inspect as inspect
from tvmscript.testing.operator_calls import linear_algebra as linear_algebra
from tvmscript.testing.operator_calls import manipulate as manipulate
from tvmscript.testing.operator_calls import memory as memory
from tvmscript.testing.operator_calls import qdq as qdq
from tvmscript.testing.operator_calls import reshape as reshape
from tvmscript.testing.operator_calls import sampling as sampling
from tvmscript.testing.operator_calls import scatter as scatter
from tvmscript.testing.operator_calls import search as search
from tvmscript.testing.operator_calls import set as set
from tvmscript.testing.operator_calls import sort as sort
from tvmscript.testing.operator_calls import statistical as statistical
from tvmscript.testing.operator_calls import ternary as ternary
from tvmscript.testing.operator_calls import unary as unary
from tvmscript.testing.operator_calls import value as value
from tvmscript.testing.operator_calls import vision as vision
from tvmscript.testing.operator_calls import vm as vm
from tvmscript.testing.operator_calls.nn import activation as activation
from tvmscript.testing.operator_calls.nn import attention as attention
from tvmscript.testing.operator_calls.nn import conv as conv
from tvmscript.testing.operator_calls.nn import loss as loss
from tvmscript.testing.operator_calls.nn import norm as norm
from tvmscript.testing.operator_calls.nn import pad as pad
from tvmscript.testing.operator_calls.nn import pool as pool
from tvmscript.testing.operator_calls.nn import shuffle as shuffle
