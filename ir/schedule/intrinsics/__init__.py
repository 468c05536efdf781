"""Built-in tensor intrinsics, constructed on first lookup by name.

`registry` maps names to constructors. Each family of instructions has a file with constructors that take element
dtypes, shapes and storage scopes; `builders` has their building blocks.
"""
