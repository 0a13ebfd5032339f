"""What `Array` answers NumPy with: its functions and ufuncs, called on an `Array`."""
