"""What Python's tree of a module says: its expressions, its names, and what they are bound to."""
