"""Read the syntax tree of a file, without types: which names are bound, where, and to what."""
