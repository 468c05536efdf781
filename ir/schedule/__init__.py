"""Schedules: transform a program by primitives that preserve its results, and record every step in a trace.

Layers, top to bottom; a module imports only from layers below its own:

- `default`: passes that schedule functions; `schedule`: the class with all primitives; `can`: tests of primitives
- `primitive/`: one file for each family of primitives, with its errors
- `rewrite/`: program rewriters that primitives share: caches, buffer replacement, padding, index dtypes;
  `intrinsics/`: TVM's tensor intrinsics
- `analysis/`: queries that primitives make: dependences, block properties, regions, bindings
- `recorder`: random variables, recording, rollback, the decorator `@primitive`
- `trace/`: instructions as Python, JSON and node graphs
- `state`: the functions of a module; `tree`: the loops and blocks of a function
- `instruction`, `random_variables`, `random_engine`, `errors`
"""
