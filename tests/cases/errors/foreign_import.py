import os  # error: TS2024 "os"


@T.prim_func
def f(n: T.int32):
    T.evaluate(n)

# output
error[TS2024]: a text cannot import os: it is parsed, not executed
 --> <text>:1:8
  |
1 | import os  # error: TS2024 "os"
  |        ^^
hint: use names of T and I, or write a decorated function
