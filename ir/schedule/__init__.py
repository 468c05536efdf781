"""Schedules: a program is changed step by step, each step keeps its meaning, and every step is written down.

- `tree`: the loops and blocks of a function, followed through changes; `state`: the functions of a module
- `base`: what primitives stand on; `primitive/`: one file for each family of them; `schedule`: all of them as one class
- `instruction`, `trace`: what was done, to be done again
- `bindings`: what becomes of the axes of blocks when loops change; `quotients`: sizes as TVM writes them
- `reducers`: reductions whose order does not matter; `random_engine`: the numbers that TVM draws
"""
