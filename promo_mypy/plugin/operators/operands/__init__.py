"""The operands of an operator: constants, sequences, unions, None, times, 0-d arrays."""
