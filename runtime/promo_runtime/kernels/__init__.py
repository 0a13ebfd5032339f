"""The loops that compute: NumPy's ufuncs on whole arrays or piece by piece, tables of bytes, compiled loops."""
