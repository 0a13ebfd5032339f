"""Annotations of arrays, compared with the dtypes of the values while a program runs.

From an annotation (`annotation_strings`, `annotations`) to what it expects (`expectations`), to a closure that looks at
a value (`value_checks`), to the checks of a call (`call_checks`), to a function that makes them (`checked`).
No array library but NumPy is imported: others are recognised by the modules of their classes.
"""
