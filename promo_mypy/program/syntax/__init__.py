"""Read Python's tree of a module: its expressions, its names, and what they are bound to."""
