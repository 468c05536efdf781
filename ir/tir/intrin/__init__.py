"""Intrinsics: one entry each, with its surface name, type rule, reference and lowering, grouped by family."""

from __future__ import annotations

from tvmscript.ir.core.op import load_tir_operators
from tvmscript.ir.tir.intrin import bits as bits
from tvmscript.ir.tir.intrin import control as control
from tvmscript.ir.tir.intrin import debugging as debugging
from tvmscript.ir.tir.intrin import derived as derived
from tvmscript.ir.tir.intrin import math as math
from tvmscript.ir.tir.intrin import matrix as matrix
from tvmscript.ir.tir.intrin import memory as memory
from tvmscript.ir.tir.intrin import packed as packed
from tvmscript.ir.tir.intrin import sync as sync
from tvmscript.ir.tir.intrin import v0_27 as v0_27
from tvmscript.ir.tir.intrin import vector as vector
from tvmscript.ir.tir.intrin.intrinsic import SURFACE as SURFACE
from tvmscript.ir.tir.intrin.intrinsic import Intrinsic as Intrinsic

load_tir_operators.fill(lambda: None)
