"""Mathematical functions as straight-line LLVM code, for scalars and every vector width.

Polynomials are minimax (Remez exchange in 200-bit arithmetic), range reductions follow the sources that each
file names. float16 and the small floats are computed in float32; float32 functions that are rarely used in double.
"""

from __future__ import annotations

from tvmscript.backends.llvm.math import error_function as error_function
from tvmscript.backends.llvm.math import exponential as exponential
from tvmscript.backends.llvm.math import inverse as inverse
from tvmscript.backends.llvm.math import logarithm as logarithm
from tvmscript.backends.llvm.math import power as power
from tvmscript.backends.llvm.math import roots as roots
from tvmscript.backends.llvm.math import trigonometric as trigonometric
from tvmscript.backends.llvm.math.expansion import EXPANSIONS as EXPANSIONS
