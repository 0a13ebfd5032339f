"""Read the syntax tree of a file, without dtypes: which names are bound, where, and to what."""
