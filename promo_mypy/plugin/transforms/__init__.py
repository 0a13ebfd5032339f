"""Functions that take functions (`jit`, `grad`, `scan`, `tree.map`), and modules, to the types of their results."""
