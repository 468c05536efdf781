"""Mathematical functions as straight-line LLVM code, for scalars and every vector width.

Polynomials are minimax (Remez exchange in 200-bit arithmetic), range reductions follow the sources that each
file names. float16 and the small floats are computed in float32; float32 functions that are rarely used in double.
"""
