"""Times and ratios of the run-time companion over NumPy, printed: `python -m tests.runtime.benchmarks`."""

from tests.runtime.benchmarks.measuring import FUNCTIONS, LARGE, LARGE_ONES, OPERATORS, SMALL, measured


def main() -> None:
    """Print the tables."""
    for title, pairs, size in (
        (f"namespace functions, {SMALL} elements (limit: 1.0 us over NumPy)", FUNCTIONS, SMALL),
        (f"operators of Array, {SMALL} elements (limit: 1.5 us over NumPy)", OPERATORS, SMALL),
        (f"namespace functions, {LARGE} elements", LARGE_ONES, LARGE),
    ):
        print(title)
        for system in ("numpy", "jax", "torch"):
            for row in measured(system, pairs, size):
                print(row)


if __name__ == "__main__":
    main()
