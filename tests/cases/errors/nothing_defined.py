# error: TS2002 "#"
N = 16
