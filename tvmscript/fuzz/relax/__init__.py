"""Laws of the graph level.

module_laws       laws of graph modules            faults           modules with one fault
operator_laws     laws of operator calls           mistakes         calls with one mistake
refusals          which mistakes are refused       known_arguments  calls with less known arguments
struct_info_laws  laws of the struct info lattice
"""

from __future__ import annotations
