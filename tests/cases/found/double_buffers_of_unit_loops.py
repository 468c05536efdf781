# Found by: python -m tests.campaign
# cause: CannotDoubleBuffer[TS4041] at ir/transform/loops/inject_double_buffer.py:attribute
#
# tvmscript.ir.transform.errors.CannotDoubleBuffer: error[TS4041]: the double buffer D1 is filled outside of any loop
#  --> <text>:7:14
#   |
# 7 |         with T.attr(D1.data, "double_buffer_scope", 1):
#   |              ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
# raised in the pass tir.InjectDoubleBuffer

from tests.campaign.area import check, again

PROGRAM = """\
@T.prim_func
def main(
    A: T.Buffer((64,), "int32"), B: T.Buffer((4096,), "int32"), n: T.int32
):
    D1 = T.decl_buffer((1,), "int32")
    for i2 in T.serial(T.int64(1)):
        with T.attr(D1.data, "double_buffer_scope", 1):
            for j3 in range(1):
                D1[j3] = A[(T.Cast("int32", i2) * 1 + j3 * 1 + 0) % 64]
            D1[0] = D1[0] + 1
        B[0 + T.Cast("int32", i2) * 1] = A[(T.Cast("int32", i2) * 1 + 0) % 64]
        B[2048 + T.Cast("int32", i2) * 1] = D1[0] + D1[n % 1]"""

check(again(PROGRAM, (), 3, 0, {}, 0, []))
