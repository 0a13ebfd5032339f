"""Find the expressions whose dtype each call of their function decides."""
