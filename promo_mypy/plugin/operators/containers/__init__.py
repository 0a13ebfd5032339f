"""Containers of arrays and numbers: what their items are after a change."""
