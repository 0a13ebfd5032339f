"""The language that rows are written in: rules, what a call gives them, and how a row is resolved."""
