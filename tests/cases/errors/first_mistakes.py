@T.prim_func
def f(
    A: T.Buffer((n, 16), "float32"),  # error: TS2003 "n, 16"
    B: "float32",  # error: TS2003 '"float32",'
    n: T.int32,
):
    T.evaluate(0)


@T.prim_func
def g(A: T.Buffer((16,), "int32"), n: T.int32):
    for i in grid(16):  # error: TS2003 "grid"
        A[i] = 0
    if n > 1 and n:  # error: TS2021 "n:"
        A[0] = len(A)  # error: TS2007 "len"
    if not n:  # error: TS2021 "n:"
        A[:] = 0  # error: TS1003 "A[:]"
    x += 1  # error: TS2003 "x"
    half = lambda value: value // 2  # error: TS2012 "half"
    A[1] = A.shape[1]  # error: TS2025 "1]  #"
    A[2] = int(n)  # error: TS1003 "n)  #"
    A[3] = nan  # error: TS2003 "nan"

    def again(i):
        again(i)  # error: TS2003 "again"

    again(0)


@I.ir_module
class Module:
    @T.prim_func
    def main(self, n: T.int32):  # error: TS2015 "self"
        T.evaluate(n)

# output
error[TS2003]: n is not defined
 --> <text>:3:18
  |
3 |     A: T.Buffer((n, 16), "float32"),  # error: TS2003 "n, 16"
  |                  ^
hint: put the parameter n in front of this one

error[TS2003]: float32 is not defined
 --> <text>:4:8
  |
4 |     B: "float32",  # error: TS2003 '"float32",'
  |        ^^^^^^^^^
hint: write T.float32

error[TS2003]: grid is not defined
  --> <text>:12:14
   |
12 |     for i in grid(16):  # error: TS2003 "grid"
   |              ^^^^
hint: write T.grid

error[TS2021]: the variable n is not a condition
  --> <text>:14:18
   |
14 |     if n > 1 and n:  # error: TS2021 "n:"
   |                  ^
hint: write != 0 after it

error[TS2007]: len: object of type 'Buffer' has no len()
  --> <text>:15:16
   |
15 |         A[0] = len(A)  # error: TS2007 "len"
   |                ^^^^^^
hint: write A.shape[0]

error[TS2021]: the variable n is not a condition
  --> <text>:16:12
   |
16 |     if not n:  # error: TS2021 "n:"
   |            ^
hint: write == 0 instead of not

error[TS1003]: a slice of elements takes an end, but got none
  --> <text>:17:9
   |
17 |         A[:] = 0  # error: TS1003 "A[:]"
   |         ^^^^^^^^
hint: write both ends, such as 0:16, or a loop over the elements

error[TS2003]: x is not defined
  --> <text>:18:5
   |
18 |     x += 1  # error: TS2003 "x"
   |     ^
hint: assign it before its use, or add a parameter

error[TS2012]: a name for lambda value: ... cannot be assigned to
  --> <text>:19:5
   |
19 |     half = lambda value: value // 2  # error: TS2012 "half"
   |     ^^^^
hint: write the expression where it is used, or define a macro

error[TS2025]: [1]: (16,) has 1 element
  --> <text>:20:20
   |
20 |     A[1] = A.shape[1]  # error: TS2025 "1]  #"
   |                    ^

error[TS1003]: int takes Python values, but got n
  --> <text>:21:16
   |
21 |     A[2] = int(n)  # error: TS1003 "n)  #"
   |                ^
hint: write T.int32(...)

error[TS2003]: nan is not defined
  --> <text>:22:12
   |
22 |     A[3] = nan  # error: TS2003 "nan"
   |            ^^^
hint: write T.float32("nan")

error[TS2003]: again is not defined
  --> <text>:25:9
   |
25 |         again(i)  # error: TS2003 "again"
   |         ^^^^^
note: in the macro again, which is called here
  --> <text>:27:5
   |
27 |     again(0)
   |     ^^^^^^^^
hint: a macro cannot call itself: write a loop

error[TS2015]: the parameter self has no type annotation
  --> <text>:33:14
   |
33 |     def main(self, n: T.int32):  # error: TS2015 "self"
   |              ^^^^
hint: remove self: functions of a module do not have it

14 errors
