"""Lattices: promotion as an order, its laws and proofs, and user-defined systems in TOML files."""
