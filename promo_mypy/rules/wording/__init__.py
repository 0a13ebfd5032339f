"""Texts for users: diagnostics, reasons of errors, and remedies."""
