# Found by: python -m tests.campaign
# cause: UndefinedVariable[TS5025] at backends/interp/expressions.py:variable
#
# tvmscript.backends.runtime.errors.UndefinedVariable: error[TS5025]: the variable ax0 is used, but not defined

from tests.campaign.area import check, again

PROGRAM = """\
@T.prim_func
def main(A: T.Buffer((2, 8), "int32"), B: T.Buffer((2, 8), "int32")):
    Y1 = T.alloc_buffer((2, 8), "int32")
    for i1 in T.parallel(2):
        for j2 in T.serial(8):
            for k3 in T.serial(8):
                with T.block("Y1"):
                    vi = T.axis.spatial(2, i1)
                    vj = T.axis.spatial(8, j2)
                    vk = T.axis.reduce(8, k3)
                    with T.init():
                        Y1[vi, vj] = 1
                    Y1[vi, vj] = Y1[vi, vj] + A[vi, (vk + 2) % 8] + A[vi, (vk + 3) % 8]
    for i4 in T.serial(2, annotations={"pragma_auto_unroll_max_step": 16}):
        for j5 in T.vectorized(8):
            with T.block("B"):
                vi, vj = T.axis.remap("SS", [i4, j5])
                if vj < 4:
                    B[vi, vj] = Y1[vi, (vj + 3) % 8] + A[vi, (vj + 1) % 8]
                else:
                    B[vi, vj] = A[vi, (vj + 3) % 8] + A[vi, (vj + 3) % 8]"""

check(again(PROGRAM, (), 3, 31, {}, 5, [12, 0, 1, 0, 1, 1, 0, 2, 0, 1, 1, 0, 2, 1, 0, 34, 1, 0, 1, 1, 2, 0, 0, 1, 2, 27, 1, 3, 0, 1]))
