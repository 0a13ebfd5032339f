"""`python -m tests.rules.functions [numpy jax torch]`: 0-d arrays and numbers in calls, for every pair of dtypes.

The tests try a sample of the pairs. Prints a report for each library; the exit status is 1 if a result differs, or
if fewer cells than expected are compared.
"""

import sys
import warnings

from tests.rules.functions.test_real_scalars import SUBJECTS, compare


def main() -> int:
    """1 if the rules and a library differ, or too little is compared."""
    warnings.simplefilter("ignore")  # about casts and divisions
    passed = True
    for name in sys.argv[1:] or SUBJECTS:
        report = compare(name, lambda _: True)
        print(report, *report.differences, sep="\n")
        passed &= not report.differences and report.cells > SUBJECTS[name].all_cells
    return int(not passed)


if __name__ == "__main__":
    sys.exit(main())
