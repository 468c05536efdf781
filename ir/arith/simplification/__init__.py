"""The simplifier: assumptions, conversion of expressions to sums, rules of comparisons, conditions and vectors."""
