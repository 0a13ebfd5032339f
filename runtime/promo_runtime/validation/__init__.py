"""Compare annotations of arrays with the actual dtypes while a program runs.

An annotation (`annotation_strings`, `annotations`) becomes an expectation (`expectations`), then a closure that checks
a value (`value_checks`), the checks of a call (`call_checks`), and a checked function (`checked`).
Only NumPy is imported. Other array libraries are recognised by the modules of their classes.
"""
