"""What `promo-mypy check` does with findings: select, compare with a baseline or a revision, mend, explain."""
