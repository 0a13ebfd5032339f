"""The functions of einops, which take arrays of any library."""
