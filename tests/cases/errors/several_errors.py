import numpy as np  # error: TS2024 "numpy"

N = undefined  # error: TS2003 "undefined "


@T.prim_func
def f(
    A: T.Buffer((16,), "float33"),  # error: TS1001 '"float33"'
    B: T.Buffer((N,), "float32"),
    C: T.Buffer((16,), "float32"),
    n: T.int32,
):
    x = T.sqroot(C[0])  # error: TS2004 "T.sqroot"
    y = x + 1.0
    C[0] = y + np.exp(x)
    C[1, 2] = 3.0  # error: TS1005 "C[1, 2] = 3.0"
    for i in T.seriall(16):  # error: TS2004 "T.seriall"
        C[i] = 1.0
        C[0, 0] = 2.0  # error: TS1005 "C[0, 0]"
    with T.blok("fill"):  # error: TS2004 "T.blok"
        vi = T.axis.spatial(4, n)
        vj = T.axis.spatial(4, C)  # error: TS1003 "C)"
        C[vj] = length
    C[2] = length  # error: TS2003 "length"
    C[3] = length
    if C[0]:  # error: TS2021 "C[0]:"
        C[3, 3] = 1.0  # error: TS1005 "C[3, 3]"
    A[0] = 1.0


@T.prim_func
def g(C: T.Buffer((16,), "float32")):
    m = T.int32()
    C[m] = 1.0  # error: TS1101 "C[m]"
    for i in range(16):
        with T.block("fill"):
            vi = T.axis.spatial(16, i)
            C[i] = 1.0  # error: TS1103 "C[i]"

# output
error[TS2024]: a text cannot import numpy: it is parsed, not executed
 --> <text>:1:8
  |
1 | import numpy as np  # error: TS2024 "numpy"
  |        ^^^^^^^^^^^
hint: use names of T and I, or write a decorated function

error[TS2003]: undefined is not defined
 --> <text>:3:5
  |
3 | N = undefined  # error: TS2003 "undefined "
  |     ^^^^^^^^^
hint: assign it before its use, or add a parameter

error[TS1001]: 'float33' is not a data type
 --> <text>:8:24
  |
8 |     A: T.Buffer((16,), "float33"),  # error: TS1001 '"float33"'
  |                        ^^^^^^^^^
hint: did you mean float32?

error[TS2004]: T has no sqroot
  --> <text>:13:9
   |
13 |     x = T.sqroot(C[0])  # error: TS2004 "T.sqroot"
   |         ^^^^^^^^
hint: did you mean T.sqrt?

error[TS1005]: buffer C has 1 dimensions, but 2 indices are given
  --> <text>:16:5
   |
16 |     C[1, 2] = 3.0  # error: TS1005 "C[1, 2] = 3.0"
   |     ^^^^^^^
hint: write one index for each dimension

error[TS2004]: T has no seriall
  --> <text>:17:14
   |
17 |     for i in T.seriall(16):  # error: TS2004 "T.seriall"
   |              ^^^^^^^^^
hint: did you mean T.serial?

error[TS1005]: buffer C has 1 dimensions, but 2 indices are given
  --> <text>:19:9
   |
19 |         C[0, 0] = 2.0  # error: TS1005 "C[0, 0]"
   |         ^^^^^^^
hint: write one index for each dimension

error[TS2004]: T has no blok
  --> <text>:20:10
   |
20 |     with T.blok("fill"):  # error: TS2004 "T.blok"
   |          ^^^^^^
hint: did you mean T.block?

error[TS1003]: an expression takes a number or an expression, but got C
  --> <text>:22:32
   |
22 |         vj = T.axis.spatial(4, C)  # error: TS1003 "C)"
   |                                ^
hint: write an element of it: C[...]

error[TS2003]: length is not defined
  --> <text>:24:12
   |
24 |     C[2] = length  # error: TS2003 "length"
   |            ^^^^^^
hint: assign it before its use, or add a parameter

error[TS2021]: an expression of type float32 is not a condition
  --> <text>:26:8
   |
26 |     if C[0]:  # error: TS2021 "C[0]:"
   |        ^^^^
hint: write a comparison

error[TS1005]: buffer C has 1 dimensions, but 2 indices are given
  --> <text>:27:9
   |
27 |         C[3, 3] = 1.0  # error: TS1005 "C[3, 3]"
   |         ^^^^^^^
hint: write one index for each dimension

error[TS1101]: the variable m is used where it is not defined
  --> <text>:34:5
   |
34 |     C[m] = 1.0  # error: TS1101 "C[m]"
   |     ^^^^^^^^^^
hint: give it a value around its use: with T.let(m, value):

error[TS1103]: block fill uses the variable i of a loop around it; only the bindings of its axes may
  --> <text>:38:13
   |
38 |             C[i] = 1.0  # error: TS1103 "C[i]"
   |             ^^^^^^^^^^
note: the block begins here
  --> <text>:36:14
   |
36 |         with T.block("fill"):
   |              ^^^^^^^^^^^^^^^
hint: bind it to an axis: v = T.axis.spatial(extent, i)

14 errors
