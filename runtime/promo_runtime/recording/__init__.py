"""Record the dtypes that the values of a program have while it runs, and nothing of the values themselves.

The tree of a module changes so that its values pass through a function (`recorded_sources`), which counts their dtypes
(`recorder`). The result is a profile (`promo_mypy.rules.profiles`).
"""
