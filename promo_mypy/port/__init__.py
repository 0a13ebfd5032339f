"""Find the operations of a program whose dtype differs under another promotion system, for `promo-mypy port`."""
