@T.prim_func  # error: TS2022 "@"
def f(n: T.int32):
    T.evaluate(n)


@T.prim_func
def g(n: T.int32):
    T.evaluate(n)

# output
error[TS2022]: the text defines several programs: f, g
 --> <text>:1:1
  |
1 | @T.prim_func  # error: TS2022 "@"
  | ^
hint: put them into one class under @I.ir_module, or use parse_program
