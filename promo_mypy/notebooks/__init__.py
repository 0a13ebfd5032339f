"""Notebooks as modules: the code of the cells in their order, as one Python text."""
