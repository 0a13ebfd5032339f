"""Expressions whose dtype each call of their function decides."""
