"""A-normal form, dataflow blocks, order of bindings, cleaning."""
