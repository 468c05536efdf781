# Found by: tvmscript fuzz passes
# cause: IllFormedAfterPass[TS8006] at tir.MakeUnpackedAPI ir/tir/verify.py:verify
#
# tvmscript.testing.errors.IllFormedAfterPass: error[TS8006]: the pass tir.MakeUnpackedAPI returned a program that is not well formed: the variable n is used where it is not defined
#  --> <text>:7:13
#   |
# 7 |         for lj in range(n):
#   |             ^^^^^^^^^^^^^^

from tvmscript.fuzz.passes.area import Pipeline, check

PROGRAM = """\
@T.prim_func
def main(a: T.handle, b: T.handle):
    n = T.int32()
    A = T.match_buffer(a, (4, n), "int32")
    B = T.match_buffer(b, (4, n), "int32")
    for lt in range(4):
        for lj in range(n):
            with T.block("B"):
                t = T.axis.scan(4, lt)
                j = T.axis.spatial(n, lj)
                if t == 0:
                    B[t, j] = A[t, j]
                else:
                    B[t, j] = B[t - 1, j] + A[t, j]
"""

check(Pipeline(PROGRAM, ('tir.MakeUnpackedAPI',), True, False))
