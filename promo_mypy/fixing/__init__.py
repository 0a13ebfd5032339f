"""Findings with casts and comments to change -> the sources, or the cells of notebooks, with these changes."""
