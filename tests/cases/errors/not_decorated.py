def f(n: T.int32):  # error: TS2023 "def f"
    T.evaluate(n)

# output
error[TS2023]: f is not decorated with @T.prim_func
 --> <text>:1:1
  |
1 | def f(n: T.int32):  # error: TS2023 "def f"
  | ^^^^^
hint: write @T.prim_func above it
