"""Infer the types of unannotated variables. Calls and operators have folders of their own."""
