"""The functions of Dask, if they differ from NumPy's."""
