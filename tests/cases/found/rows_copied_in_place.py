# Found by: python -m tests.campaign
# cause: Differs[TS0000] at fuzz/engine.py:one
#
# tests.campaign.area.Differs: error[TS0000]: the interpreter computes something else than Python: O0[0, 1] is -1 and not 7

from tests.campaign.area import check, again

PROGRAM = """\
@T.prim_func
def main(A0: T.Buffer((6, 5), "int32"), A1: T.Buffer((6, 5), "int32"), O0: T.Buffer((6, 5), "int32")):
    for i, j in T.grid(6, 5):
        with T.block("S0"):
            vi = T.axis.spatial(6, 0 + i)
            vj = T.axis.spatial(5, 0 + j)
            O0[vi, vj] = O0[vi, 0] + T.int32(1)
"""

check(again(PROGRAM, (), 3, 0, {}, 8, [15, 0, 0, 0, 0, 0, 0, 33, 0, 0, 0, 0, 0, 0, 0, 1, 0, 18, 0, 1, 0, 0, 1, 0, 0, 0, 0, 30, 0, 0, 2, 4, 0, 0, 2, 13, 4, 0, 0, 14, 0, 0, 0]))
