# Found by: python -m tests.campaign
# cause: KeyError at ir/arith/iter_map/constraints.py:match_bounds
#
# KeyError: n
# raised in the pass tir.FlattenBuffer

from tests.campaign.area import check, again

PROGRAM = """\
@T.prim_func
def main(
    A: T.Buffer((64,), "int32"), B: T.Buffer((20480,), "int32"), n: T.int32
):
    v = T.env_thread("cthread")
    with T.attr(T.iter_var(v, (0, 1), "ThreadIndex", "cthread"), "virtual_thread", 1):
        for i8 in range(2):
            with T.attr(0, "note", 1):
                if T.min(v * 1 + 8, n) < v * 1 + 0:
                    assert n < 8, "it is"
                    B[0 + v * 1] = A[(v * 1 + 7) % 64]
                    B[2048 + v * 1] = A[(v * 1 + 1) % 64]
                    with T.decl_buffer((1,), "int32") as M1:
                        for j2 in range(1):
                            M1[j2] = A[(v * 1 + j2 * 1 + -6) % 64]
                        B[4096 + v * 1] = A[(-4) % 64]
                else:
                    with T.decl_buffer((1,), "int32") as M4:
                        for j5 in range(1):
                            M4[j5] = A[(j5 * 1 + -6) % 64]
                        B[6144 + v * 1] = A[(v * 1 + -2) % 64]
                        B[8192 + v * 1] = A[(v * 1 + -1) % 64]
                        B[10240 + v * 1] = A[(v * 1 + -2) % 64]
                        for j6 in range(1):
                            B[12288 + v * 1 + j6 * 1] = M4[j6] + A[(v * 1 + -6) % 64]
                    with T.decl_buffer((1,), "int32") as W7:
                        W7[0] = 0
                        while W7[0] < 3:
                            B[14336 + v * 1] = A[(-3) % 64]
                            W7[0] = W7[0] + 1
            B[16384 + v * 1] = A[(v * 1 + 3) % 64]
            B[18432 + v * 1] = A[(v * 1 + 8) % 64]"""

check(again(PROGRAM, ('tir.FlattenBuffer', 'tir.Simplify'), 3, 0, {}, 0, []))
