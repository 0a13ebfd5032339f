"""Calls of registry functions and methods, to the types of their results. Transforms have their own room."""
