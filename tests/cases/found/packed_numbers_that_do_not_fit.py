# Found by: tvmscript fuzz codegen
# cause: LevelsDisagree[TS8042] at LLVM at level 3 testing/fuzzing/machine.py:differ
#
# tvmscript.fuzz.errors.LevelsDisagree: error[TS8042]: LLVM at level 3 computes something else than the interpreter: the error is none and not ('WrongScalar', 'main', 's', True)
#   File "/tmp/long/tvmscript/testing/fuzzing/engine.py", line 171, in one
#     self.area.check(example)
#   File "/tmp/long/tvmscript/testing/fuzzing/codegen.py", line 155, in check
#     machine.check(kernel)
#   File "/tmp/long/tvmscript/testing/fuzzing/machine.py", line 114, in check
#     _compare(f"LLVM at level {example.level}", func, expected, left(built, func, *run), example)
#   File "/tmp/long/tvmscript/testing/fuzzing/machine.py", line 183, in _compare
#     differ("the error", "", told(before.raised), "none")
#   File "/tmp/long/tvmscript/testing/fuzzing/machine.py", line 175, in differ
#     raise LevelsDisagree(

from tvmscript.fuzz.codegen.machine import Text, check

text = """\
@T.prim_func
def main(s: T.int8, a: T.handle, b: T.handle, c: T.handle):
    T.func_attr({"tir.noalias": T.bool(True)})
    n = T.int32()
    m = T.int32()
    A = T.match_buffer(a, (n, m), "int8")
    B = T.match_buffer(b, (n,), "int8")
    C = T.match_buffer(c, (m,), "int32")
    for i, j in T.grid(T.Cast('int32', n), m):
        A[i, j] = A[n - 1 - i, j]
    C[0] = C[m - 1]
"""
check(Text(text, level=3, form='packed', sizes={'n': 0, 'm': 1, 's': 0}, wrong=520452296, has_lines=True))
