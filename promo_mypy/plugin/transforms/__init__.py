"""Infer the results of functions that take functions: `jit`, `grad`, `scan`, `tree.map`."""
