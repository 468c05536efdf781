"""Questions about programs of the graph level that need more than a look: one per file.

What variables are used, bound and free is in `ir.relax.variables`, sizes in `ir.relax.sizes`, the order of struct info
in `ir.relax.lattice`, well-formedness in `ir.relax.verify`.
"""
