# Found by: tvmscript fuzz parser
# cause: ErrorElsewhere[TS8057] at parser/source.py:_parse
#
# tvmscript.fuzz.parser.area.ErrorElsewhere: error[TS8057]: the error is not at line 5, column 0, but at [(4, 1)]
# # f
#
# @T.prim_func
# def other(i: T.int32, p1: T.handle, __: T.Buffer((), "e5m2_float8")):
# def other(i: T.int32, p1: T.handle, __: T.Buffer((), "e5m2_float8")):
#     T.func_attr({"tir.noalias": T.bool(True)})
#     i_2 = T.int32()
#     i_1 = T.match_buffer(p1, (1, i_2, 1), "int32")
#     __[()] = T.e5m2_float8(0)
#   File "/tmp/long/tvmscript/testing/fuzzing/engine.py", line 171, in one
#     self.area.check(example)
#   File "/tmp/long/tvmscript/testing/fuzzing/parser.py", line 66, in check
#     _check_text(example)
#   File "/tmp/long/tvmscript/testing/fuzzing/parser.py", line 97, in _check_text
#     _check_fault(text)
#   File "/tmp/long/tvmscript/testing/fuzzing/parser.py", line 122, in _check_fault
#     raise ErrorElsewhere(line=fault.line, column=fault.column, found=places, text=fault.text) from error

from tvmscript.fuzz.parser.area import check

TEXT = '# f\x0c\n@T.prim_func\ndef other(i: T.int32, p1: T.handle, __: T.Buffer((), "e5m2_float8")):\n    T.func_attr({"tir.noalias": T.bool(True)})\n    i_2 = T.int32()\n    i_1 = T.match_buffer(p1, (1, i_2, 1), "int32")\n    __[()] = T.e5m2_float8(0)'

check(TEXT)
