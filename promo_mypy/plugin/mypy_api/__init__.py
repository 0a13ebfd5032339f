"""Access to mypy: names, tables of hooks, and every step outside the public plugin interface, with its test.

The sessions of `noxfile.py` try these steps with each minor version from mypy 1.19 to 2.4.
"""
