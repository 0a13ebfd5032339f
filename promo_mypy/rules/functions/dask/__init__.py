"""The functions of Dask's arrays, where they differ from NumPy's."""
