"""Fail the test in which the plugin fails: `promo-failure` in a run of mypy, or a crash of mypy in the plugin.

The process that forks for each run imports this module, so it imports nothing of promo-mypy.
"""

#: How the message of a failure begins. (tests/plugin/diagnostics/test_failures.py)
BEGINNING = "Internal error in promo-mypy; the dtype of this expression is unknown ("


def reject_failures(output: str) -> None:
    """Raise AssertionError if the output of a run shows a failure of the plugin."""
    is_crash = "INTERNAL ERROR" in output and "promo_mypy/plugin" in output
    assert not is_crash, f"mypy stopped in the plugin:\n{output}"
    assert BEGINNING not in output, f"the plugin failed:\n{output}"
