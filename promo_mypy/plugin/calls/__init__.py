"""Infer the types of calls of registry functions and methods. Transforms have a folder of their own."""
