# Found by: python -m tests.campaign
# cause: UndefinedVariable[TS5025] at backends/interp/expressions.py:variable
#
# error[TS5025]: the variable i3.db is used, but not defined

from tests.campaign.area import check, again

PROGRAM = """\
@T.prim_func
def main(
    A: T.Buffer((64,), "int32"), B: T.Buffer((6144,), "int32"), n: T.int32
):
    for o in range(2):
        for i3 in T.serial(3, annotations={"kept": 1}):
            D1 = T.decl_buffer((4,), "int32")
            D2 = T.decl_buffer((4,), "int32")
            with T.attr(D1.data, "double_buffer_scope", 1):
                for j4 in range(4):
                    D1[j4] = A[(j4 * 1 + 0) % 64]
                D1[0] = D1[0] + 4
            with T.attr(D2.data, "double_buffer_scope", 1):
                for j5 in range(4):
                    D2[j5] = A[(i3 * 1 + j5 * 1 + 0) % 64]
                D2[0] = D2[0] + 4
            B[0 + i3 * 1] = A[(i3 * 1 + 0) % 64]
            B[2048 + i3 * 1] = D1[0] + D2[0] + D1[n % 4]
            with T.decl_buffer((2,), "int32") as L6:
                L6[0] = A[(i3 * 1 + 0) % 64]
                L6[1] = L6[0] + A[(i3 * 1 + 0) % 64]
                B[4096 + i3 * 1] = A[(i3 * 1 + 0) % 64]"""

check(again(PROGRAM, ('tir.FlattenBuffer', 'tir.Simplify', 'tir.StorageRewrite'), 3, 0, {}, 0, []))
