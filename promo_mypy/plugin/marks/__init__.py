"""Mark the results of calls and operators for which stock mypy infers Any. The marks themselves are in `types`."""
