"""Infer calls of classes: scalar classes of NumPy and JAX, and tensor classes."""
