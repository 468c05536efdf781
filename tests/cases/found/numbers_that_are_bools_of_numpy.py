# Found by: tvmscript fuzz codegen
# cause: LevelsDisagree[TS8042] at LLVM at level 0 testing/fuzzing/machine.py:differ
#
# tvmscript.fuzz.errors.LevelsDisagree: error[TS8042]: LLVM at level 0 computes something else than the interpreter: the error is ('no error',) and not ('WrongScalar', 'main', 's', True)
#   File "/tmp/long2/tvmscript/testing/fuzzing/engine.py", line 171, in one
#     self.area.check(example)
#   File "/tmp/long2/tvmscript/testing/fuzzing/codegen.py", line 155, in check
#     machine.check(kernel)
#   File "/tmp/long2/tvmscript/testing/fuzzing/machine.py", line 116, in check
#     _compare(f"LLVM at level {example.level}", func, expected, left(built, func, *run), example)
#   File "/tmp/long2/tvmscript/testing/fuzzing/machine.py", line 188, in _compare
#     differ("the error", "", told(before.raised), told(after.raised))
#   File "/tmp/long2/tvmscript/testing/fuzzing/machine.py", line 177, in differ
#     raise LevelsDisagree(

from tvmscript.fuzz.codegen.machine import Text, check

text = """\
@T.prim_func
def main(s: T.int16, a: T.handle, b: T.handle, c: T.handle) -> T.int16:
    n = T.int32()
    m = T.int32()
    A = T.match_buffer(a, (n, m), "float32", strides=(1, n))
    B = T.match_buffer(b, (3,), "float32")
    C = T.match_buffer(c, (m,), "int32")
    for i, j in T.grid(T.Cast('int32', n), m):
        A[i, j] = A[n - 1 - i, j]
    C[0] = C[m - 1]
    T.ret(T.Cast('int16', m))
"""
check(Text(text, seed=1000000, sizes={'n': 0, 'm': 4, 's': 0}, wrong=886))
