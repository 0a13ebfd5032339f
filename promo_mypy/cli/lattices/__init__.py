"""Draw lattices, and report whether a system of the user is one."""
