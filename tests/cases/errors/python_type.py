@T.prim_func
def main(n: int):  # error: TS2016 "int"
    T.evaluate(n)

# output
error[TS2016]: int is not the type of a parameter
 --> <text>:2:13
  |
2 | def main(n: int):  # error: TS2016 "int"
  |             ^^^
hint: write T.int32
