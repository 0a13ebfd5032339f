"""The loops that compute: NumPy's ufuncs, whole or piece by piece, tables of bytes, compiled loops."""
