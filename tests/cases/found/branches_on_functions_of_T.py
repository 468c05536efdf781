# Found by: tvmscript fuzz parser
# cause: FaultRead[TS8054] at there is an index too many testing/fuzzing/parser.py:_check_fault
#
# tvmscript.fuzz.parser.area.FaultRead: error[TS8054]: the text was read though there is an index too many:
# @T.prim_func
# def f(p0: T.handle):
#     i_1 = T.int32()
#     i = T.match_buffer(p0, (i_1, i_1, 1), 'int32')
#     T.attr('int32', 'key', 0)
#     i_2 = T.int32()
#     if not T.prim_func:
#         i_3 = T.int32()
#         i[0, 0, T.Let(0, where={i_3: 0}), 0] = 0
#     else:
#         i_3 = T.int32()
#         T.evaluate(T.Add(0, T.Let(0, where={i_3: 0})))
#   File "/tmp/long2/tvmscript/testing/fuzzing/engine.py", line 171, in one
#     self.area.check(example)
#   File "/tmp/long2/tvmscript/testing/fuzzing/parser.py", line 66, in check
#     _check_text(example)
#   File "/tmp/long2/tvmscript/testing/fuzzing/parser.py", line 97, in _check_text
#     _check_fault(text)
#   File "/tmp/long2/tvmscript/testing/fuzzing/parser.py", line 124, in _check_fault
#     raise FaultRead(name=fault.name, text=fault.text)

from tvmscript.fuzz.parser.area import check

TEXT = """\
@T.prim_func
def f(p0: T.handle):
    i_1 = T.int32()
    i = T.match_buffer(p0, (i_1, i_1, 1), 'int32')
    T.attr('int32', 'key', 0)
    i_2 = T.int32()
    if not T.prim_func:
        i_3 = T.int32()
        i[0, 0, T.Let(0, where={i_3: 0})] = 0
    else:
        i_3 = T.int32()
        T.evaluate(T.Add(0, T.Let(0, where={i_3: 0})))"""

check(TEXT)
