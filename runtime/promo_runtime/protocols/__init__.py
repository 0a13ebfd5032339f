"""NumPy's protocols for `Array`: NumPy functions and ufuncs called on an `Array`."""
