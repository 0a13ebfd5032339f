"""Infer calls, items and parameters of modules of `torch.nn`: layers, containers, losses, and modules of the user."""
