"""Lattices: promotion as an order, its laws and proofs, and systems of the user's own in TOML files."""
