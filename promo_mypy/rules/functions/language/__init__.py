"""The language of the rows: rules, the arguments of a call, and how a row is resolved."""
