"""The command line `promo-mypy`."""

from promo_mypy.cli.repeated import kept_answer, print_again


def main() -> None:
    """Run the command line of this process."""
    if (answer := kept_answer()) is not None:
        print_again(answer)
    from promo_mypy.cli.app import main as run  # the import takes longer than an unchanged check

    run()
