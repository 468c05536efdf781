# Found by: tvmscript fuzz parser
# cause: FaultRead[TS8054] at there is an index too many testing/fuzzing/parser.py:_check_fault
#
# tvmscript.fuzz.parser.area.FaultRead: error[TS8054]: the text was read though there is an index too many:
# @T.prim_func
# def main(A0: T.Buffer((4, 4), "float32"), B0: T.Buffer((4, 4), "float32")):
#         with T.block("B0"):
#             v0, v1 = T.axis.remap("SS", [i0, i1])
#             B0[(v0, v1), 0] = A0[v0, v1] * T.float32(3)
#
#     _check_fault(text)

from tvmscript.fuzz.parser.area import check

TEXT = """\
@T.prim_func
def main(A0: T.Buffer((4, 4), "float32"), B0: T.Buffer((4, 4), "float32")):
    for () in ():
        with T.block("B0"):
            v0, v1 = T.axis.remap("SS", [i0, i1])
            B0[v0, v1] = A0[v0, v1] * T.float32(3)
"""

check(TEXT)
