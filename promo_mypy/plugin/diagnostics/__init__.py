"""Turn answers of the rules about an operation into errors that a user sees. The wording itself is in the rules."""
