import os  # error: TS2024 "os"


@T.prim_func
def f(n: T.int32):
    T.evaluate(n)

# output
error[TS2024]: a text cannot import os: it is read, not run
 --> <text>:1:8
  |
1 | import os  # error: TS2024 "os"
  |        ^^
hint: a text has T, I and tvm; decorated functions may use what Python imports
