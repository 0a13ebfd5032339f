"""The functions of opt_einsum, which take arrays of any library."""
