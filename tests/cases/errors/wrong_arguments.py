@T.prim_func
def f(A: T.Buffer((16,), "float32"), n: T.int32):
    for i in T.serial(0, 8, 2):  # error: TS2007 "T.serial"
        A[i] = 1.0

# output
error[TS2007]: T.serial: too many positional arguments
 --> <text>:3:14
  |
3 |     for i in T.serial(0, 8, 2):  # error: TS2007 "T.serial"
  |              ^^^^^^^^^^^^^^^^^
hint: the signature is T.serial(start: Value, stop: Value | None = None, *, annotations: Mapping[str, object] | None = None) -> Loops
