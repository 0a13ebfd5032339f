"""Compare annotations of arrays, and inferred dtypes, with the actual dtypes while a program runs.

An annotation (`annotation_strings`, `annotations`) becomes an expectation (`expectations`), then a closure that checks
a value (`value_checks`), the checks of a call (`call_checks`), and a checked function (`checked`). Inferred dtypes are
read from `promo-mypy infer` (`inferred_expressions`) and compared with values (`confirmations`).
Only NumPy is imported. Other array libraries are recognised by the modules of their classes.
"""
