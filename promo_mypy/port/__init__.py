"""What a program's operations would give under another promotion system: the survey behind `promo-mypy port`."""
